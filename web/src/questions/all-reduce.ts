import type { Question } from "../routine.js";

export const question: Question = {
  text: "Of 16 ranks, each with a tensor of its own: how much does one rank send until all have the sum?",
  answers: [
    {
      label: "16× its tensor",
      because: "That is what N ranks would send if each handed its whole tensor to all the others. A chunk is summed on its way instead.",
    },
    {
      label: "1× its tensor",
      because: "That is the way of one phase only: once the sums are collected, they still have to be handed round.",
    },
    {
      label: "1.875× its tensor",
      right: true,
      because: "15 steps to collect and 15 to hand round, each with one sixteenth of the tensor: 30/16.",
    },
    {
      label: "1/16 of its tensor",
      because: "That is one step; there are 30.",
    },
  ],
};
