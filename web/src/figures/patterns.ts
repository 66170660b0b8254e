/** Stripes that say more of a bar than its colour does. */

import { svg } from "./markup.js";

/** Of the part of a bar that is too much, and of what is not measured. */
export const patterns = svg`<defs>
  <pattern id="beyond" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
    <line class="gap" x1="0" y1="0" x2="0" y2="7" />
  </pattern>
  <pattern id="unmeasured" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <line class="unknown" x1="0" y1="0" x2="0" y2="6" />
  </pattern>
</defs>`;
