/** Collectives and data parallelism. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {};

export default texts;
