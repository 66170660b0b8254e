/** What the tests of the pipeline measure in its figure. */

/** The left and right ends of the first shape that a selector finds. */
export function ends(gantt, selector) {
  return gantt.root
    .locator(`.figure ${selector}`)
    .first()
    .evaluate((one) => [one.getBBox().x, one.getBBox().x + one.getBBox().width]);
}
