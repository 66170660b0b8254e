/** How work is kept: as a file, or in a link. */

import { list } from "../format.js";
import { download as save } from "../save.js";
import { sentences } from "../said.js";
import { say, word, type Told } from "../words.js";
import { tasks, taskOf, type Task } from "./tasks.js";
import { declaredIn, longestLink, packed, read, unpacked, written, type Work } from "./work.js";

/** The published lab, with a slash at its end, where the build was told of it; nothing otherwise. */
declare const SHARDLAB_BASE: string;

/** Of what is in a link, and how. */
const linkVersion = "1";
const largestFile = 2 ** 20;

/** What is said of something that was done. */
export interface Said {
  text: Told;
  /** to be copied by hand, where the page may not */
  copy?: string;
}

/** The page of the exercise, in the folder above that of the scripts. */
export function home(): string {
  return `${SHARDLAB_BASE || new URL("..", import.meta.url).href}exercise.html`;
}

/** A link that would be cut on its way. */
export class TooLong extends Error {
  constructor(readonly characters: number) {
    super(tooLong(characters));
  }
}

function tooLong(characters: number): string {
  return say`The link would have ${characters} characters, and more than ${longestLink} may be cut on their way: download the file instead.`;
}

/** @throws TooLong */
export async function link(address: string, task: string, work: Work): Promise<string> {
  const entries = [["v", linkVersion], ["task", task], ...(work.size === 0 ? [] : [["work", await packed(written(work))]])];
  const all = `${address.split("#")[0]}#${new URLSearchParams(entries).toString()}`;
  if (all.length <= longestLink) return all;
  throw new TooLong(all.length);
}

/** What a fragment says. */
export interface Linked {
  task?: string;
  work?: string;
  /** what could not be understood */
  notices: readonly Told[];
}

export function unknownTask(task: string): Told {
  return () => say`The link asks for ${task}; there are ${tasks.map(({ id }) => id).join(", ")}.`;
}

export async function readLink(fragment: string): Promise<Linked> {
  const keys = new URLSearchParams(fragment.replace(/^#/, ""));
  const [version, task, work] = ["v", "task", "work"].map((key) => keys.get(key) ?? undefined);
  const notices: Told[] = [];
  if (version !== undefined && version !== linkVersion) notices.push(() => say`The link is of version ${version}; this page reads version ${linkVersion}.`);
  const isKnown = task !== undefined && taskOf(task) !== undefined;
  if (task !== undefined && !isKnown) notices.push(unknownTask(task));
  const text = work === undefined ? undefined : await unpacked(work).catch(() => undefined);
  if (work !== undefined && text === undefined) notices.push(() => word("The work in the link cannot be read: a part of it may be missing."));
  return { notices, ...(isKnown && { task }), ...(text !== undefined && { work: text }) };
}

export async function copyLink(made: Promise<string>): Promise<Said> {
  let address: string;
  try {
    address = await made;
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return { text: () => tooLong(error.characters) };
  }
  try {
    await navigator.clipboard.writeText(address);
    return { text: () => word("The link is copied. It holds all that you have written.") };
  } catch {
    return { text: () => word("The link, to be copied:"), copy: address };
  }
}

export function download(work: Work): void {
  save("shardlab-lab.js", written(work), "text/javascript");
}

/** What a file has, and what is said of it. */
interface Opened {
  work?: Work;
  said: Said;
}

/** @param shown the task whose function a file is taken for where it does not say */
export async function open(file: File, shown: Task): Promise<Opened> {
  if (file.size > largestFile) return { said: { text: () => say`${file.name} is larger than 1 MiB.` } };
  const text = await file.text();
  const unknown: string[] = [];
  const work = read(text, unknown);
  if (work.size === 0 && unknown.length === 0) return source(file.name, text, shown);
  const names = [...work.keys()].map((id) => taskOf(id)!.name);
  const others = () => (unknown.length === 0 ? "" : say`It also has ${unknown.join(", ")}, which this page does not know.`);
  if (names.length > 0) return { work, said: { text: () => sentences(say`Opened: ${list(names)}.`, others()) } };
  return { said: { text: () => say`${file.name} has ${list(unknown)}, which this page does not know.` } };
}

/** A file without the lines that part functions: the source of one. */
function source(file: string, text: string, shown: Task): Opened {
  if (text.trim() === "") return { said: { text: () => say`${file} is empty.` } };
  const declared = declaredIn(text);
  if (declared.length > 1) {
    const names = () => list(declared.map(({ name }) => name));
    return { said: { text: () => say`${file} has ${names()}, and nothing that parts them: put a line such as // ==== ${declared[0]!.id} ==== before each.` } };
  }
  const [task = shown] = declared;
  const told = () => (task === declared[0] ? say`Opened: ${task.name}.` : say`${file} declares no function of the lab: it is opened as ${task.name}.`);
  return { work: new Map([[task.id, `${text.trim()}\n`]]), said: { text: told } };
}
