/** Bytes that come piece by piece. */

import { wrongKind } from "./error.js";

export type Pieces = AsyncGenerator<Uint8Array>;

/** Of any window or frame. */
export function isBytes(file: unknown): file is ArrayBuffer | Uint8Array {
  return file instanceof Uint8Array || Object.prototype.toString.call(file) === "[object ArrayBuffer]";
}

/** Whoever stops early cancels the stream. */
export async function* piecesOfStream(stream: ReadableStream<Uint8Array>): Pieces {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        ended = true;
        return;
      }
      if (!isBytes(value)) throw wrongKind("files", value, "be streams of bytes");
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

export async function* prepended(first: Uint8Array, rest: Pieces): Pieces {
  yield first;
  yield* rest;
}

export async function* inPiecesOf(size: number, pieces: Pieces): Pieces {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += size) yield piece.subarray(at, at + size);
  }
}
