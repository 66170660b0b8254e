import type { Question } from "../routine.js";

export const question: Question = {
  text: "W is split by rows instead, so that each rank has an output of full size. What makes y of them?",
  answers: [
    {
      label: "An all-gather that joins them",
      because: "Joining is for pieces, as the split by columns gives. These are sums that miss the other ranks' terms.",
    },
    {
      label: "Nothing, each is y",
      because: "Each rank has seen only its own columns of W and rows of x: its output is of the right size and wrong.",
    },
    {
      label: "An all-reduce that adds them",
      right: true,
      because: "Each rank's output is a partial sum over its own part of the inner index.",
    },
  ],
};
