/** Matrices on their way to and from the core. */

import type { AsyncLab, Matrix } from "shardlab";
import { exact } from "./format.js";
import { InputError } from "./parameter.js";

/** Most numbers that one call of the page works on; the command line takes more. */
export const mostNumbers = 2 ** 20;

/** The length of a matrix's rows; 0 where it has none. */
export function columnsOf(matrix: Matrix): number {
  return matrix[0]?.length ?? 0;
}

/** Refuses what would take minutes or the whole memory of a tab. */
export function requireDrawable(parameter: string, value: number, numbers: number): void {
  if (numbers > mostNumbers) {
    throw new InputError(parameter, exact(value), `stay within ${exact(mostNumbers)} numbers in all on this page`);
  }
}

/** Pasted text as a matrix. */
export async function matrixFromText(lab: AsyncLab, parameter: string, text: string): Promise<Matrix> {
  requireDrawable(parameter, text.length, text.length / 2);
  return lab.parseCsv({ text });
}

/** Makes a call whose arguments have other names than the controls: its errors then name the control. */
export async function naming<Result>(
  names: Readonly<Record<string, string>>,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const { parameter, value, rule } = error as Partial<InputError>;
    const name = parameter === undefined ? undefined : names[parameter];
    if (name === undefined) throw error;
    throw new InputError(name, String(value), String(rule).replace(/\w+/g, (word) => names[word] ?? word));
  }
}
