import type { Preset } from "../routine.js";

export const presets: readonly Preset[] = [
  { name: "default", label: "64 MB on eight ranks", texts: {} },
  { name: "small-tensor", label: "A small tensor: nearly all of the time is latency", texts: { bytes: "64kB" } },
  { name: "half-latency", label: "The size at which latency is half of the time", texts: { bytes: "2MB" } },
  { name: "many-ranks", label: "256 ranks: hardly more bytes, many more steps", texts: { ranks: "256" } },
];
