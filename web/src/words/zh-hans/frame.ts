/** What every widget has around its figure. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {};

export default texts;
