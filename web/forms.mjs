/**
 * The forms of a widget beside the element: a page for an iframe, a file that needs neither server nor network, and a
 * module for notebooks. Each carries the lab: its WebAssembly and its scripts, packed.
 */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { stylesAsText } from "./bundling.mjs";
import { carryingPage, inlineScript, minifiedStyle, packed, workerScript } from "./carrying.mjs";

const allModules = ["shardlab", "training", "pipelines", "memory", "verify", "traces"];

export class Forms {
  /**
   * @param painting draws what is seen before the scripts run
   * @param licences of what the forms carry
   */
  constructor({ packageDirectory, base, painting, licences }) {
    Object.assign(this, { packageDirectory, base, painting, licences });
  }

  /** Writes `embed/ID.html`, `offline/ID.html` and `anywidget.mjs`. */
  async write(out) {
    this.style = await minifiedStyle(["tokens.css", "figure.css", "forms/own-page.css"]);
    await mkdir(path.join(out, "embed"), { recursive: true });
    await mkdir(path.join(out, "offline"), { recursive: true });
    for (const routine of this.painting.routines) {
      const { id, modules = ["shardlab"] } = routine;
      const code = await this.script(modules, `import * as all from "./routines/${id}.js";
        import { start } from "./forms/own-page.js";
        start(Object.values(all).find((one) => one.id === "${id}"));`);
      const carried = await this.carried(modules);
      for (const form of ["embed", "offline"]) {
        await writeFile(path.join(out, form, `${id}.html`), await this.page(form, routine, code, carried));
      }
    }
    await writeFile(path.join(out, "anywidget.mjs"), await this.anywidget());
  }

  async page(form, { id, title }, code, carried) {
    const content = `<shardlab-${id} heading-level="1"><noscript>This widget needs JavaScript.</noscript></shardlab-${id}>`;
    const blocks = { ...carried.modules, worker: carried.worker };
    const { style, licences } = this;
    return this.painting.withFigures(carryingPage({ form, title, content, code, blocks, style, licences }));
  }

  async anywidget() {
    const carried = await this.carried(allModules);
    const code = await this.script(allModules, `import { module } from "./forms/anywidget.js";
      export default module(${JSON.stringify(carried)}, ${JSON.stringify(this.base)});`);
    return `// The licences of what is in this file: LICENSE and LICENSES.txt, beside it.\n${code}`;
  }

  /** A bundle that asks for nothing: of the package it has the glue of these modules only. */
  async script(modules, contents) {
    return inlineScript(contents, { base: this.base, plugins: [this.package(modules), stylesAsText] });
  }

  async carried(modules) {
    const worker = await workerScript(path.join(this.packageDirectory, "worker.js"), [this.package(modules)]);
    const bytes = (name) => readFile(path.join(this.packageDirectory, `${name}.wasm`));
    const entries = modules.map(async (name) => [name, packed(await bytes(name))]);
    return { modules: Object.fromEntries(await Promise.all(entries)), worker: packed(worker) };
  }

  package(modules) {
    const index = path.join(this.packageDirectory, "index.js");
    const left = new RegExp(`/(${allModules.filter((name) => !modules.includes(name)).join("|") || "none"})\\.mjs$`);
    return {
      name: "carried-package",
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^shardlab$/ }, () => ({ path: index }));
        onLoad({ filter: left }, () => ({ contents: "export default undefined;" }));
      },
    };
  }

}
