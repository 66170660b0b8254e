/** The style sheets of a widget's pictures. */

import bars from "../figure/bars.css";
import forcedColours from "../figure/forced-colours.css";
import marks from "../figure/marks.css";
import text from "../figure/text.css";

/** @param own of the routine */
export function figureStyles(own: readonly string[]): string[] {
  return [text, ...own, bars, marks, forcedColours];
}
