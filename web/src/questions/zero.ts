import type { Question } from "../routine.js";

export const question: Question = {
  text: "Which is the first stage that sends more than plain data parallelism does?",
  figureTells: true,
  answers: [
    {
      label: "Stage 1",
      because:
        "That counts the all-gather of weights as something new: with the reduce-scatter before it, it is what an all-reduce is made of.",
    },
    {
      label: "Stage 2",
      because:
        "That takes holding less for sending more: it only keeps less of what the reduce-scatter brings, and the bytes are those of an all-reduce.",
    },
    {
      label: "Stage 3",
      right: true,
      because:
        "Weights are gathered for the forward and again for the backward: 3 instead of 2 times the model, 1.5× the traffic.",
    },
    {
      label: "None",
      because: "That takes the saving for free: what stage 3 does not hold must be fetched, layer by layer, twice.",
    },
  ],
};
