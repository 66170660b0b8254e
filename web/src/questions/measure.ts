import type { Question } from "../routine.js";

export const question: Question = {
  text: "Two ranks of a real training step, a recommendation model on eight V100s. How much of the time that they communicate does compute hide?",
  figureTells: true,
  answers: [
    {
      label: "Nearly all of it",
      because: "That takes what can be overlapped for what is. This model's all-to-all hands over what the next layer computes on: there is nothing to compute meanwhile.",
    },
    { label: "About half", because: "That would be a good step. Here the kernels that compute are short, and there are far fewer of them than the communication would need." },
    {
      label: "Next to nothing",
      right: true,
      because: "Three percent. The compute of the whole step is a fraction of the communication; and a third of that is waiting for a rank that came later.",
    },
  ],
};
