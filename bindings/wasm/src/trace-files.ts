/** The routine measureTraces: it reads the files and hands their bytes, piece by piece, to the module that is asked. */

import { isFailure, ShardlabError, wrongKind } from "./error.js";
import { unpacked } from "./gzip.js";
import { isBytes, piecesOfStream, type Pieces } from "./pieces.js";
import type { MeasureTracesOptions, TraceFile } from "./types.js";

/** What C++ exports for it. */
export type TraceStep = "traceOpen" | "traceFeed" | "traceFinish" | "traceClose" | "tracesMeasured";

export interface TraceStepOptions {
  readonly job?: number;
  readonly bytes?: Uint8Array;
}

/** Runs a step where the module is. */
export type RunStep = (step: TraceStep, options: TraceStepOptions) => Promise<unknown>;

const pieceSize = 2 ** 20;

/** What is known of options that have been checked. */
interface Task {
  readonly files: readonly TraceFile[];
  readonly signal: AbortSignal | undefined;
  readonly onProgress: MeasureTracesOptions["onProgress"];
}

export async function measured(given: unknown, run: RunStep): Promise<unknown> {
  const task = checked(given);
  task.signal?.throwIfAborted();
  const job = (await run("traceOpen", {})) as number;
  try {
    for (const index of task.files.keys()) {
      await readFile(task, index, (step, bytes) => run(step, { job, ...(bytes && { bytes }) }));
    }
    return result(await run("tracesMeasured", { job }), "");
  } finally {
    await run("traceClose", { job }).catch(() => undefined);
  }
}

function checked(given: unknown): Task {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw wrongKind("options", given, "be an object: measureTraces takes files, signal, onProgress");
  }
  const { files, signal, onProgress, ...others } = given as Record<string, unknown>;
  for (const key of Object.keys(others)) {
    throw new ShardlabError(key, "no option", "be one of the options of measureTraces: files, signal, onProgress");
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw wrongKind("signal", signal, "be an AbortSignal");
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw wrongKind("onProgress", onProgress, "be a function");
  }
  const list: readonly unknown[] = Array.isArray(files) ? files : [files];
  if (list.length === 0) throw new ShardlabError("files", "empty", "be at least one");
  const wrong = list.find((file) => !isFile(file));
  if (wrong !== undefined || list.includes(undefined)) {
    throw wrongKind("files", wrong, "be Blobs, streams, bytes or texts");
  }
  return { files: list as readonly TraceFile[], signal, onProgress: onProgress as Task["onProgress"] };
}

function isFile(file: unknown): file is TraceFile {
  return typeof file === "string" || file instanceof Blob || file instanceof ReadableStream || isBytes(file);
}

/** Reads a file while the module works on the piece before. */
async function readFile(task: Task, index: number, run: (step: TraceStep, bytes?: Uint8Array) => Promise<unknown>): Promise<void> {
  const file = task.files[index]!;
  const name = nameOf(file, index, task.files.length);
  let bytesRead = 0;
  const bytes = sizeOf(file);
  const stored = noting(piecesOf(file), (size) => (bytesRead += size));
  let feeding: Promise<unknown> = Promise.resolve(true);
  for await (const piece of stoppable(unpacked(stored, name), task.signal)) {
    if (result(await feeding, name) === false) break;
    feeding = run("traceFeed", piece);
    // It is awaited with the next piece; until then a refusal is no one's.
    feeding.catch(() => undefined);
    task.onProgress?.({ file: index, files: task.files.length, bytesRead, bytes });
  }
  result(await feeding, name);
  task.signal?.throwIfAborted();
  result(await run("traceFinish"), name);
}

/** A step's answer. @throws ShardlabError where it is an error, with the file's name in it */
function result(answer: unknown, name: string): unknown {
  if (isFailure(answer)) {
    const { parameter, value, rule } = answer.error;
    throw new ShardlabError(parameter, name + value, rule);
  }
  return answer;
}

/** For messages: a file by its name, others by their place where there are several. */
function nameOf(file: TraceFile, index: number, files: number): string {
  const name = (file as { name?: unknown }).name;
  if (typeof name === "string" && name !== "") return `${name}: `;
  return files === 1 ? "" : `number ${index + 1} of ${files}: `;
}

function sizeOf(file: TraceFile): number | null {
  if (file instanceof Blob) return file.size;
  if (isBytes(file)) return file.byteLength;
  return typeof file === "string" ? new Blob([file]).size : null;
}

async function* piecesOf(file: TraceFile): Pieces {
  if (file instanceof ReadableStream) {
    yield* piecesOfStream(file);
  } else if (isBytes(file)) {
    const bytes = file instanceof Uint8Array ? file : new Uint8Array(file);
    for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
  } else {
    const blob = typeof file === "string" ? new Blob([file]) : file;
    for (let at = 0; at < blob.size; at += pieceSize) {
      yield new Uint8Array(await blob.slice(at, at + pieceSize).arrayBuffer());
    }
  }
}

/** The pieces until a signal comes, which does not wait for one that is late. */
async function* stoppable(pieces: Pieces, signal: AbortSignal | undefined): Pieces {
  const stop = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  stop.catch(() => undefined);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await Promise.race([pieces.next(), stop]);
      if (done) return;
      yield value;
    }
  } finally {
    // It may be waiting for ever: whoever stops does not wait with it.
    pieces.return(undefined).catch(() => undefined);
  }
}

async function* noting(pieces: Pieces, note: (size: number) => void): Pieces {
  for await (const piece of pieces) {
    note(piece.length);
    yield piece;
  }
}
