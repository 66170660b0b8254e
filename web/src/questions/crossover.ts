import type { Question } from "../routine.js";

export const question: Question = {
  text: "With 8 ranks, ring and binomial tree take the same time at about half a megabyte. And with 64 ranks?",
  answers: [
    {
      label: "At a smaller size",
      because: "That takes a ring for better the more ranks there are. Its bytes hardly grow, but its steps do, and each has a latency.",
    },
    { label: "At the same size", because: "That takes it for a property of the links. The steps of a ring are 2 (N − 1), those of a tree only 2 log₂ N." },
    {
      label: "At a larger size",
      right: true,
      because: "A ring of 64 takes 126 steps and a tree 12: the tensor must be larger before the ring's fewer bytes make up for that. 2.84 MB on these links.",
    },
    { label: "At none", because: "Above some size bytes are all that counts, and the tree's root sends the whole tensor six times: there the ring always wins." },
  ],
};
