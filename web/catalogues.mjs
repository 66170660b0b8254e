/** The catalogues of a form that carries all that it needs: of each, the texts that it may say. */

import { readdir } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { web } from "./bundling.mjs";
import { textsOf } from "./texts.mjs";

const catalogues = /[/\\]src[/\\]words[/\\][^/\\]+\.ts$/;

/** A part of a catalogue with what the core says of one thing alone, and the source that shows it. */
const shownBy = { launch: "src/memory-launch.ts" };

const leftOut = {
  name: "catalogues-left-out",
  setup({ onLoad }) {
    onLoad({ filter: catalogues }, () => ({ contents: "export default {};" }));
  },
};

/**
 * A plugin that leaves in the catalogues what this bundle says, and what no source says by itself, as the core's rules.
 * @param options of the bundle that is going to carry them
 */
export async function catalogueFor(options) {
  const { metafile } = await build({ ...options, plugins: [leftOut, ...options.plugins], metafile: true, write: false });
  const inputs = Object.keys(metafile.inputs).filter((file) => /^src\/.*\.ts$/.test(file));
  const own = saidIn(inputs);
  const others = saidIn(await everySource());
  return {
    name: "catalogue-of-a-form",
    setup({ onLoad }) {
      onLoad({ filter: catalogues }, async ({ path: file }) => {
        const all = await catalogueIn(file);
        const left = new Set(await textsLeft(file, inputs));
        const kept = Object.entries(all).filter(([text]) => own.has(text) || !(others.has(text) || left.has(text)));
        return { contents: `export default ${JSON.stringify(Object.fromEntries(kept))};` };
      });
    },
  };
}

/** By file: a build has many forms, and reads a source once. */
const read = new Map();

function saidIn(files) {
  for (const file of files) if (!read.has(file)) read.set(file, textsOf(path.join(web, file)));
  return new Set(files.flatMap((file) => [...read.get(file).said, ...read.get(file).described]));
}

async function everySource(folder = "src") {
  const entries = await readdir(path.join(web, folder), { withFileTypes: true });
  const lists = entries.map((one) => {
    const file = `${folder}/${one.name}`;
    if (one.isDirectory()) return everySource(file);
    return /(?<!\.d)\.ts$/.test(one.name) && !catalogues.test(`/${file}`) ? [file] : [];
  });
  return (await Promise.all(lists)).flat();
}

/** What the core says of things that these sources do not show. */
async function textsLeft(file, inputs) {
  const parts = Object.entries(shownBy).filter(([, source]) => !inputs.includes(source));
  const texts = await Promise.all(parts.map(([part]) => catalogueIn(file.replace(/\.ts$/, `/${part}.ts`))));
  return texts.flatMap(Object.keys);
}

async function catalogueIn(file) {
  const { outputFiles } = await build({ entryPoints: [file], bundle: true, format: "esm", write: false, logLevel: "warning" });
  return (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`)).default;
}
