/** Numbers as people read them. */

import { counted, say, word } from "./words.js";

const thin = "\u202f";

/** A whole number with its digits in groups of three; beyond 10^15 in powers of ten. */
export function count(value: number): string {
  if (!Number.isInteger(value) || Math.abs(value) >= 1e15) return significant(value);
  return grouped(String(value));
}

/** What somebody wrote, in a sentence: where it is long, its beginning. */
export function cut(text: string, most = 40): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, thin).replace("-", "−");
}

/** Three significant digits, without trailing zeros. */
export function significant(value: number, digits = 3): string {
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  if (size !== 0 && (size >= 1e15 || size < 1e-3)) {
    const [mantissa, exponent] = rounded.toExponential().split("e");
    return `${mantissa!.replace("-", "−")}·10${superscript(Number(exponent))}`;
  }
  return asWritten(String(rounded));
}

/** A number as it is, up to twelve digits. */
export function exact(value: number): string {
  return Number.isInteger(value) ? count(value) : significant(value, 12);
}

/** A number with the digits that it is written with. */
export function asWritten(digits: string): string {
  const [whole, part] = digits.split(".");
  return part === undefined ? grouped(whole!) : `${grouped(whole!)}.${part}`;
}

export function superscript(value: number): string {
  return String(value).replace(/./g, (digit) => (digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]!));
}

export interface Quantity {
  value: string;
  unit: string;
}

function scaled(value: number, base: number, units: readonly string[], digits: number): Quantity {
  // Rounded first: 999 999 B is 1 MB and not 1 000 kB.
  const rounded = (power: number) => Math.abs(Number((value / base ** power).toPrecision(digits)));
  let power = 0;
  while (power + 1 < units.length && rounded(power) >= base) power += 1;
  return { value: significant(value / base ** power, digits), unit: units[power]! };
}

/** Powers of 1024, as memory has them, or of 1000, as links do. */
export type Units = "iec" | "si";

let asked: Units | undefined;

/** While it runs, all bytes are in these units; where none are asked for, each number is in those of its subject. */
export function inUnits<Result>(units: Units | undefined, run: () => Result): Result {
  const before = asked;
  asked = units;
  try {
    return run();
  } finally {
    asked = before;
  }
}

const decimalUnits = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
const binaryUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

const decimal = (value: number, digits: number) => scaled(value, 1000, decimalUnits, digits);
const binary = (value: number) => scaled(value, 1024, binaryUnits, 4);

/** Decimal units, unless others are asked for: 1 GB is 10^9 bytes. */
export function bytes(value: number, digits = 3): Quantity {
  return asked === "iec" ? binary(value) : decimal(value, digits);
}

/** Binary units, unless others are asked for: 1 GiB is 2^30 bytes. */
export function binaryBytes(value: number): Quantity {
  return asked === "si" ? decimal(value, 4) : binary(value);
}

/** A size in decimal units and in binary ones; what is asked for comes first. */
export function bothBytes(value: number, digits = 3): [Quantity, Quantity] {
  return asked === "iec" ? [binary(value), decimal(value, digits)] : [decimal(value, digits), binary(value)];
}

/** The bytes of one of these units. */
export function bytesOfUnit(unit: string): number {
  return binaryUnits.includes(unit) ? 1024 ** binaryUnits.indexOf(unit) : 1000 ** decimalUnits.indexOf(unit);
}

/** How the parts of a size are written, so that they compare with it: in its unit, unless they are far smaller. */
export function inUnitOf(size: number, binary: boolean): (value: number) => Quantity {
  const write = (value: number) => (binary ? binaryBytes(value) : bytes(value, 4));
  const { unit } = write(size);
  const one = bytesOfUnit(unit);
  return (value) => (value === 0 || value / one >= 0.01 ? { value: significant(value / one, 4), unit } : write(value));
}

/** Sizes beside each other in the unit of the smallest, where the largest can be read in it. */
export function alike(values: readonly number[]): string[] {
  const smallest = Math.min(...values);
  const legible = Math.max(...values) < 1e5 * bytesOfUnit(bytes(smallest, 4).unit);
  return values.map((value) => inText(legible ? inUnitOf(smallest, false)(value) : bytes(value, 4)));
}

export function seconds(value: number): Quantity {
  if (value === 0) return { value: "0", unit: "s" };
  const units: [number, string][] = [
    [1, "s"],
    [1e-3, "ms"],
    [1e-6, "µs"],
  ];
  const [size, unit] = units.find(([size]) => Math.abs(Number(value.toPrecision(3))) >= size) ?? [1e-9, "ns"];
  return { value: significant(value / size), unit };
}

export function percent(fraction: number): Quantity {
  return { value: significant(fraction * 100), unit: "%" };
}

/** A quantity in running text. */
export function inText({ value, unit }: Quantity): string {
  return `${value}\u00a0${unit}`;
}

/** "4", "4 and 3", "4, 3 and 2". */
export function list(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return say`${items.slice(0, -1).join(word(", "))} and ${items[items.length - 1]!}`;
}

/** Sentences after each other; an empty one is left out, as below. */
export function sentences(...all: readonly string[]): string {
  return joined(all, (before, one) => say`${before} ${one}`);
}

/** Phrases of one sentence. */
export function phrases(...all: readonly string[]): string {
  return joined(all, (before, one) => say`${before}, ${one}`);
}

/** Items of one sentence that may be phrases. */
export function items(...all: readonly string[]): string {
  return joined(all, (before, one) => say`${before}; ${one}`);
}

function joined(all: readonly string[], pair: (before: string, one: string) => string): string {
  const [first = "", ...rest] = all.filter((one) => one !== "");
  return rest.reduce(pair, first);
}

/** @param thing in the singular */
export function plural(number: number, thing: string): string {
  return counted(count(number), thing, `${thing}${number === 1 ? "" : "s"}`);
}
