/** The dialog of those who take a widget to their own pages. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {};

export default texts;
