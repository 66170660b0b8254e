import { inWords, ShardlabError, wrongKind } from "./error.js";
import type { NumberArray, TypedNumbers } from "./types.js";

/** A matrix as C++ takes it: typed arrays that fill it one after the other. */
export interface MatrixParts {
  readonly rows: number;
  readonly columns: number;
  readonly parts: readonly TypedNumbers[];
}

/** Checks the kind and the shape of a matrix, which is a list of rows, without copying typed arrays. */
export function matrixParts(parameter: string, rows: unknown): MatrixParts {
  if (!Array.isArray(rows)) {
    throw wrongKind(parameter, rows, "be a list of rows of numbers");
  }
  if (rows.length === 0) {
    throw wrongKind(parameter, rows, "have at least one row");
  }
  const columns = numbersIn(parameter, rows[0], "row 0").length;
  const parts: TypedNumbers[] = [];
  for (let index = 0; index < rows.length; ++index) {
    const row = numbersIn(parameter, rows[index], `row ${index}`);
    if (row.length !== columns) {
      throw new ShardlabError(
        parameter,
        `ragged (row ${index} has ${row.length} elements)`,
        `have rows of one length; row 0 has ${columns}`,
      );
    }
    parts.push(asTyped(parameter, row, `row ${index}`));
  }
  return { rows: rows.length, columns, parts };
}

/** Checks a list of numbers, which C++ takes as a matrix of one row. */
export function listParts(parameter: string, values: unknown): MatrixParts {
  if (!Array.isArray(values) && !isTyped(values)) {
    throw wrongKind(parameter, values, "be a list of numbers");
  }
  return { rows: 1, columns: values.length, parts: [asTyped(parameter, values, "row 0")] };
}

function numbersIn(parameter: string, value: unknown, place: string): NumberArray {
  if (!Array.isArray(value) && !isTyped(value)) {
    throw new ShardlabError(parameter, inWords(value), `be a list of rows of numbers; ${place} is not one`);
  }
  return value;
}

/** A typed array as it is, a copy of any other; a hole or a text in an array would become a number unnoticed. */
function asTyped(parameter: string, values: NumberArray, place: string): TypedNumbers {
  if (isTyped(values)) {
    if (isDetached(values)) {
      throw new ShardlabError(parameter, "handed to another thread", `be a list of rows of numbers; ${place} is gone`);
    }
    return values;
  }
  for (let index = 0; index < values.length; ++index) {
    if (typeof values[index] !== "number") {
      throw new ShardlabError(
        parameter,
        inWords(values[index]),
        `be a number in every element; ${place}, element ${index} is not`,
      );
    }
  }
  return new Float64Array(values);
}

const tagOfTypedArray = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
)?.get;

/** True for typed arrays of numbers of any window or frame; those of BigInt hold no numbers. */
function isTyped(value: unknown): value is TypedNumbers {
  const tag: unknown = tagOfTypedArray?.call(value);
  return typeof tag === "string" && !tag.startsWith("Big");
}

/** What was transferred to a worker reads as if it were empty. */
function isDetached(values: TypedNumbers): boolean {
  if (values.length > 0) {
    return false;
  }
  try {
    new Uint8Array(values.buffer);
    return false;
  } catch {
    return true;
  }
}

/** A matrix as C++ gives it. */
interface Block {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float64Array;
}

function isBlock(value: object): value is Block {
  return "data" in value && value.data instanceof Float64Array;
}

/** A result with rows in place of every block of C++'s. */
export function inRows(result: unknown): unknown {
  if (typeof result !== "object" || result === null || ArrayBuffer.isView(result)) {
    return result;
  }
  if (isBlock(result)) {
    const { rows, columns, data } = result;
    return Array.from({ length: rows }, (_, row) => data.subarray(row * columns, (row + 1) * columns));
  }
  if (Array.isArray(result)) {
    return result.map(inRows);
  }
  return Object.fromEntries(Object.entries(result).map(([key, value]) => [key, inRows(value)]));
}
