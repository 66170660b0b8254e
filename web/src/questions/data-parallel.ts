import type { Question } from "../routine.js";

export const question: Question = {
  text: "Four gradients: 4, 8, 12 and 16. Rank 3 is lost, and what comes back is still divided by four. What do the others apply?",
  answers: [
    { label: "10", because: "That would be the mean of all four: but the 16 is missing from the sum." },
    {
      label: "8",
      because: "That is the sum of 24 divided by three. Nobody has told the ranks that they are fewer; and it is not the mean either, since the data of rank 3 are gone.",
    },
    {
      label: "6",
      right: true,
      because: "The sum is 24, and 24 / 4 = 6: too small, and nothing says so. Real NCCL does not skip a rank; it waits for it, until the framework gives up.",
    },
    { label: "24", because: "An all-reduce does sum; the division is a step of its own, and it follows." },
  ],
};
