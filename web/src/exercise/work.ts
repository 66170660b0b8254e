/** What a student has written: the text of each function, as a file, and packed for a link. */

import type { Source } from "./sandbox.js";
import { tasks, type Task } from "./tasks.js";

/** By the ids of tasks. One that is left out is as it was given. */
export type Work = ReadonlyMap<string, string>;

/** The most characters that a link may have: longer ones are cut by mail and by some servers. */
export const longestLink = 8000;
/** The most that is read of a file or a link. */
const longestFile = 2 ** 20;

/** Of a starter's comments: what an editor beside its task has room for. */
const lineWidth = 48;

/** What stands in the editor before anything is written. */
export function starter({ does, takes, gives, name }: Task): string {
  const says = [does, ...Object.entries(takes).map(([parameter, meaning]) => `${parameter}: ${meaning}.`), `Gives ${gives}.`];
  const lines = says.flatMap((sentence) => wrapped(sentence.replace(/`/g, ""), lineWidth));
  return `${lines.map((line) => `// ${line}\n`).join("")}function ${name}({ ${Object.keys(takes).join(", ")} }) {
  throw new Error("it is still to be written");
}
`;
}

export function textOf(work: Work, task: Task): string {
  return work.get(task.id) ?? starter(task);
}

/** All functions, so that they can call each other: the one that is tested is read last. */
export function sources(work: Work, tested: Task): Source[] {
  const others = tasks.filter((task) => task !== tested);
  return [...others, tested].map((task) => ({ id: task.id, name: task.name, text: textOf(work, task) }));
}

/** A line with a task's id, after which its function stands. */
const heading = /^\/\/ =+ *([\w-]+) *=+ *\r?$/m;

/** As a file of JavaScript, each function after a line with its task's id. */
export function written(work: Work): string {
  const parts = tasks.filter(({ id }) => work.has(id)).map(({ id }) => `// ==== ${id} ====\n\n${withoutHeadings(work.get(id)!.trim())}\n`);
  return [`// Functions of the lab of Shardlab. The page opens this file again by the lines with ====.\n`, ...parts].join("\n");
}

/** A student's own comment of that form is moved by a space, so that no part of a function is lost behind it. */
function withoutHeadings(text: string): string {
  return text.replace(new RegExp(heading, "gm"), " $&");
}

/** Reads such a file. @param unknown receives the ids that are no task's */
export function read(text: string, unknown: string[] = []): Work {
  const [, ...parts] = text.slice(0, longestFile).split(heading);
  const work = new Map<string, string>();
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const id = parts[index]!;
    if (tasks.some((task) => task.id === id)) work.set(id, `${parts[index + 1]!.trim()}\n`);
    else unknown.push(id);
  }
  return work;
}

/** The tasks whose functions a source declares. */
export function declaredIn(text: string): readonly Task[] {
  return tasks.filter(({ name }) => new RegExp(`^(?:export +(?:default +)?)?(?:(?:async +)?function[ *]+${name}\\b|(?:const|let|var) +${name} *=)`, "m").test(text));
}

/** For a link: deflated, in the base64 of addresses. */
export async function packed(text: string): Promise<string> {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @throws Error where it is no packed text */
export async function unpacked(link: string): Promise<string> {
  const characters = atob(link.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

/** A link may claim to hold more than a memory does: what is too long is not read to its end. */
async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces.push(next.value);
    length += next.value.length;
    if (length > longestFile) {
      await reader.cancel();
      throw new Error("it holds more than 1 MiB");
    }
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
