/** The success criteria of this lab, in the order of the page. */

import type { Criterion } from "../criterion.js";
import { bytes } from "./bytes.js";
import { idle } from "./idle.js";
import { mean } from "./mean.js";
import { split } from "./split.js";
import { states } from "./states.js";
import { steps } from "./steps.js";

export const criteria: readonly Criterion[] = [steps, bytes, mean, split, idle, states];
