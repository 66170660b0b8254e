import type { Question } from "../routine.js";

export const question: Question = {
  text: "4 stages and 8 micro-batches are idle 27.3 % of the time. What of 8 stages, with the same micro-batches?",
  figureTells: true,
  answers: [
    {
      label: "13.6 %",
      because:
        "That takes more stages for less waiting. The work does get done faster, but each stage waits longer for its first and after its last micro-batch.",
    },
    {
      label: "27.3 %",
      because: "That takes the bubble for a matter of micro-batches alone: filling and draining take P − 1 slots.",
    },
    {
      label: "46.7 %",
      right: true,
      because: "7 / (8 + 7): only more micro-batches make it smaller.",
    },
    {
      label: "54.5 %",
      because: "That takes the share for the slots: they do more than double, from 3 to 7, but the total time has grown too.",
    },
  ],
};
