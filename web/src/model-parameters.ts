/** Controls that more than one widget has of a model. */

import type { Parameter } from "./parameter.js";

const llama3 = {
  model_type: "llama",
  hidden_size: 4096,
  intermediate_size: 14336,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128256,
  max_position_embeddings: 8192,
  tie_word_embeddings: false,
};

/** A model's own configuration, where another control asks for it. */
export function configParameter(when: NonNullable<Parameter["when"]>): Parameter {
  return {
    name: "config",
    label: "A Hugging Face config.json",
    kind: "text",
    initial: `${JSON.stringify(llama3, null, 2)}\n`,
    files: ".json,application/json",
    takesOthers: true,
    description: "Of Llama, GPT, Qwen, Gemma, Mixtral, DeepSeek and others. Shown: the shape of Llama-3-8B.",
    when,
  };
}

export const recomputeParameter: Parameter = {
  name: "recompute",
  label: "Recomputation",
  kind: "choice",
  initial: "none",
  choices: [
    { value: "none", label: "None" },
    { value: "selective", label: "Selective" },
    { value: "full", label: "Full" },
  ],
};
