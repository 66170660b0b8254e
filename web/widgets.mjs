/** The modules that register widgets, as a site and the npm package have them. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { web } from "./bundling.mjs";

/** The modules of routines, which are the names of their widgets. */
export async function widgetNames() {
  const list = await readFile(path.join(web, "src/routines/index.ts"), "utf8");
  return [...list.matchAll(/from "\.\/(.+)\.js"/g)].map(([, name]) => name);
}

/** `widgets/ID.js` registers one widget, `widgets/ID.class.js` gives its class alone, `widgets/index.js` registers all. */
export async function widgetEntries() {
  const names = await widgetNames();
  return Object.fromEntries([
    ["widgets/index", "widget:index"],
    ...names.map((name) => [`widgets/${name}`, `widget:${name}`]),
    ...names.map((name) => [`widgets/${name}.class`, `widget:${name}.class`]),
  ]);
}

function widgetModule(name) {
  const of = (routine, then) => `import * as routine from "./routines/${routine}.js";\n${then}`;
  if (name === "index") return `import { routines } from "./routines/index.js"; import { define } from "./define.js"; routines.forEach(define);
    export const widgets = routines.map(({ id, title }) => ({ id, title }));`;
  const [routine, kind] = name.split(".");
  const found = `Object.values(routine).find((one) => one.id === "${routine}")`;
  if (kind === "class") return of(routine, `import { widgetClass } from "./define.js"; export default widgetClass(${found});`);
  return of(routine, `import { define } from "./define.js"; define(${found});`);
}

/** A plugin that makes them up. */
export const widgetModules = {
  name: "widgets",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^widget:/ }, ({ path: name }) => ({ path: name.slice(7), namespace: "widget" }));
    onLoad({ filter: /./, namespace: "widget" }, ({ path: name }) => ({
      contents: widgetModule(name),
      resolveDir: path.join(web, "src"),
      loader: "ts",
    }));
  },
};

/** Our sources, but those of what the page has beside its widgets; a language is spoken there, too, and needs nothing. */
const ofWidgets = (file) => /^src[/\\](?!(course|exercise|tests-view)[/\\]|language\.ts)/.test(path.relative(web, file));

/** What every widget has from the start. */
const everyWidgets = ["./define.js", "./figures/frame.js"];

/**
 * A plugin for what widgets load later. Scripts are split by who needs what, and each part needs something else of what is
 * there already: as all of that is there by then, each says that it needs all. So what every widget has stays one file, and
 * what a widget alone has another.
 */
export const laterParts = {
  name: "later-parts",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^\.\.?\// }, async ({ path: name, kind, importer, resolveDir }) => {
      if (kind !== "dynamic-import" || !ofWidgets(importer)) return undefined;
      const { path: file } = await resolve(name, { resolveDir, kind: "import-statement" });
      return { path: `${path.relative(web, file)} for ${path.relative(web, importer)}`, namespace: "later", pluginData: { file, importer } };
    });
    onLoad({ filter: /./, namespace: "later" }, ({ pluginData: { file, importer } }) => {
      const there = [...everyWidgets, importer].map((one) => `import ${JSON.stringify(one)};`).join("");
      return { contents: `${there} export * from ${JSON.stringify(file)};`, resolveDir: path.join(web, "src"), loader: "ts" };
    });
  },
};

/** A plugin that leaves `import ... from "shardlab"` in place: its files are there as they are, at this address. */
export function labAt(address) {
  return {
    name: "lab-in-its-place",
    setup({ onResolve }) {
      onResolve({ filter: /^shardlab$/ }, () => ({ path: address, external: true }));
    },
  };
}
