/** Most bytes of a file that a control takes: it is a text that stands in the page. */
export const largestFile = 4 * 2 ** 20;
