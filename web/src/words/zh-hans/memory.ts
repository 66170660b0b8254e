/** ZeRO, the memory of a rank, and the model that it is of. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {};

export default texts;
