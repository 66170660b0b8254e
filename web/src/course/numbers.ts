/** Numbers as students write them, and whether they are the right ones. */

import { InputError, type Inputs } from "../parameter.js";
import { typed } from "../units.js";
import type { NumberAsked } from "./criterion.js";

/** The number in an answer, or nothing. */
export function answered(text: string, { quantity, share }: Pick<NumberAsked, "quantity" | "share">): number | undefined {
  const plain = text
    .trim()
    .replace(/^[−–]/, "-")
    .replace(/(\d)[\s,\u202f](?=\d{3}(?!\d))/g, "$1");
  if (plain === "") return undefined;
  if (share === true) return shareOf(plain);
  if (quantity !== undefined) return typed(plain, quantity)?.value;
  return finite(Number(plain));
}

function shareOf(text: string): number | undefined {
  const [, above, below] = /^([\d.]+)\s*\/\s*([\d.]+)$/.exec(text) ?? [];
  if (below !== undefined) return finite(Number(above) / Number(below));
  const [, hundredths] = /^([\d.]+)\s*%$/.exec(text) ?? [];
  return finite(hundredths === undefined ? Number(text) : Number(hundredths) / 100);
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** @param within part of the right value, for those that are rounded */
export function isNear(value: number, right: number, within: number): boolean {
  return Math.abs(value - right) <= within * Math.abs(right);
}

/** A whole number of the student's own choice, in the bounds in which the question has an answer worth asking for. */
export function wholeOf(own: Inputs, name: string, least: number, most: number): number {
  const value = own.number(name);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new InputError(name, own.text(name), `be a whole number from ${least} to ${most}`);
}
