/** A page of the exercise alone: embedded in an iframe, or a file by itself. It carries the cases and the interpreter. */

import { themes } from "../author.js";
import { inflated } from "../forms/carried.js";
import { tellHeight } from "../forms/height.js";
import { sentences } from "../said.js";
import { provide, type Parts } from "./examiner.js";
import { readLink } from "./keep.js";
import type { ExerciseView } from "./view.js";
import "./view.js";

/** Milliseconds without a change after which the address follows: browsers limit how often it may. */
const pause = 250;

async function carried(): Promise<Parts> {
  const text = (name: string) => document.querySelector(`script[data-carries=${name}]`)!.textContent!;
  const [cases, interpreter, script] = await Promise.all(["cases", "interpreter", "worker"].map((name) => inflated(text(name))));
  const worker = URL.createObjectURL(new Blob([script!], { type: "text/javascript" }));
  return { worker, workerType: "classic", cases: cases!, interpreter: interpreter! };
}

/** The author of a page says in the query which function is shown, in which language, and whether it is light or dark. */
function readQuery(view: ExerciseView): void {
  const query = new URLSearchParams(location.search);
  for (const name of ["task", "theme", "lang"]) {
    const text = query.get(name);
    if (text !== null) view.setAttribute(name, text);
  }
  const theme = themes.find((one) => one !== "auto" && one === view.getAttribute("theme"));
  if (view.lang !== "") document.documentElement.lang = view.lang;
  document.documentElement.style.colorScheme = theme ?? "light dark";
}

/** The reader's work, from the fragment. */
async function readFragment(view: ExerciseView): Promise<void> {
  const { task, work, notices } = await readLink(location.hash);
  if (task !== undefined) view.task = task;
  if (work !== undefined) view.work = work;
  if (notices.length > 0) view.note(() => sentences(...notices.map((told) => told())));
}

/** The address of a file follows what its reader does, so that a reload or a bookmark keeps it. */
function record(view: ExerciseView): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const write = () =>
    view.permalink().then(
      (address) => history.replaceState(history.state, "", new URL(address).hash),
      () => undefined,
    );
  view.addEventListener("shardlab-change", () => {
    clearTimeout(waiting);
    waiting = setTimeout(write, pause);
  });
}

/** What the page around the iframe is told. */
function talk(view: ExerciseView): void {
  const send = (type: string, more: object = {}) => parent.postMessage({ shardlab: 1, type, id: "exercise", ...more }, "*");
  addEventListener("message", ({ source, data }) => {
    if (source === parent && typeof data === "object" && data?.shardlab === 1 && data.type === "ping") send("pong");
  });
  view.addEventListener("shardlab-exercise-done", (event) => send("done", (event as CustomEvent).detail));
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") send("escape");
  });
  void view.ready.then(() => {
    send("ready");
    tellHeight(document.querySelector("main")!, send);
  });
}

async function start(): Promise<void> {
  provide(carried());
  const view = document.querySelector<ExerciseView>("shardlab-exercise")!;
  view.address = location.href;
  readQuery(view);
  await readFragment(view);
  addEventListener("hashchange", () => void readFragment(view));
  const isEmbed = document.documentElement.dataset.form === "embed";
  if (isEmbed && parent !== window) talk(view);
  else if (!isEmbed) record(view);
}

void start();
