/** A page of the exercise alone: embedded in an iframe, or a file by itself. It carries the cases and the interpreter. */

import { inflated } from "../forms/carried.js";
import { tellHeight } from "../forms/height.js";
import { sentences } from "../said.js";
import type { Told } from "../words.js";
import { provide, type Parts } from "./examiner.js";
import { readLink } from "./keep.js";
import { readQuery } from "./query.js";
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

/** The reader's work, from the fragment. @param before what is told already */
async function readFragment(view: ExerciseView, before: readonly Told[] = []): Promise<void> {
  const { task, work, notices } = await readLink(location.hash);
  if (task !== undefined) view.task = task;
  if (work !== undefined) view.work = work;
  const all = [...before, ...notices];
  if (all.length > 0) view.note(() => sentences(...all.map((told) => told())));
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
  const notices = readQuery(view);
  if (view.lang !== "") document.documentElement.lang = view.lang;
  await readFragment(view, notices);
  addEventListener("hashchange", () => void readFragment(view));
  const isEmbed = document.documentElement.dataset.form === "embed";
  if (isEmbed && parent !== window) talk(view);
  else if (!isEmbed) record(view);
}

void start();
