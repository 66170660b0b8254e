/** How much room a text takes in a figure, which cannot measure it. */

/** Letters that are as wide as two: Chinese, Japanese and Korean ones, and their punctuation. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

/** The letters of a text, wide ones twice. */
export function letters(text: string): number {
  return text.length + (text.match(wide)?.length ?? 0);
}
