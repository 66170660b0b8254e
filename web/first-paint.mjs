/**
 * What a page shows before its scripts run, and without them: each widget's figure, drawn by the widget's own code
 * when the page is built, and the guided path as text.
 */

import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { web } from "./bundling.mjs";

/** The figure's width on a wide page, and on a telephone. */
const widths = { wide: 760, narrow: 320 };

/** Draws as the widgets do. */
export class Painting {
  static async by(packageDirectory) {
    const { load } = await import(pathToFileURL(path.join(packageDirectory, "index.js")));
    return new Painting(await drawingCode(), await load());
  }

  constructor(code, lab) {
    this.code = code;
    this.lab = lab;
    this.routines = code.routines;
    this.rooms = code.rooms;
  }

  /** Puts a figure into every `<shardlab-ID>` of a page, before what stands in it, and the guided path into its place. */
  async withFigures(page) {
    const { pathAsText, sizingSteps } = this.code;
    const parts = [];
    let end = 0;
    for (const found of page.matchAll(/(<shardlab-([a-z-]+)([^>]*)>)(.*?)(?=<\/shardlab-)/gs)) {
      const [whole, tag, id, attributes, note] = found;
      const written = new Map([...attributes.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, name, text]) => [name, text]));
      parts.push(page.slice(end, found.index), tag, await this.figure(this.routine(id), (name) => written.get(name)), `<p>${note}</p>`);
      end = found.index + whole.length;
    }
    const whole = [...parts, page.slice(end)].join("");
    if (!whole.includes('<div class="path">')) return whole;
    const text = pathAsText(await sizingSteps(this.lab));
    return whole.replace('<div class="path">', (found) => found + text);
  }

  routine(id) {
    const found = this.routines.find((one) => one.id === id);
    if (found === undefined) throw new Error(`The page asks for <shardlab-${id}>, and there is no such widget.`);
    return found;
  }

  async figure(routine, written) {
    const texts = this.code.initialTexts(routine.parameters, written);
    return figure(routine, await this.result(routine, texts), this.code.escaped);
  }

  /** What a widget shows, with these texts in place of those that it starts with. */
  async view(routine, texts, width) {
    return routine.view(await this.result(routine, { ...this.code.initialTexts(routine.parameters), ...texts }), width);
  }

  result(routine, texts) {
    return routine.run(this.lab, new this.code.Inputs(texts, routine.parameters));
  }
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

async function drawingCode() {
  const { outputFiles } = await build({
    absWorkingDir: web,
    stdin: {
      contents: `export * from "./routines/index.js";
        export { initialTexts, Inputs } from "./parameter.js";
        export { escaped } from "./figures/markup.js";
        export { pathAsText } from "./path.js";
        export { rooms } from "./room.js";
        export { carried } from "./save.js";
        export { sizingSteps } from "./sizing.js";`,
      resolveDir: path.join(web, "src"),
    },
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["shardlab"],
    loader: { ".css": "text", ".csv": "text", ".gz": "binary" },
    target: "es2021",
    write: false,
    logLevel: "warning",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
