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

/** A text with nothing to put in. */
export function word(text: string): string {
  return spoken?.[text] ?? text;
}

/** A text with values in it: say`Step ${at} of ${count}` is in a catalogue as `Step {0} of {1}`. */
export function say(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const key = texts.reduce((before, after, index) => `${before}{${index - 1}}${after}`);
  return filled(word(key), values);
}

/**
 * A text that comes whole from elsewhere, as the core's rules do: its numbers are what is put in, so that `be at least 1`
 * is in a catalogue as `be at least {0}`.
 */
export function rule(text: string): string {
  if (spoken === undefined) return text;
  if (text in spoken) return spoken[text]!;
  const numbers: string[] = [];
  const key = text.replace(/\d[\d.]*(?:e[-+]?\d+)?(?<!\.)/g, (number) => `{${numbers.push(number) - 1}}`);
  return filled(word(key), numbers);
}

/** A number of things. A catalogue has it by the singular, as `{0} rank`: what follows from a number is each language's own. */
export function counted(number: string, singular: string, english: string): string {
  const key = `{0} ${singular}`;
  return filled(spoken?.[key] ?? `{0} ${english}`, [number]);
}

function filled(text: string, values: readonly (string | number)[]): string {
  return text.replace(/\{(\d+)\}/g, (blank, index: string) => String(values[Number(index)] ?? blank));
}
