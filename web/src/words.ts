/**
 * What a widget says, in the language of the page around it. The texts stand in English where they are used; a catalogue
 * has them in another language, by the English ones.
 */

/** By an English text, the same in another language. Where something is put in, a text has `{0}`, `{1}` and so on, in any order. */
export type Catalogue = Readonly<Record<string, string>>;

/** Something to be told: put into words when it is shown, since the language may change or come later. */
export type Told = () => string;

let spoken: Catalogue | undefined;

/** While it runs, texts are in this catalogue's language; in English those that it lacks, and all where there is none. */
export function speaking<Result>(catalogue: Catalogue | undefined, run: () => Result): Result {
  const before = spoken;
  spoken = catalogue;
  try {
    return run();
  } finally {
    spoken = before;
  }
}

/** A text that is looked up later, where it is shown: this says of data that it has such texts. */
export function marked(text: string): string {
  return text;
}

/**
 * A text with nothing to put in.
 * @param sense which of its meanings, where others need other words: `stage` of ZeRO is in a catalogue as `stage (ZeRO)`
 */
export function word(text: string, sense?: string): string {
  return spoken?.[sense === undefined ? text : `${text} (${sense})`] ?? text;
}

/** A text with values in it: say`Step ${at} of ${count}` is in a catalogue as `Step {0} of {1}`. */
export function say(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const key = texts.reduce((before, after, index) => `${before}{${index - 1}}${after}`);
  return filled(word(key), values);
}

/**
 * A text that comes whole from elsewhere, as the core's rules do: numbers, names and other texts stand in it. A catalogue
 * has it with blanks in their places, as `be a multiple of {0}, which is {1}`; of the entries that fit a text, that with
 * most words of it is taken.
 */
export function rule(text: string): string {
  if (spoken === undefined) return text;
  if (text in spoken) return spoken[text]!;
  const [key, values] = fitting(text, Object.keys(spoken)) ?? [text, []];
  const inner = values.map((value) => (value.includes(" ") ? rule(value) : value));
  return filled(word(key), inner);
}

/** Of texts with blanks, the one that has most of a text, and what the text has in their places. */
function fitting(text: string, keys: readonly string[]): [key: string, values: string[]] | undefined {
  let best: [string, string[]] | undefined;
  let most = 0;
  for (const key of keys) {
    const parts = key.split(/\{\d+\}/);
    const words = parts.join("");
    if (parts.length === 1 || words.length <= most || !/\p{L}/u.test(words)) continue;
    if (!text.startsWith(parts[0]!) || !text.endsWith(parts[parts.length - 1]!)) continue;
    const found = shapeOf(parts).exec(text);
    if (found === null) continue;
    best = [key, found.slice(1)];
    most = words.length;
  }
  return best;
}

/** A blank has anything in it; at a text's beginning one word or what is quoted, since many texts begin with a name. */
function shapeOf([first, ...rest]: readonly string[]): RegExp {
  const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const blank = first === "" ? '(\\S+|".+")' : "(.+?)";
  return new RegExp(`^${literal(first!)}${blank}${rest.map(literal).join("(.+?)")}$`, "s");
}

/** A number of things. A catalogue has it by the singular, as `{0} rank`: what follows from a number is each language's own. */
export function counted(number: string, singular: string, english: string): string {
  const key = `{0} ${singular}`;
  return filled(spoken?.[key] ?? `{0} ${english}`, [number]);
}

function filled(text: string, values: readonly (string | number)[]): string {
  return text.replace(/\{(\d+)\}/g, (blank, index: string) => String(values[Number(index)] ?? blank));
}
