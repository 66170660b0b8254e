/** What the exercise is made of beside its scripts. */

/** A plugin that finds the module of its cases in a file. */
export function casesAt(file) {
  return {
    name: "cases-in-their-place",
    setup({ onResolve }) {
      onResolve({ filter: /\/lab_exercise\.mjs$/ }, () => ({ path: file }));
    },
  };
}
