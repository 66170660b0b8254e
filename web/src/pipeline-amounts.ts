/** What stages hold of activations: counted in chunks, or in bytes where those of a chunk are known. */

import { binaryBytes, bytes, bytesOfUnit, count, inText, significant } from "./format.js";
import { InputError, type Inputs } from "./parameter.js";
import type { PipelineState } from "./pipeline-state.js";

export interface ActivationBytes {
  /** of one forward of one chunk of the chosen schedule */
  ofChunk: number;
  /** whether they are said in binary units: wherever they were not typed in decimal ones */
  binary: boolean;
}

const largest = 2 ** 53;

/** Nothing where they are left empty or 0: then chunks are counted. */
export function activationBytes(inputs: Inputs): ActivationBytes | undefined {
  const ofChunk = inputs.optional("activationBytes");
  const text = inputs.text("activationBytes");
  if (ofChunk === undefined || ofChunk === 0) return undefined;
  if (!(typeof ofChunk === "number" && ofChunk > 0 && ofChunk <= largest)) {
    throw new InputError("activationBytes", text, "be a number of bytes from 0 to 2^53");
  }
  return { ofChunk, binary: !/[a-z]\s*$/i.test(text) || /iB\s*$/.test(text) };
}

/** How amounts beside each other are written: all in one unit, or none where they are chunks. */
export interface Amounts {
  /** of bytes, which are held; chunks have none, and are in flight */
  unit?: string;
  write(amount: number): string;
}

export function amountsOf({ executed, activations }: PipelineState): Amounts {
  if (activations === undefined) return { write: count };
  const peaks = executed.map(({ found, chunkSize }) => chunkSize * Math.max(...Array.from(found.peakInFlight)));
  const { unit } = (activations.binary ? binaryBytes : bytes)(Math.max(...peaks));
  const one = bytesOfUnit(unit);
  return { unit, write: (amount) => significant(amount / one) };
}

/** An amount with its unit, if it has one. */
export function withUnit({ write, unit }: Amounts, amount: number): string {
  return unit === undefined ? write(amount) : inText({ value: write(amount), unit });
}
