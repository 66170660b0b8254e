/** What one micro-batch keeps, tensor by tensor: the lab's formulas with the reader's values. */

import type { ActivationTerm, FootprintOptions, TransformerShape } from "shardlab";
import { count, exact } from "../format.js";
import type { Sized } from "../memory-state.js";
import type { Reason } from "../routine.js";
import { rule, say, word } from "../words.js";

/** Letters of the lab's formulas, with their values. */
function lettersOf({ options, found, described }: Sized, expert: boolean): Readonly<Record<string, string>> {
  const { shape } = described;
  const { cp = 1, tp = 1, microBatch = 1 } = options;
  return {
    s: cp === 1 ? count(found.sequence) : `(${count(found.sequence)} / ${cp})`,
    b: count(microBatch),
    h: count(shape.hidden),
    a: count(shape.heads),
    k: count(shape.kvHeads),
    t: count(tp),
    f: count(expert ? shape.expertFfn : shape.ffn),
    d: count(shape.headSize),
    E: count(shape.experts),
    V: count(shape.vocabulary),
    m: count(shape.expertsPerToken),
    g: count(shape.sharedExpertFfn),
    q: count(shape.queryRank),
    c: count(shape.kvRank),
    r: count(shape.ropeHeadSize),
    v: count(shape.valueHeadSize),
    p: count(shape.plainHeadSize),
  };
}

/** The lab's formula in letters alone, as it stands for this model. */
export function lettered({ name, formula }: ActivationTerm, shape: TransformerShape, options: FootprintOptions): string {
  const { tp = 1, sequenceParallel = false } = options;
  let text = formula
    .replace("(2 or 3)", shape.gatedMlp ? "3" : "2")
    .replace("(experts a token)", "m")
    .replace("(shared f)", "g")
    .replace("(query rank)", "q")
    .replace("(kv rank + rope)", "(c + r)")
    .replace("(kv rank)", "c");
  if (shape.kvRank > 0) {
    const size = name === "values" || name === "attention_output" ? "v" : "(p + r)";
    text = text.replace("k·d", "a·d").replace("d", size);
  } else if (tp > shape.kvHeads) {
    text = text.replace("k·d/t", "d");
  }
  if (shape.vocabulary % tp !== 0) text = text.replace("V/t", "⌈V/t⌉");
  const cut = /\/t|⌈/.test(text) || text.endsWith("·d");
  return sequenceParallel && tp > 1 && !cut ? `${text}/t` : text;
}

function spaced(text: string): string {
  return text.replace(/[·/]/g, " $& ");
}

function valued(text: string, letters: Readonly<Record<string, string>>): string {
  return spaced(text).replace(/[A-Za-z]/g, (letter) => letters[letter] ?? letter);
}

function term(sized: Sized, of: string, one: ActivationTerm, guard: string): Reason {
  const text = lettered(one, sized.described.shape, sized.options);
  return {
    name: say`${of}: ${rule(one.name.replace(/_/g, " "))}`,
    guard,
    equals: [spaced(text), valued(text, lettersOf(sized, one.name.startsWith("expert"))), `${exact(one.bytes)} B`],
  };
}

const closedForm = "a GPT layer's terms add up to Korthikanti's closed form";
const mixture = "with experts a token is kept once for each expert that it goes to, on whatever expert ranks";
const ends = "before the first layer stands a mask, after the last 4sbh(1 + V/h)/t";

/** Tensors that a GPT's layer does not have, and the tests that guard them. */
const special: readonly [RegExp, string][] = [
  [/^attention_logarithms/, "fused attention keeps a logarithm for each row in place of the scores"],
  [/latent/, "latent attention keeps the latents of queries and of keys and values"],
  [/^(mlp_gate|mlp_up|mlp_product|keys|values)$/, "a gated MLP keeps three inner tensors, grouped queries keep fewer keys and values"],
  [/^(router|expert|shared_expert)/, mixture],
];

function guardOf({ name }: ActivationTerm): string {
  return special.find(([names]) => names.test(name))?.[1] ?? closedForm;
}

export function layerTerms(sized: Sized): Reason[] {
  const { layer, expertLayer, embedding, head } = sized.found.activations;
  return [
    ...layer.map((one) => term(sized, word("A layer"), one, guardOf(one))),
    ...expertLayer.map((one) => term(sized, word("A layer with experts"), one, guardOf(one))),
    ...embedding.map((one) => term(sized, word("Embedding"), one, ends)),
    ...head.map((one) => term(sized, word("Head"), one, ends)),
  ];
}
