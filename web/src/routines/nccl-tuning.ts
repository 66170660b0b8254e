import { presets } from "../presets/nccl-tuning.js";
import type { AsyncLab, NcclTime, NcclTuningOptions, NcclTuningResult } from "shardlab";
import { bars } from "../figures/frame.js";
import { bytes, inText, list, percent, plural, seconds } from "../format.js";
import type { Inputs } from "../parameter.js";
import type { Readout, Routine, View } from "../routine.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";

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
  return word(`${algorithm} ${protocol}`);
}

function isAlike(one: NcclTime, other: NcclTime): boolean {
  return one.algorithm === other.algorithm && one.protocol === other.protocol;
}

/** The part of a time that an empty tensor takes too. */
export function latency({ latencySeconds, latencyFactor }: NcclTime): number {
  return latencySeconds * latencyFactor;
}

/** "Tree LL up to 64 kB, then Ring LL128 up to 8 MB, then Ring Simple." */
function bySize({ bySize: all }: Result): string {
  const runs = all.filter(({ choice }, index) => {
    const next = all[index + 1];
    return next === undefined || !isAlike(next.choice, choice);
  });
  const parts = runs.map(({ bytes: size, choice }, index) =>
    index === runs.length - 1 ? nameOf(choice) : say`${nameOf(choice)} up to ${inText(bytes(size))}`,
  );
  return list(parts);
}

function readouts({ options, tuning: { choice } }: Result): Readout[] {
  const rate = bytes(options.bytes / choice.seconds);
  return [
    { id: "choice", label: word("NCCL takes"), value: nameOf(choice) },
    { id: "seconds", label: word("Time"), ...seconds(choice.seconds) },
    { id: "rate", label: word("Algorithm bandwidth"), value: rate.value, unit: `${rate.unit}/s` },
    { id: "latency-share", label: word("Share of latency"), ...percent(latency(choice) / choice.seconds) },
  ];
}

/** A time, and whether it is the one that is taken. */
function timed(time: NcclTime, choice: NcclTime): string {
  const text = inText(seconds(time.seconds));
  if (isAlike(time, choice)) return say`${text}, taken`;
  return time.enabled ? text : say`${text}, switched off`;
}

function view(result: Result, width: number): View {
  const { options, tuning } = result;
  const { times, choice } = tuning;
  const [size, all, version] = [inText(bytes(options.bytes)), plural(options.ranks, "rank"), options.version.replace(/^v/, "")];
  const told = times.map((time) => ({ time, text: timed(time, choice) }));
  const each = told.map(({ time, text }) => say`${nameOf(time)}: ${text}`).join(word("; "));
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
          current: isAlike(time, choice),
        })),
        most: Math.max(...times.map((time) => time.seconds)),
        legend: [
          { kind: "idle", label: word("latency") },
          { kind: "work", label: word("bytes") },
        ],
        summary: say`Time of an all-reduce by NCCL's model. ${each}.`,
      },
      width,
    ),
    caption: sentences(
      say`For ${size} on ${all} NCCL ${version} takes ${nameOf(choice)}: ${inText(seconds(choice.seconds))} by its own model.`,
      say`By size: ${bySize(result)}.`,
    ),
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
