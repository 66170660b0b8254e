/** Pipelines and their bubbles. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {};

export default texts;
