import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "A ring of four ranks, before its first step", texts: {} },
  { name: "sixteen-ranks", label: "Sixteen ranks at the end: less than twice the tensor each", texts: { ranks: "16", step: "30" } },
  { name: "follow-a-chunk", label: "One chunk on its way round: three hops to be complete", texts: { follow: "one", chunk: "2", step: "3" } },
  { name: "tree", label: "A binomial tree of eight: fewer steps, and a busy root", texts: { algorithm: "tree", ranks: "8", step: "6" } },
  {
    name: "halving-doubling",
    label: "Eight ranks that swap halves: a tree's steps, a ring's bytes",
    texts: { algorithm: "halving-doubling", ranks: "8", step: "3" },
  },
  {
    name: "lost-message",
    label: "A message of the all-gather is lost: replicas diverge",
    texts: { fault: "miss-hop", faultRank: "1", faultStep: "5", step: "6" },
  },
];
