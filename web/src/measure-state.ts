/** What real machines measured: traces of training, or runs of all-reduces, and the model that is fitted to them. */

import type { AllReduceFit, AsyncLab, FitAllReduceResult, MeasureTracesResult, TraceProgress } from "shardlab";
import { chosen } from "./chosen.js";
import { largestFile } from "./files.js";
import { regimesOf } from "./fitted-lines.js";
import { inText, percent } from "./format.js";
import { InputError, type Inputs } from "./parameter.js";
import type { Work } from "./routine.js";
import type { Link } from "./routines/alpha-beta.js";
import { say } from "./words.js";

/** All-reduces over sizes, and the model that is fitted to them. */
export interface Fitted extends AllReduceFit {
  ranks: number | null;
  /** bus bandwidth over algorithm bandwidth */
  busFactor: number;
  /** the link of a ring that has these times; nothing where ranks are not told, or times do not grow with the size */
  link: Link | undefined;
}

export interface MeasureState {
  show: "time" | "model";
  /** no file is open yet: a sample is shown in place of it */
  waits: boolean;
  /** of the files with the traces, where they have names */
  names: readonly string[];
  /** nothing of a run */
  traces: MeasureTracesResult | undefined;
  /** nothing where there is too little to fit */
  fitted: Fitted | undefined;
  /** nothing of traces */
  run: FitAllReduceResult | undefined;
}

type Measured = { traces: MeasureTracesResult; names: readonly string[] } | { text: string; file?: string };

/** The last that was read: other controls than those of its source leave it as it is. */
let last: { key: string; measured: Measured } | undefined;

export async function execute(lab: AsyncLab, inputs: Inputs, work?: Work): Promise<MeasureState> {
  const source = inputs.text("source");
  const key = [source, inputs.text("files"), source === "text" ? inputs.text("text") : ""].join("\n");
  if (last?.key !== key) last = { key, measured: await read(source, lab, inputs, work) };
  const { measured } = last;
  const show = inputs.text("show") === "model" ? "model" : "time";
  const waits = source === "files" && filesOf(inputs).length === 0;
  if ("text" in measured) {
    const run = await runOf(lab, measured, inputs);
    return { show: "model", waits, names: [], traces: undefined, run, fitted: fittedOf(run, run.ranks) };
  }
  const { traces, names } = measured;
  return { show, waits, names, traces, run: undefined, fitted: await fittedTraces(lab, traces, inputs) };
}

async function read(source: string, lab: AsyncLab, inputs: Inputs, work?: Work): Promise<Measured> {
  if (source === "run") {
    const { publishedRuns } = await import("./published-runs.js");
    return { text: publishedRuns };
  }
  if (source === "text") {
    const text = inputs.text("text");
    return isTrace(text.slice(0, head)) ? measureAll(lab, [text], [], work) : { text };
  }
  const files = filesOf(inputs);
  if (files.length > 0) return readFiles(lab, inputs.text("files"), files, work);
  const { sampleTraces } = await import("./measure-samples.js");
  return measureAll(lab, sampleTraces, [], work);
}

/** Those that have been chosen; none where they are not asked for, or the text that stands for them is of another page. */
function filesOf(inputs: Inputs): readonly File[] {
  return inputs.text("source") === "files" ? chosen(inputs.text("files")) ?? [] : [];
}

/** Traces of several ranks, or one file with a run. */
async function readFiles(lab: AsyncLab, text: string, files: readonly File[], work?: Work): Promise<Measured> {
  const kinds = await Promise.all(files.map(isTraceFile));
  if (kinds.every((one) => one)) return measureAll(lab, files, files.map(({ name }) => name), work);
  if (files.length > 1) throw new InputError("files", text, "be the traces of a job's ranks, or one file with a run");
  const [file] = files as [File];
  if (file.size > largestFile) throw new InputError("files", file.name, "be a trace, or a run of at most 4 MiB");
  return { text: await file.text(), file: file.name };
}

/** Bytes of a file by which it is known. */
const head = 4096;

async function isTraceFile(file: File): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, head).arrayBuffer());
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isPacked || isTrace(new TextDecoder().decode(bytes));
}

/** JSON is a trace unless it begins as that of nccl-tests or of shardlab-mpi does. */
function isTrace(beginning: string): boolean {
  const text = beginning.replace(/^\uFEFF/, "").trimStart();
  const isRun = /"format"\s*:\s*"shardlab-mpi"|^\{\s*"version"\s*:\s*\d+\s*,\s*"start_time"/.test(text);
  return /^[[{]/.test(text) && !isRun;
}

async function measureAll(lab: AsyncLab, files: readonly (File | Uint8Array | string)[], names: readonly string[], work?: Work): Promise<Measured> {
  const traces = await lab.measureTraces({
    files,
    ...(work && { signal: work.signal, onProgress: (progress: TraceProgress) => tell(progress, names, work) }),
  });
  return { traces, names };
}

function tell({ file, files, bytesRead, bytes }: TraceProgress, names: readonly string[], work: Work): void {
  const part = inText(percent(Math.floor((100 * bytesRead) / (bytes || bytesRead || 1)) / 100));
  work.tell(() => (files === 1 ? say`${part} read.` : say`File ${file + 1} of ${files}, ${names[file] ?? ""}: ${part} read.`));
}

type RunText = Extract<Measured, { text: string }>;

async function runOf(lab: AsyncLab, measured: RunText, inputs: Inputs, run = inputs.text("run")): Promise<FitAllReduceResult> {
  const { text, file } = measured;
  try {
    return await lab.fitAllReduce({ text, ...regimesOf(inputs), ...(run !== "" && { run }) });
  } catch (error) {
    // It was chosen from another file.
    if (isOf("run", error)) return runOf(lab, measured, inputs, "");
    if (file !== undefined && isOf("text", error)) throw new InputError("files", `${file}: ${error.value}`, error.rule);
    throw error;
  }
}

function isOf(parameter: string, error: unknown): error is InputError {
  return (error as Partial<InputError>).parameter === parameter;
}

/** The fit that came with the traces is of as few lines as serve. */
async function fittedTraces(lab: AsyncLab, { fit }: MeasureTracesResult, inputs: Inputs): Promise<Fitted | undefined> {
  if (fit === null) return undefined;
  const { bytes, measuredSeconds } = fit.points;
  const asked = regimesOf(inputs);
  if (asked.regimes === undefined) return fittedOf(fit, fit.ranks);
  const rows = Array.from(bytes, (size, index) => `${size},${measuredSeconds[index]! * 1e6}`);
  return fittedOf(await lab.fitAllReduce({ text: ["size_B,oop_time_us", ...rows].join("\n"), ...asked }), fit.ranks);
}

/** @param ranks where they are known */
function fittedOf(fit: AllReduceFit, ranks: number | null): Fitted {
  const busFactor = ranks === null ? 1 : (2 * (ranks - 1)) / ranks;
  return { ...fit, ranks, busFactor, link: linkOf(fit, ranks, busFactor) };
}

/**
 * A ring's time is 2 (N − 1) α + 2 (N − 1) / N · S / β: its link has the latency of the smallest sizes and the bandwidth
 * of the largest.
 */
function linkOf({ regimes }: AllReduceFit, ranks: number | null, busFactor: number): Link | undefined {
  const { latencySeconds } = regimes[0]!;
  const { bytesPerSecond } = regimes[regimes.length - 1]!;
  if (ranks === null || ranks < 2 || bytesPerSecond === null) return undefined;
  return { latencySeconds: latencySeconds / (2 * (ranks - 1)), bytesPerSecond: bytesPerSecond * busFactor };
}
