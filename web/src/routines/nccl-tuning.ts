import { presets } from "../presets/nccl-tuning.js";
import type { AsyncLab, NcclTime, NcclTuningOptions, NcclTuningResult } from "shardlab";
import { bars } from "../figures/frame.js";
import { bytes, inText, list, percent, plural, seconds } from "../format.js";
import type { Inputs } from "../parameter.js";
import type { Readout, Routine, View } from "../routine.js";

/** What NCCL would choose up to a size, from the size of the row before. */
export interface ChosenUpTo {
  bytes: number;
  choice: NcclTime;
}

export interface Result {
  options: NcclTuningOptions;
  tuning: NcclTuningResult;
  /** at powers of two from 64 B to 16 GiB */
  bySize: readonly ChosenUpTo[];
}

const sizes = Array.from({ length: 29 }, (_, index) => 2 ** (6 + index));

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const choice = <Key extends keyof NcclTuningOptions>(key: Key) => inputs.text(key) as Required<NcclTuningOptions>[Key];
  const group = {
    version: choice("version"),
    arch: choice("arch"),
    link: choice("link"),
    cpu: choice("cpu"),
    ranks: inputs.number("ranks"),
    nodes: inputs.number("nodes"),
    channels: inputs.number("channels"),
    channelBytesPerSecond: inputs.number("channelBytesPerSecond"),
  };
  const options = { ...group, bytes: inputs.number("bytes") };
  const tuning = await lab.ncclTuning(options);
  const bySize = await Promise.all(
    sizes.map(async (size) => ({ bytes: size, choice: (await lab.ncclTuning({ ...group, bytes: size })).choice })),
  );
  return { options, tuning, bySize };
}

export function nameOf({ algorithm, protocol }: NcclTime): string {
  return `${algorithm} ${protocol}`;
}

/** The part of a time that an empty tensor takes too. */
export function latency({ latencySeconds, latencyFactor }: NcclTime): number {
  return latencySeconds * latencyFactor;
}

/** "Tree LL up to 64 kB, then Ring LL128 up to 8 MB, then Ring Simple." */
function bySize({ bySize: all }: Result): string {
  const runs = all.filter(({ choice }, index) => {
    const next = all[index + 1];
    return next === undefined || nameOf(next.choice) !== nameOf(choice);
  });
  const parts = runs.map(({ bytes: size, choice }, index) =>
    index === runs.length - 1 ? nameOf(choice) : `${nameOf(choice)} up to ${inText(bytes(size))}`,
  );
  return list(parts);
}

function readouts({ options, tuning: { choice } }: Result): Readout[] {
  const rate = bytes(options.bytes / choice.seconds);
  return [
    { id: "choice", label: "NCCL takes", value: nameOf(choice) },
    { id: "seconds", label: "Time", ...seconds(choice.seconds) },
    { id: "rate", label: "Algorithm bandwidth", value: rate.value, unit: `${rate.unit}/s` },
    { id: "latency-share", label: "Share of latency", ...percent(latency(choice) / choice.seconds) },
  ];
}

function view(result: Result, width: number): View {
  const { options, tuning } = result;
  const { times, choice } = tuning;
  const said =
    `For ${inText(bytes(options.bytes))} on ${plural(options.ranks, "rank")} NCCL ${options.version.replace(/^v/, "")} takes ` +
    `${nameOf(choice)}: ${inText(seconds(choice.seconds))} by its own model. By size: ${bySize(result)}.`;
  const chosen = (time: NcclTime) => nameOf(time) === nameOf(choice);
  const told = times.map((time) => ({
    time,
    text: `${inText(seconds(time.seconds))}${chosen(time) ? ", taken" : time.enabled ? "" : ", switched off"}`,
  }));
  return {
    figure: bars(
      {
        rows: told.map(({ time, text }) => ({
          label: nameOf(time),
          value: text,
          parts: [
            { length: latency(time), kind: "idle" },
            { length: time.seconds - latency(time), kind: "work" },
          ],
          current: chosen(time),
        })),
        most: Math.max(...times.map((time) => time.seconds)),
        legend: [
          { kind: "idle", label: "latency" },
          { kind: "work", label: "bytes" },
        ],
        summary: `Time of an all-reduce by NCCL's model. ${told.map(({ time, text }) => `${nameOf(time)}: ${text}`).join("; ")}.`,
      },
      width,
    ),
    caption: said,
    readouts: readouts(result),
  };
}

/** "2.18" of a tag, "Ampere" of a name. */
function label(value: string): string {
  return /^v\d/.test(value) ? value.replace(/^v(\d+\.\d+).*/, "$1") : value[0]!.toUpperCase() + value.slice(1);
}

const choices = (...values: string[]) => values.map((value) => ({ value, label: label(value) }));

export const ncclTuning: Routine<Result> = {
  id: "nccl-tuning",
  title: "What NCCL would choose",
  claim: "NCCL prices six ways to do the same all-reduce, and takes the cheapest: flags for small messages, rings for large ones.",
  tryNext: "Take 64 kB, then 1 GB; then 32 ranks on 8 nodes.",
  parameters: [
    {
      name: "bytes",
      label: "Tensor",
      kind: "whole",
      quantity: "bytes",
      initial: "1MB",
      range: { least: 1e3, most: 1e10, scale: "decades" },
    },
    { name: "ranks", label: "Ranks", kind: "whole", initial: "4", range: { least: 2, most: 1024, scale: "powers" } },
    { name: "nodes", label: "Nodes", kind: "whole", initial: "1", range: { least: 1, most: 128, scale: "powers" } },
    {
      name: "version",
      label: "NCCL",
      kind: "choice",
      initial: "v2.18.3-1",
      choices: [...choices("v2.18.3-1", "v2.19.3-1", "v2.27.7-1"), { value: "master@5067397c", label: "2.30 (master)" }],
    },
    { name: "arch", label: "GPU", kind: "choice", initial: "ampere", choices: choices("volta", "ampere", "hopper", "blackwell") },
    {
      name: "link",
      label: "Inside a node",
      kind: "choice",
      initial: "nvlink",
      choices: [
        { value: "nvlink", label: "NVLink" },
        { value: "pci", label: "PCI" },
        { value: "net", label: "Net" },
      ],
    },
    {
      name: "channels",
      label: "Channels",
      kind: "whole",
      initial: "24",
      range: { least: 1, most: 64 },
      description: "Rings or trees side by side, as NCCL_DEBUG=INFO prints them.",
    },
    {
      name: "channelBytesPerSecond",
      label: "Rate of a channel",
      kind: "real",
      quantity: "rate",
      initial: "10GB/s",
      range: { least: 1e8, most: 1e12, scale: "decades" },
    },
    {
      name: "cpu",
      label: "Processor",
      kind: "choice",
      initial: "intel",
      choices: [
        { value: "intel", label: "Intel" },
        { value: "amd", label: "AMD" },
      ],
    },
  ],
  presets,
  run,
  view,
  details: async () => (await import("../details/nccl-tuning.js")).details,
};
