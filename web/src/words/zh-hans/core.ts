/** The rules that the core names in its errors. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {};

export default texts;
