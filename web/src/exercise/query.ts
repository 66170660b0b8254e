/** What a page's query asks for: the author of a link says which function is shown, in which language, and light or dark. */

import { themes } from "../author.js";
import type { Told } from "../words.js";
import { unknownTask } from "./keep.js";
import { taskOf } from "./tasks.js";
import type { ExerciseView } from "./view.js";

/** @returns what could not be understood */
export function readQuery(view: ExerciseView): readonly Told[] {
  const query = new URLSearchParams(location.search);
  for (const name of ["theme", "lang"]) {
    const text = query.get(name);
    if (text !== null) view.setAttribute(name, text);
  }
  const theme = themes.find((one) => one !== "auto" && one === view.getAttribute("theme"));
  document.documentElement.style.colorScheme = theme ?? "light dark";
  const task = query.get("task");
  if (task !== null && taskOf(task) === undefined) return [unknownTask(task)];
  if (task !== null) view.task = task;
  return [];
}
