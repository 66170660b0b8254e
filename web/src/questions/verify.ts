import type { Question } from "../routine.js";

export const question: Question = {
  text: "Where this lab gets another number than is printed, what has led to the printed one, as a rule?",
  answers: [
    {
      label: "Rounding in the lab",
      because:
        "The lab rounds in the sixteenth digit. What is printed has two to four of them, and half a unit of the last one is allowed for.",
    },
    {
      label: "Something that the source left out",
      right: true,
      because:
        "A dependency that its simulator skips, a row that is rounded before it is multiplied, a formula that is drawn beyond where it holds.",
    },
    {
      label: "A measurement",
      because: "Measured times are not computed again: they are taken as they are printed, and bandwidths are computed from them.",
    },
  ],
};
