/** The room that texts take, as far as it can be told before they are drawn. */

/** Chinese, Japanese and Korean letters and their punctuation, each about as wide as two Latin letters. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

/** How many Latin letters would take as much room. */
export function letters(text: string): number {
  return Array.from(text).reduce((sum, one) => sum + (wide.test(one) ? 2 : 1), 0);
}

/** As much of a text as has the room of so many letters. */
export function shortened(text: string, most: number): string {
  if (letters(text) <= most) return text;
  let kept = "";
  for (const one of text) {
    if (letters(kept + one) > most - 1) break;
    kept += one;
  }
  return `${kept}…`;
}
