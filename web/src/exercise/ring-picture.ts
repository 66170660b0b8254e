/** A ring that went wrong, beside the right one: what every rank holds at the end. */

import type { CollectiveState } from "../collective-state.js";
import { significant } from "../format.js";
import { say, word } from "../words.js";
import type { Holdings } from "../figures/chunks.js";
import type { Figure } from "../figures/markup.js";
import { twoHoldings, type Side } from "../figures/two-holdings.js";
import type { Call } from "./run.js";

type Buffers = readonly (readonly number[])[];

/** More ranks have no room for their numbers. */
const mostRanks = 8;

/** Nothing where the answer has another shape, where no sum is wrong, or where there is no room. */
export function ringPicture({ options, answer, right }: Call, width: number): Figure | undefined {
  const inputs = options.buffers as Buffers;
  const got = (answer as { buffers: Buffers } | undefined)?.buffers;
  const must = (right as { buffers: Buffers }).buffers;
  if (got === undefined || inputs.length > mostRanks || !isAlike(got, must)) return undefined;
  const ring = new Ring(inputs, got, must);
  const wrong = ring.wrongCells();
  if (wrong.length === 0) return undefined;
  const [first] = wrong;
  const [holds, holdsRight] = [got, must].map((buffers) => ring.text(buffers, first!.rank, first!.chunk));
  const summary = say`Rank ${first!.rank} holds ${holds!} in chunk ${first!.chunk}, and must hold ${holdsRight!}. ${wrong.length} of ${inputs.length ** 2} chunks are wrong.`;
  return twoHoldings([ring.side(word("your ring"), got), ring.side(word("the right one"), must)], width, summary);
}

function isAlike(one: Buffers, other: Buffers): boolean {
  return one.length === other.length && one.every((tensor, rank) => tensor.length === other[rank]!.length);
}

class Ring {
  private readonly ranks: number;
  private readonly elements: number;
  /** the inputs are 10^r on rank r, so that the digits of a sum tell who is in it */
  private readonly areDigits: boolean;

  constructor(
    inputs: Buffers,
    private readonly got: Buffers,
    private readonly must: Buffers,
  ) {
    this.ranks = inputs.length;
    this.elements = inputs[0]!.length;
    this.areDigits = inputs.every((tensor, rank) => tensor.every((value) => value === 10 ** rank));
  }

  side(heading: string, buffers: Buffers): Side {
    const isWrong = (rank: number, chunk: number) => buffers === this.got && this.wrongElement(rank, chunk) !== undefined;
    const chunks = [...Array(this.ranks).keys()];
    const holdings: Holdings = {
      ranks: this.ranks,
      chunks: this.ranks,
      isRing: true,
      state: this.state(buffers),
      differs: (rank) => chunks.some((chunk) => isWrong(rank, chunk)),
      label: (rank, chunk) => this.text(buffers, rank, chunk),
    };
    return { heading, holdings, isWrong };
  }

  wrongCells(): { rank: number; chunk: number }[] {
    const all = [...Array(this.ranks).keys()];
    return all.flatMap((rank) => all.filter((chunk) => this.wrongElement(rank, chunk) !== undefined).map((chunk) => ({ rank, chunk })));
  }

  /** Of a chunk, what is wrong in it, or else its first element; empty where it has none. */
  text(buffers: Buffers, rank: number, chunk: number): string {
    const [first, end] = this.chunk(chunk);
    if (first === end) return "";
    const value = buffers[rank]![this.wrongElement(rank, chunk) ?? first]!;
    if (!Number.isFinite(value)) return String(value);
    return this.areDigits && Number.isInteger(value) ? String(value).padStart(this.ranks, "0") : significant(value, 6);
  }

  private state(buffers: Buffers): CollectiveState {
    return {
      holds: (rank, chunk) => this.contributions(buffers, rank, chunk),
      sendings: [],
      arrivedFrom: () => undefined,
      gaveAway: () => false,
    };
  }

  private contributions(buffers: Buffers, rank: number, chunk: number): number[] {
    const all = [...Array(this.ranks).keys()];
    const value = buffers[rank]![this.wrongElement(rank, chunk) ?? this.chunk(chunk)[0]]!;
    if (!this.areDigits) return this.wrongElement(rank, chunk) === undefined || buffers === this.must ? all : [];
    return all.filter((one) => Math.floor(value / 10 ** one) % 10 > 0);
  }

  /** The first element and the one after the last. */
  private chunk(index: number): [number, number] {
    const [count, longer] = [Math.floor(this.elements / this.ranks), this.elements % this.ranks];
    const first = index * count + Math.min(index, longer);
    return [first, first + count + (index < longer ? 1 : 0)];
  }

  private wrongElement(rank: number, chunk: number): number | undefined {
    const [first, end] = this.chunk(chunk);
    for (let element = first; element < end; element += 1) {
      if (!Object.is(this.got[rank]![element], this.must[rank]![element])) return element;
    }
    return undefined;
  }
}
