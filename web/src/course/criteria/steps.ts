/** Why a ring takes 2 (N − 1) steps. */

import { allReduce } from "../../routines/all-reduce.js";
import type { Criterion } from "../criterion.js";
import { wholeOf } from "../numbers.js";

export const steps: Criterion = {
  id: "steps",
  title: "How many steps does a ring take, and why?",
  routine: allReduce,
  parts: [
    { kind: "own", id: "ranks", label: "Ranks N", ask: "Choose a number of ranks N, from 3 to 64." },
    {
      kind: "number",
      id: "first",
      label: "First whole sum",
      ask: "After how many steps does each of your ranks hold the whole sum of one chunk?",
      within: 0,
      look: "Follow one chunk in the widget, and count its hops until every digit is in it.",
    },
    {
      kind: "number",
      id: "steps",
      label: "All sums",
      ask: "And after how many steps does every rank hold every sum?",
      within: 0,
      look: "Play the widget to its end, with a few ranks first.",
    },
    {
      kind: "order",
      id: "way",
      label: "A chunk's way",
      ask: "Put the way of one chunk in order.",
      begins: ["copy", "add", "all", "own", "whole"],
      statements: [
        {
          id: "own",
          text: "Every rank has its own numbers in the chunk, and nobody else's.",
          short: "own numbers",
          because: "that is how it begins, before anything is sent.",
        },
        {
          id: "add",
          text: "A rank sends the chunk on, and the next one adds its own numbers to what arrives.",
          short: "add and pass on",
          because: "adding is the first thing that happens, and it goes on from hop to hop until all are in the sum.",
        },
        {
          id: "whole",
          text: "N − 1 hops after the start, one rank holds the sum of all N.",
          short: "one holds the sum",
          because: "the sum is whole only when N − 1 hops have each added a rank, and it can be handed round only then.",
        },
        {
          id: "copy",
          text: "It sends the finished chunk on, and the next one copies it over its own.",
          short: "copy and pass on",
          because: "until a sum is whole there is nothing to copy: the copy would wipe out what it is written over.",
        },
        {
          id: "all",
          text: "N − 1 hops later, every rank holds that sum.",
          short: "all hold the sum",
          because: "that is the end: nobody holds the sum before a copy has come by.",
        },
      ],
    },
    {
      kind: "choice",
      id: "why",
      label: "Why",
      ask: "Why are the steps twice N − 1?",
      statements: [
        {
          id: "pairs",
          text: "Every rank sends once to each of the N − 1 others, and gets an answer from each.",
          short: "to each other rank and back",
          because: "That is an exchange of all with all. In a ring a rank only ever sends to the one next to it.",
        },
        {
          id: "links",
          text: "There are N − 1 links, and each is used once in either direction.",
          short: "each link both ways",
          because: "A ring closes: it has N links. Each is used in every step, and in one direction alone.",
        },
        {
          id: "phases",
          text: "A chunk needs N − 1 hops to collect all ranks' numbers, and N − 1 more to bring the sum to those who lack it.",
          short: "collect, then hand round",
          right: true,
          because: "The last rank of the first round has the sum already, so that neither round takes N hops.",
        },
        {
          id: "twice",
          text: "The tensor is cut into N − 1 chunks, and each is sent twice.",
          short: "N − 1 chunks, twice",
          because: "It is cut into N chunks, one for each rank, so that no link is idle in any step.",
        },
      ],
    },
    {
      kind: "task",
      id: "shown",
      label: "In the widget",
      ask: "Show it: a ring of your N ranks without a fault, at the step at which each rank holds the whole sum of one chunk.",
    },
  ],

  async expect(lab, own) {
    const ranks = wholeOf(own, "ranks", 3, 64);
    const { steps } = await lab.allReduceCost({ ranks, bytes: 0 });
    const once = steps / 2;
    const tree = await lab.allReduceCost({ ranks, bytes: 0, algorithm: "tree" });
    return {
      first: {
        right: once,
        because: `${ranks} − 1 = ${once}: each hop adds one rank, and the first was in it from the start.`,
        slips: [
          { value: ranks, because: "A chunk sets out with its first rank's numbers in it: only the others are to be added." },
          { value: 1, because: "One step adds the numbers of one rank alone." },
          { value: steps, because: "That is when every rank has it. When has the first one?" },
        ],
      },
      steps: {
        right: steps,
        because: `2 · (${ranks} − 1) = ${steps}.`,
        slips: [
          { value: once, because: "Then each rank has the sum of one chunk. The others have not been handed to it yet." },
          { value: 2 * ranks, because: "A finished chunk need not come back to where it was finished: neither round takes N hops." },
          { value: ranks, because: "That is one round, with a hop too many. There are two: to collect, and to hand round." },
          { value: tree.steps, because: "That is a tree's number, whose ranks meet in pairs. A ring passes on to the neighbour." },
        ],
      },
    };
  },

  async check(_, setting, own) {
    const ranks = own.number("ranks");
    const shown = setting.text("source") === "powers" ? setting.number("ranks") : undefined;
    if (setting.text("algorithm") !== "ring") return "It shows another algorithm than the ring.";
    if (setting.text("fault") !== "none") return "It shows a ring with a fault.";
    if (shown !== ranks) return `It is to be a ring of your ${ranks} ranks.`;
    const step = setting.number("step");
    if (step === ranks - 1) return undefined;
    return step < ranks - 1 ? "At that step every chunk still lacks a rank." : "By then some rank holds more than one sum.";
  },
};
