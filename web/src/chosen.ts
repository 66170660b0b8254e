/** Files that the reader has chosen. A control holds a text that stands for them; they themselves stay where they are. */

const kept = new Map<string, readonly File[]>();

/** The text that stands for these files, on this page and as long as it is open. */
export function keep(files: readonly File[]): string {
  const text = files.length === 0 ? "" : `${files.map(({ name }) => name).join(", ")} #${kept.size + 1}`;
  kept.set(text, files);
  return text;
}

/** The files that a text stands for; nothing where it comes from elsewhere. */
export function chosen(text: string): readonly File[] | undefined {
  return text === "" ? [] : kept.get(text);
}
