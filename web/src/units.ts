/** Quantities as people type them: `1GiB`, `70B`, `5us`, `400Gb/s`. */

import { bytes, exact, inText, seconds } from "./format.js";
import { say, word, type Told } from "./words.js";

/** What a number counts: bytes, things (as parameters), seconds, or bytes in a second. */
export type Quantity = "bytes" | "count" | "seconds" | "rate";

/** A unit is a power of ten times, or a multiple: whichever keeps typed digits exact. */
interface Unit {
  ten?: number;
  times?: number;
  /** what it was taken for, where it may mean something else */
  doubt?: Told;
}

const tens = { "": 0, k: 3, K: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const letters = Object.entries(tens).filter(([letter]) => letter !== "");

function byteUnits(suffix: string): Record<string, Unit> {
  const units: Record<string, Unit> = {};
  for (const [letter, ten] of Object.entries(tens)) {
    units[`${letter}B${suffix}`] = { ten };
    if (letter === "") continue;
    units[`${letter}iB${suffix}`] = { times: 1024 ** (ten / 3) };
    units[letter] = { ten, doubt: () => `${letter === "K" ? "k" : letter}B${suffix}` };
  }
  return units;
}

function bitRates(): Record<string, Unit> {
  return Object.fromEntries(
    letters.flatMap(([letter, ten]) =>
      [`${letter}b/s`, `${letter}bps`, `${letter}bit/s`].map((name) => [name, { times: 10 ** ten / 8 }]),
    ),
  );
}

const units: Readonly<Record<Quantity, Readonly<Record<string, Unit>>>> = {
  bytes: byteUnits(""),
  rate: { ...byteUnits("/s"), ...bitRates() },
  count: {
    ...Object.fromEntries(["k", "K", "M", "T"].map((letter) => [letter, { ten: tens[letter as "k"] }])),
    B: { ten: 9 },
    b: { ten: 9 },
    G: { ten: 9, doubt: () => word("billions") },
  },
  seconds: { s: { ten: 0 }, ms: { ten: -3 }, us: { ten: -6 }, µs: { ten: -6 }, μs: { ten: -6 }, ns: { ten: -9 } },
};

export interface Typed {
  value: number;
  /** how it was understood, where the text is not itself that */
  note?: string;
}

/** The number in a text, or nothing. A plain number is of the base unit. */
export function typed(text: string, quantity: Quantity): Typed | undefined {
  const trimmed = text.trim();
  const plain = Number(trimmed);
  if (trimmed !== "" && !Number.isNaN(plain)) return { value: plain, ...noted(plain, quantity) };
  const found = /^([-+]?(?:\d+\.?\d*|\.\d+))(?:e([-+]?\d{1,3}))?\s*([A-Za-zµμ/]+)$/.exec(trimmed);
  const unit = found === null ? undefined : unitOf(quantity, found[3]!);
  if (found === null || unit === undefined) return undefined;
  const exponent = Number(found[2] ?? 0) + (unit.ten ?? 0);
  const value = Number(`${found[1]}e${exponent}`) * (unit.times ?? 1);
  if (unit.doubt !== undefined) return { value, note: say`${found[3]!} is read as ${unit.doubt()}.` };
  const base = { bytes: " B", count: "", seconds: " s", rate: " B/s" }[quantity];
  return { value, note: `${exact(value)}${base}` };
}

function unitOf(quantity: Quantity, name: string): Unit | undefined {
  return Object.prototype.hasOwnProperty.call(units[quantity], name) ? units[quantity][name] : undefined;
}

function noted(value: number, quantity: Quantity): { note?: string } {
  if (!Number.isFinite(value) || value < 0 || quantity === "count") return {};
  if (quantity === "seconds") return { note: inText(seconds(value)) };
  return { note: `${inText(bytes(value))}${quantity === "rate" ? "/s" : ""}` };
}

/** A round number of a slider, as one would type it. */
export function written(value: number, quantity: Quantity): string {
  const names: Record<Quantity, readonly [number, string][]> = {
    bytes: [[12, "TB"], [9, "GB"], [6, "MB"], [3, "kB"], [0, "B"]],
    rate: [[12, "TB/s"], [9, "GB/s"], [6, "MB/s"], [3, "kB/s"], [0, "B/s"]],
    count: [[12, "T"], [9, "B"], [6, "M"], [3, "k"], [0, ""]],
    seconds: [[0, "s"], [-3, "ms"], [-6, "us"], [-9, "ns"]],
  };
  const list = names[quantity];
  const [power, name] = list.find(([ten]) => value >= Number(`1e${ten}`)) ?? list[list.length - 1]!;
  return `${Number((value / Number(`1e${power}`)).toPrecision(6))}${name}`;
}
