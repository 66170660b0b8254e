/** What the pictures of the schedules show. */

import type { Executed } from "../pipeline-state.js";

/** What a schedule shows where it is not that of the widget as it first stands. */
export const claims: Partial<Record<Executed["schedule"], { claim: string; tryNext: string }>> = {
  interleaved: {
    claim: "With V chunks a stage the bubble is V times smaller, and there are about V times as many messages.",
    tryNext: "Put 1F1B below it; then take 4 chunks, and look at what is in flight.",
  },
  "looped-bfs": {
    claim: "Breadth-first has interleaved 1F1B's bubble, and keeps all activations as GPipe does.",
    tryNext: "Put interleaved 1F1B below it.",
  },
  "zb-h1": {
    claim: "Nobody waits for a weight gradient: put where a stage would be idle, it takes two thirds of the bubble away if F, I and W take equally long.",
    tryNext: "Put 1F1B below it, then ZB-H2: what does the rest of the bubble cost?",
  },
  "zb-h2": {
    claim: "With 2P − 1 micro-batches and equal times no stage is idle between its first operation and its last: the picture is a parallelogram, and holds twice the activations.",
    tryNext: "Take 7 micro-batches, and then more: what is still idle, and where?",
  },
  "zb-1p": {
    claim: "In the memory of 1F1B, an order that was searched for these times gains little or nothing on ZB-H1.",
    tryNext: "Let the weight gradient take 0.5: what did a fixed order leave?",
  },
  "zb-2p": {
    claim: "With twice the memory of 1F1B, and enough micro-batches, an order that was searched for these times leaves next to no bubble.",
    tryNext: "Take 16 micro-batches, then lower the memory limit.",
  },
  "zb-v": {
    claim: "Down and up again: the first stage has the last part too. With 2P − 1 micro-batches and equal times no stage waits in between, in the memory of 1F1B.",
    tryNext: "Take 8 micro-batches and put ZB-H2 below it: what does each hold?",
  },
  dualpipe: {
    claim: "Micro-batches enter from both ends of two copies of the model; a forward and a backward share a stage's time.",
    tryNext: "Take 16 micro-batches, and let overlapped pairs take less than their sum.",
  },
  own: {
    claim: "Any lists will do, as long as no two devices wait for each other.",
    tryNext: "Swap two cells of a line: a deadlock is told with the operations that wait.",
  },
  "dualpipe-v": {
    claim: "DualPipe cut in half: the same overlap with one copy of the model, in a V.",
    tryNext: "Put DualPipe below it.",
  },
};
