/** The page: its widgets, which load the lab when the first of them is there. */

import { routines } from "./routines/index.js";
import { define } from "./widget.js";

for (const routine of routines) define(routine);
