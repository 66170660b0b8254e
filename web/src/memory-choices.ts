/** What the lab knows by name, in the words of the controls. A test holds these lists against the lab's own. */

import type { Choice } from "./parameter.js";

function choices(labels: Readonly<Record<string, string>>): Choice[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

export const models = choices({
  gpt2: "GPT-2",
  "gpt2-xl": "GPT-2 XL",
  "gpt3-175b": "GPT-3 175B",
  "megatron-22b": "Megatron 22B",
  "megatron-175b": "Megatron 175B",
  "megatron-530b": "Megatron 530B",
  "megatron-1t": "Megatron 1T",
  "gpt-neox-20b": "GPT-NeoX 20B",
  "llama2-7b": "Llama 2 7B",
  "llama2-13b": "Llama 2 13B",
  "llama2-70b": "Llama 2 70B",
  "llama3-8b": "Llama 3 8B",
  "llama3-70b": "Llama 3 70B",
  "llama3-405b": "Llama 3.1 405B",
  "mistral-7b": "Mistral 7B",
  "mixtral-8x7b": "Mixtral 8x7B",
  "mixtral-8x22b": "Mixtral 8x22B",
  "qwen2.5-7b": "Qwen2.5 7B",
  "qwen2.5-72b": "Qwen2.5 72B",
  "qwen3-8b": "Qwen3 8B",
  "qwen3-32b": "Qwen3 32B",
  "qwen3-30b-a3b": "Qwen3 30B-A3B",
  "qwen3-235b-a22b": "Qwen3 235B-A22B",
  "gemma2-9b": "Gemma 2 9B",
  "gemma2-27b": "Gemma 2 27B",
  "deepseek-v2-lite": "DeepSeek-V2-Lite",
  "deepseek-v2": "DeepSeek-V2",
  "deepseek-v3": "DeepSeek-V3",
  "gpt-oss-20b": "gpt-oss-20b",
  "gpt-oss-120b": "gpt-oss-120b",
});

/** The reader's own, as it is named in a sentence. */
export const yours: Choice = { value: "config", label: "Your model" };

/** The models that have experts. */
export const mixtures = [
  "mixtral-8x7b",
  "mixtral-8x22b",
  "qwen3-30b-a3b",
  "qwen3-235b-a22b",
  "deepseek-v2-lite",
  "deepseek-v2",
  "deepseek-v3",
  "gpt-oss-20b",
  "gpt-oss-120b",
];

export const cards = choices({
  "a100-40gb": "NVIDIA A100 40GB",
  "a100-80gb": "NVIDIA A100 80GB",
  "b200-180gb": "NVIDIA B200 180GB",
  "h100-80gb": "NVIDIA H100 80GB",
  "h200-141gb": "NVIDIA H200 141GB",
  "l40s-48gb": "NVIDIA L40S 48GB",
  "mi300x-192gb": "AMD Instinct MI300X 192GB",
  "rtx4090-24gb": "NVIDIA GeForce RTX 4090 24GB",
  "v100-32gb": "NVIDIA V100 32GB",
});

/** Of no name that the lab knows, as it is named in a sentence. */
export const ownCard: Choice = { value: "custom", label: "card of your own" };

export const recipes: readonly Choice[] = [
  { value: "mixed-adam", label: "Adam, 16-bit gradients" },
  { value: "mixed-adam-fp32-gradients", label: "Adam, 32-bit gradients" },
  { value: "mixed-adam-both-gradients", label: "Adam, gradients in both" },
  { value: "adam-8bit", label: "Adam, 8-bit moments" },
  { value: "sgd-momentum", label: "SGD with momentum" },
  { value: "muon", label: "Muon" },
  { value: "fp32-adam", label: "Adam, all in 32 bits" },
  { value: "fp32-sgd-momentum", label: "SGD, all in 32 bits" },
  { value: "bf16-adam", label: "Adam, all in 16 bits" },
];
