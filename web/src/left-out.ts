/** What a link leaves out, which its reader is told. */

import { longestValue, type Stated } from "./link.js";
import { active } from "./parameter.js";
import { word } from "./words.js";

/** The labels of the controls whose text is too long for a link, or stands for files. */
export function leftOut(widget: Stated): string[] {
  return active(widget.parameters, widget.texts)
    .filter(({ name, kind }) => (kind === "files" ? widget.texts[name] !== "" : widget.texts[name]!.length > longestValue))
    .map(({ label }) => word(label));
}
