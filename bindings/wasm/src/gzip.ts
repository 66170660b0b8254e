/** What gzip has packed, unpacked by the platform. */

import { inWords, ShardlabError } from "./error.js";
import { inPiecesOf, piecesOfStream, prepended, type Pieces } from "./pieces.js";

/** Where a file breaks off, what would have come of the piece in which it does is all that is lost. */
const pieceSize = 2 ** 12;

/** The pieces, or what gzip has packed into them. @param name of the file, in errors */
export async function* unpacked(pieces: Pieces, name: string): Pieces {
  const first = await pieces.next();
  if (first.done) return;
  const rest = prepended(first.value, pieces);
  const isPacked = first.value[0] === 0x1f && first.value[1] === 0x8b;
  yield* isPacked ? inflated(rest, name) : rest;
}

/** Whether a member may begin there: gzip's two bytes, and deflate. Source: RFC 1952, section 2.3.1. */
function begins(bytes: Uint8Array, at = 0): boolean {
  return bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 8;
}

/**
 * One member after the other, though most files have one alone. Of a file that was cut off what there is, which ends as a
 * text that was cut off does; what follows the last member and is none is left out, as gzip itself does.
 */
async function* inflated(pieces: Pieces, name: string): Pieces {
  const parts = inPiecesOf(pieceSize, cutAtMembers(pieces));
  let some = false;
  try {
    const { value } = await parts.next();
    for (let first: Uint8Array | undefined = value; first !== undefined; ) {
      const member = new Member(prepended(first, parts));
      for await (const piece of member.unpacked()) {
        some = true;
        yield piece;
      }
      const { rest, trouble } = member;
      if (!some && trouble !== undefined) {
        throw new ShardlabError("files", `${name}${inWords(String(trouble))}`, "be gzip that can be unpacked, or no gzip");
      }
      first = rest !== undefined && rest !== first && begins(rest) ? rest : undefined;
    }
  } finally {
    await parts.return(undefined);
  }
}

/** The stream of the platform takes one member and fails at what follows, which is then a piece of its own. */
class Member {
  /** the piece that it did not take */
  rest: Uint8Array | undefined;
  /** why it did not unpack */
  trouble: unknown;
  private unreadable: { error: unknown } | undefined;
  private readonly stream = new DecompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>;

  constructor(private readonly pieces: Pieces) {}

  async *unpacked(): Pieces {
    const written = this.write(this.stream.writable.getWriter());
    try {
      yield* piecesOfStream(this.stream.readable);
    } catch (error) {
      this.trouble = error;
    }
    // Where nobody reads any more, what is waited for may never come.
    if (this.trouble !== undefined) await written;
    if (this.unreadable !== undefined) throw this.unreadable.error;
  }

  private async write(writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
    try {
      for (let next = await this.pieces.next(); !next.done; next = await this.pieces.next()) {
        const { value } = next;
        const isTaken = await writer.write(value).then(() => true, () => false);
        if (isTaken) continue;
        this.rest = value;
        return;
      }
    } catch (error) {
      this.unreadable = { error };
      await writer.abort(error).catch(() => undefined);
      return;
    }
    await writer.close().catch(() => undefined);
  }
}

/** The same bytes, with a cut before whatever looks like the beginning of a member. */
async function* cutAtMembers(pieces: Pieces): Pieces {
  const signLength = 3;
  let held: Uint8Array = new Uint8Array();
  for await (const piece of pieces) {
    const bytes = new Uint8Array(held.length + piece.length);
    bytes.set(held);
    bytes.set(piece, held.length);
    const end = Math.max(0, bytes.length - signLength + 1);
    let from = 0;
    for (let at = bytes.indexOf(0x1f, 1); at > 0 && at < end; at = bytes.indexOf(0x1f, at + 1)) {
      if (!begins(bytes, at)) continue;
      yield bytes.subarray(from, at);
      from = at;
    }
    if (end > from) yield bytes.subarray(from, end);
    held = bytes.subarray(end);
  }
  if (held.length > 0) yield held;
}
