/** The frameworks in whose words the reader's setting can be told. */

import type { Framework } from "shardlab";
import type { MemoryState } from "./memory-state.js";
import type { ResultFile } from "./routine.js";

interface Known {
  value: Framework;
  label: string;
  /** of its file, with its point */
  extension: string;
  type: string;
}

export const frameworks: readonly Known[] = [
  { value: "megatron", label: "Megatron-LM", extension: "-megatron.txt", type: "text/plain" },
  { value: "deepspeed", label: "DeepSpeed", extension: "-deepspeed.json", type: "application/json" },
  { value: "torchtitan", label: "torchtitan", extension: "-torchtitan.toml", type: "text/plain" },
  { value: "fsdp2", label: "FSDP2", extension: "-fsdp2.py", type: "text/plain" },
];

export const launchFiles: readonly ResultFile<MemoryState>[] = frameworks.map(({ value: framework, ...file }) => ({
  ...file,
  text: async (lab, { options }) => (await lab.launchSettings({ ...options, framework })).text,
}));
