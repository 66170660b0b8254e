/** What a page's query asks for: the author of a link says which function is shown, in which language, and light or dark. */

import { themes } from "../author.js";
import type { ExerciseView } from "./view.js";

export function readQuery(view: ExerciseView): void {
  const query = new URLSearchParams(location.search);
  for (const name of ["task", "theme", "lang"]) {
    const text = query.get(name);
    if (text !== null) view.setAttribute(name, text);
  }
  const theme = themes.find((one) => one !== "auto" && one === view.getAttribute("theme"));
  document.documentElement.style.colorScheme = theme ?? "light dark";
}
