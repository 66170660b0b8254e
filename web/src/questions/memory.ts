import type { Question } from "../routine.js";

export const question: Question = {
  text: "Llama 3 70B is cut into 4 pipeline stages of 20 layers, under 1F1B. Whose ranks hold most?",
  figureTells: true,
  answers: [
    {
      label: "The first stage's",
      right: true,
      because: "It waits longest for its first backward, and keeps the activations of 4 micro-batches until then.",
    },
    {
      label: "The last stage's",
      because: "It has the output head and the logits, but runs each backward at once: one micro-batch in flight.",
    },
    {
      label: "All the same",
      because: "That counts weights alone: with equal layers, activations in flight still differ from stage to stage.",
    },
  ],
};
