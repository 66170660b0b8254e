import type { Question } from "../routine.js";

export const question: Question = {
  text: "GPipe runs all forwards, then all backwards; 1F1B takes turns as soon as it can. What does 1F1B save?",
  answers: [
    {
      label: "Time",
      because:
        "That takes the order of the work for the work: both fill and drain the same pipeline, and with equal stages they end at the same moment.",
    },
    {
      label: "Memory",
      right: true,
      because:
        "A backward frees its activations, so that stage 0 holds as many as there are stages, not as there are micro-batches.",
    },
    {
      label: "Time and memory",
      because: "Half of it. That a backward comes earlier on a stage does not make the last one come earlier: the bubble is the same.",
    },
    {
      label: "Messages",
      because: "That takes fewer activations held for fewer sent: every micro-batch still crosses every border twice.",
    },
  ],
};
