/** The elements' TypeScript declarations, from their manifest. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { web } from "./bundling.mjs";
import { className } from "./manifest.mjs";

/** Writes one beside every module of `widgets/`, and of the notebooks' module. */
export async function writeDeclarations({ modules }, directory) {
  const folder = path.join(directory, "widgets");
  const write = (name, text) => writeFile(path.join(folder, name), text);
  await mkdir(folder, { recursive: true });
  await write("element.d.ts", await readFile(path.join(web, "src/element.ts"), "utf8"));
  const elements = modules.flatMap(({ declarations }) => declarations);
  const ids = elements.map(({ tagName }) => tagName.replace("shardlab-", ""));
  for (const [index, element] of elements.entries()) {
    await write(`${ids[index]}.class.d.ts`, classDeclaration(element));
    await write(`${ids[index]}.d.ts`, registered(ids[index]));
  }
  await write("index.d.ts", everyElement(ids));
  await writeFile(path.join(directory, "anywidget.d.mts"), notebooks);
}

function classDeclaration({ name, summary, description, members, attributes }) {
  const own = members.filter((member) => member.attribute !== undefined && !isSetting(member));
  return `import type { ShardlabElement } from "./element.js";

/** ${summary}. ${description} */
export interface ${name} extends ShardlabElement {
${own.map(property).join("\n")}
}

declare const ${name}: {
  new (): ${name};
  prototype: ${name};
  readonly version: string;
  /** ${attributes.map((attribute) => attribute.name).join(", ")} */
  readonly observedAttributes: string[];
};

export default ${name};
`;
}

/** What element.d.ts has for all of them; a parameter alone has a text that it starts with. */
const isSetting = (member) => member.default === undefined;

function property({ name, type, default: initial, description }) {
  const begins = initial === '""' ? "" : ` Starts with ${initial}.`;
  return `  /** ${`${description}${begins}`.replaceAll("*/", "*\\/")} */\n  ${name}: ${type.text};`;
}

function registered(id) {
  const name = className(id);
  return `import type { ${name} } from "./${id}.class.js";

declare global {
  interface HTMLElementTagNameMap {
    "shardlab-${id}": ${name};
  }
}
`;
}

function everyElement(ids) {
  return `${ids.map((id) => `import "./${id}.js";`).join("\n")}

export type * from "./element.js";
${ids.map((id) => `export type { ${className(id)} } from "./${id}.class.js";`).join("\n")}

/** The widgets: their tags without \`shardlab-\`, and their titles. */
export declare const widgets: readonly { readonly id: string; readonly title: string }[];
`;
}

const notebooks = `/** The widgets as an anywidget module: https://anywidget.dev/en/afm/ */
declare const module: {
  render(context: {
    model: {
      get(name: string): unknown;
      set(name: string, value: unknown): void;
      save_changes(): void;
      on(event: string, listener: () => void): void;
      off(event: string, listener: () => void): void;
    };
    el: HTMLElement;
  }): () => void;
};
export default module;
`;
