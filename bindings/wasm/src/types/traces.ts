// Traces of torch.profiler.

import type { AllReduceFit } from "./collectives.js";

/** A trace: a file of a disk or its bytes, as text or packed by gzip. */
export type TraceFile = Blob | ReadableStream<Uint8Array> | ArrayBuffer | Uint8Array | string;

/** How far the reading is. */
export interface TraceProgress {
  /** the file that is being read, from 0 on, and how many there are */
  file: number;
  files: number;
  /** of it, as it is stored */
  bytesRead: number;
  /** its size; null of a stream */
  bytes: number | null;
}

export interface MeasureTracesOptions {
  /** one for each rank; one by itself need not stand in a list */
  files: TraceFile | readonly TraceFile[];
  /** stops the reading */
  signal?: AbortSignal;
  /** called after each piece */
  onProgress?: (progress: TraceProgress) => void;
}

export type CommunicationKind =
  | "all_reduce"
  | "reduce_scatter"
  | "all_gather"
  | "all_to_all"
  | "broadcast"
  | "reduce"
  | "send_receive"
  | "barrier"
  | "other";

/** One communication of one rank. */
export interface MeasuredCollective {
  kind: CommunicationKind;
  /** after the first activity of its trace */
  startSeconds: number;
  /** waiting for the other ranks is in it */
  seconds: number;
  elements: number | null;
  /** of the tensor as nccl-tests counts it; null where nothing tells it */
  bytes: number | null;
  ranks: number | null;
  /** bytes per second on the bus, where bytes and ranks are known */
  busBandwidth: number | null;
  /** of its time, while the same device computed */
  overlappedSeconds: number;
}

/** All communications of a kind. */
export interface MeasuredKind {
  kind: CommunicationKind;
  count: number;
  seconds: number;
  /** of those whose size is known, and how many have none */
  bytes: number;
  withoutBytes: number;
  overlappedSeconds: number;
  /** of those that have one, by the time they took */
  busBandwidth: number | null;
}

/** Events that one thing was said of. */
export interface CountedEvents {
  reason: string;
  events: number;
}

/**
 * What a trace holds. Times of equal kind on several streams of a device count once, and
 * span = compute + exposed + other + idle; of several devices the times are summed.
 */
export interface MeasuredTrace {
  /** as the trace tells them */
  rank: number | null;
  worldSize: number | null;
  backend: string | null;
  /** that did something; 0 where the host computed, as under Gloo */
  devices: number;
  events: number;
  eventsUsed: number;
  ncclKernels: number;
  ncclSeconds: number;
  spanSeconds: number;
  computeSeconds: number;
  communicationSeconds: number;
  /** communication and compute at once, and its share of the communication */
  overlapSeconds: number;
  overlapFraction: number;
  /** communication and no compute */
  exposedSeconds: number;
  /** nothing but copies and fills of memory */
  otherSeconds: number;
  idleSeconds: number;
  collectives: MeasuredCollective[];
  kinds: MeasuredKind[];
  /** why events do not count, the most frequent first */
  ignored: CountedEvents[];
  /** what was done to events that count */
  amended: CountedEvents[];
  /** where the text ended before its JSON did, or broke its rules */
  brokenAtByte: number | null;
}

/** A fit of the all-reduces over most usual ranks, each size with its shortest time. */
export interface MeasuredFit extends AllReduceFit {
  ranks: number;
}

export interface MeasureTracesResult {
  /** in the order of the files */
  traces: MeasuredTrace[];
  /** the sums of all */
  together: MeasuredTrace;
  /** what the ranks had with each other, each with the shortest of its times; null of one trace */
  matched: { collectives: MeasuredCollective[]; waitedSeconds: number; unmatched: number } | null;
  /** null with fewer than 3 sizes, or more than 128 */
  fit: MeasuredFit | null;
}
