/**
 * What a page shows before its scripts run, and without them: each widget's figure, drawn by the widget's own code
 * when the page is built, and the guided path as text.
 */

import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** The figure's width on a wide page, and on a telephone. */
const widths = { wide: 760, narrow: 320 };

/** Puts a figure into every `<shardlab-ID>` of a page, before the text in it. */
export async function withFigures(page, { web, packageDirectory }) {
  const { routines, Inputs, initialTexts, escaped, pathAsText, sizingSteps } = await drawingCode(web);
  const { load } = await import(pathToFileURL(path.join(packageDirectory, "index.js")));
  const lab = await load();
  const parts = [];
  let end = 0;
  for (const found of page.matchAll(/(<shardlab-([a-z-]+)([^>]*)>)(.*?)(?=<\/shardlab-)/gs)) {
    const [whole, tag, id, attributes, note] = found;
    const routine = routines.find((one) => one.id === id);
    if (routine === undefined) throw new Error(`The page asks for ${tag}, and there is no such widget.`);
    const written = new Map([...attributes.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, name, text]) => [name, text]));
    const texts = initialTexts(routine.parameters, (name) => written.get(name));
    const result = await routine.run(lab, new Inputs(texts, routine.parameters));
    parts.push(page.slice(end, found.index), tag, figure(routine, result, escaped), `<p>${note}</p>`);
    end = found.index + whole.length;
  }
  const text = pathAsText(await sizingSteps(lab));
  return [...parts, page.slice(end)].join("").replace('<div class="path">', (found) => found + text);
}

function figure(routine, result, escaped) {
  const [wide, narrow] = Object.entries(widths).map(([name, width]) => ({ name, ...routine.view(result, width) }));
  const drawn = ({ name, figure }) => `<div class="${name}">${withOwnNames(figure.text, name)}</div>`;
  const caption = `<figcaption>${escaped(wide.caption)}</figcaption>`;
  return `<figure class="first">${drawn(wide)}${drawn(narrow)}${caption}</figure>`;
}

/** A page has both drawings, and a name in it once. */
function withOwnNames(drawing, suffix) {
  return drawing.replace(/ id="([a-z]+)"/g, ` id="$1-${suffix}"`).replace(/url\(#([a-z]+)\)/g, `url(#$1-${suffix})`);
}

async function drawingCode(web) {
  const { outputFiles } = await build({
    absWorkingDir: web,
    stdin: {
      contents: `export * from "./routines/index.js";
        export { initialTexts, Inputs } from "./parameter.js";
        export { escaped } from "./figures/markup.js";
        export { pathAsText } from "./path.js";
        export { sizingSteps } from "./sizing.js";`,
      resolveDir: path.join(web, "src"),
    },
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["shardlab"],
    loader: { ".csv": "text" },
    write: false,
    logLevel: "warning",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
