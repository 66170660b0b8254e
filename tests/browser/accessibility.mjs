/** What can be measured of a page's accessibility. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../web/package.json", import.meta.url));

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds, a line each. */
export async function violations(page) {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  // Only what is asserted on: the report on all that passes is large.
  const options = { runOnly: rules, resultTypes: ["violations"] };
  const { violations } = await page.evaluate((asked) => globalThis.axe.run(document, asked), options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.flat().join(" ")).join("; ")}`);
}

/**
 * What is hard to see in the figures, a line each: text of a contrast below 4.5, and shapes that differ by less than 3
 * from what is below them. axe leaves the insides of an SVG alone.
 *
 * @param quiet a selector of the shapes that say nothing which is not said otherwise
 */
export function lowContrast(page, quiet) {
  return page.evaluate(findLowContrast, quiet);
}

function findLowContrast(quiet) {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  /** The luminance of colours laid over each other, each `[color, opacity]`. */
  const luminance = (layers) => {
    context.clearRect(0, 0, 1, 1);
    for (const [color, opacity] of layers) {
      context.globalAlpha = opacity;
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    }
    return [...context.getImageData(0, 0, 1, 1).data]
      .slice(0, 3)
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  };
  const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const isColor = (paint) => paint !== "none" && !paint.startsWith("url");

  /** How opaque an element is with all that it stands in. */
  const opacity = (element) =>
    element.localName === "svg" ? 1 : Number(getComputedStyle(element).opacity) * opacity(element.parentElement);
  const fillOf = (shape) => {
    const { fill, fillOpacity } = getComputedStyle(shape);
    const { width, height } = shape.getBBox();
    return isColor(fill) && width * height > 0 ? [fill, Number(fillOpacity) * opacity(shape)] : undefined;
  };
  const strokeOf = (shape) => {
    const { stroke, strokeOpacity, strokeWidth } = getComputedStyle(shape);
    return isColor(stroke) && parseFloat(strokeWidth) > 0 ? [stroke, Number(strokeOpacity) * opacity(shape)] : undefined;
  };
  const centerOf = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return new DOMPoint(left + width / 2, top + height / 2);
  };
  const covers = (shape, point) => shape.isPointInFill(point.matrixTransform(shape.getScreenCTM().inverse()));

  const check = (svg, panel, name) => {
    const shapes = [...svg.querySelectorAll("rect, circle, path, line")].filter((one) => !one.closest("defs"));
    /** What lies below a point before an element is drawn. */
    const below = (element, point) => [
      [panel, 1],
      ...shapes
        .filter((one) => one.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING && covers(one, point))
        .map(fillOf)
        .filter((layer) => layer !== undefined),
    ];
    const texts = [...svg.querySelectorAll("text")].filter((one) => one.textContent.trim() !== "");
    const lowTexts = texts.flatMap((text) => {
      const layers = below(text, centerOf(text));
      const found = contrast(luminance(layers), luminance([...layers, fillOf(text)]));
      return found < 4.5 ? [`${name} "${text.textContent.trim()}": ${found.toFixed(2)}`] : [];
    });
    const lowShapes = shapes.flatMap((shape) => {
      if (shape.matches(quiet)) return [];
      const layers = below(shape, centerOf(shape));
      const behind = luminance(layers);
      const found = [fillOf(shape), strokeOf(shape)]
        .filter((layer) => layer !== undefined)
        .map((layer) => contrast(behind, luminance([...layers, layer])));
      const best = Math.max(0, ...found);
      const parent = shape.parentElement.getAttribute("class");
      return found.length > 0 && best < 3 ? [`${name} ${parent ?? ""} > ${shape.localName}.${shape.getAttribute("class")}: ${best.toFixed(2)}`] : [];
    });
    return [...lowTexts, ...lowShapes];
  };

  const found = [...document.querySelectorAll("main *")].flatMap((element) =>
    [...(element.shadowRoot?.querySelectorAll(".figure svg") ?? [])].flatMap((svg) =>
      check(svg, getComputedStyle(element.shadowRoot.querySelector(".widget")).backgroundColor, element.localName),
    ),
  );
  return [...new Set(found)];
}
