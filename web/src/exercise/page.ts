/** The page of the exercise: what is shown follows its address; the work is read from there, or from where this browser kept it. */

import { sentences } from "../said.js";
import type { Told } from "../words.js";
import { readLink } from "./keep.js";
import { readQuery } from "./query.js";
import type { ExerciseView } from "./view.js";
import "./view.js";

const kept = "shardlab-exercise";
/** Milliseconds without a change after which the work is kept. */
const pause = 250;

const view = document.querySelector<ExerciseView>("shardlab-exercise")!;
view.address = location.href;
// The page around it has no other language than its own.
const asked = readQuery(view);
/** whether the work is that of a link: then this browser's own is left as it is */
let isLinked = false;
let waiting: ReturnType<typeof setTimeout> | undefined;

function notice(notices: readonly Told[]): void {
  const box = document.querySelector<HTMLElement>("#notice")!;
  box.hidden = notices.length === 0;
  box.querySelector("p")!.textContent = sentences(...notices.map((told) => told()));
}

/** @param before what is told already */
async function readAddress(before: readonly Told[] = []): Promise<void> {
  const { task, work, notices } = await readLink(location.hash);
  if (task !== undefined) view.task = task;
  if (work !== undefined) {
    isLinked = true;
    view.work = work;
    notice([...before, ...notices, () => "This is the work in the link. What you write here is not kept in this browser: download it, or copy a link."]);
  } else {
    notice([...before, ...notices]);
  }
}

function restore(): void {
  try {
    const work = localStorage.getItem(kept);
    if (work !== null) view.work = work;
  } catch {
    // A browser that keeps nothing for this page has the file and the link.
  }
}

function keep(): void {
  clearTimeout(waiting);
  waiting = undefined;
  if (isLinked) return;
  try {
    localStorage.setItem(kept, view.work);
  } catch {
    // The same.
  }
}

document.querySelector("#notice button")!.addEventListener("click", () => notice([]));
view.addEventListener("shardlab-change", () => {
  if (!isLinked) history.replaceState(history.state, "", `#v=1&task=${view.task}`);
  clearTimeout(waiting);
  waiting = setTimeout(keep, pause);
});
addEventListener("pagehide", () => {
  if (waiting !== undefined) keep();
});
addEventListener("hashchange", () => void readAddress());
void readAddress(asked).then(() => {
  if (!isLinked) restore();
});
