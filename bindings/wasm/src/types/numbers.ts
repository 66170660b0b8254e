// Numbers as they come in and go out.

/** Numbers in a typed array. */
export type TypedNumbers =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray;

/** Numbers in an array or a typed array. */
export type NumberArray = readonly number[] | TypedNumbers;

/** Rows of equal length, one a rank. */
export type Rows = readonly NumberArray[];

/** Rows of equal length as the routines give them: views of one typed array that holds them one after the other. */
export type Matrix = Float64Array[];

export type DType = "float64" | "float32";

/** Options of a routine that has none. */
export type NoOptions = Readonly<Record<string, never>>;

export interface ParseCsvOptions {
  text: string;
}

export interface RandomMatrixOptions {
  rows: number;
  columns: number;
  /** a whole number from 0 to 2^53; 0 when left out */
  seed?: number;
}
