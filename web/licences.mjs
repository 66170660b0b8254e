/** What others wrote of a page, a package or a file that is made here, with the terms under which it may be handed on. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { web } from "./bundling.mjs";

const run = promisify(execFile);
const module = (name) => path.join(web, "node_modules", name, "LICENSE");
const debian = (name) => `/usr/share/doc/${name}/copyright`;

/** The text of LICENSES.txt: each work with the licence that the machine has of it. */
export async function licences() {
  const emscripten = await emscriptenFolder();
  const works = [
    { name: "Lit (lit, lit-html, lit-element, @lit/reactive-element)", files: [module("lit")] },
    { name: "CodeMirror (@codemirror/*, @lezer/*, and crelt, style-mod and w3c-keyname)", files: [module("@codemirror/view")] },
    { name: "QuickJS, and the scripts around it of quickjs-emscripten", files: [module("@jitl/quickjs-wasmfile-release-sync")] },
    { name: "Emscripten", files: [path.join(emscripten, "LICENSE"), debian("emscripten")] },
    { name: "musl, the C library of Emscripten", files: [path.join(emscripten, "system/lib/libc/musl/COPYRIGHT")] },
    { name: "xtensor", files: [debian("libxtensor-dev"), debian("xtensor-dev")] },
    { name: "xtl", files: [debian("xtl-dev"), debian("libxtl-dev")] },
  ];
  const parts = await Promise.all(works.map(part));
  const line = "-".repeat(80);
  return `${head}\n${parts.map(({ name, text }) => `${line}\n${name}\n${line}\n\n${text}\n`).join("\n")}`;
}

const head = `Shardlab itself is under the licence in LICENSE. What is made of it contains parts of the works below: Lit in the
scripts of widgets, CodeMirror and QuickJS in the exercise, the others in the WebAssembly modules and the scripts that
load them. The C++ library of Emscripten
(libc++, libc++abi, compiler-rt) is under the Apache License 2.0 with the LLVM exception, which asks for no notice.
`;

async function emscriptenFolder() {
  try {
    return (await run("em-config", ["EMSCRIPTEN_ROOT"])).stdout.trim();
  } catch {
    return "/usr/share/emscripten";
  }
}

async function part({ name, files }) {
  for (const file of files) {
    try {
      return { name, text: relevant(await readFile(file, "utf8")).trim() };
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  console.warn(`LICENSES.txt lacks the licence of ${name}: there is none of ${files.join(", ")}. Add it before you publish.`);
  return { name, text: "The machine that this was built on had no copy of its licence." };
}

/** Of a Debian copyright file, which describes every file of a source package: what holds for the work itself. */
function relevant(text) {
  if (!text.startsWith("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/")) return text;
  const paragraphs = text.split(/\n\n+/);
  const main = paragraphs.find((one) => /^Files:\s+\*\s*$/m.test(one));
  const names = /^License: (.+)$/m.exec(main)[1].split(/ (?:or|and) /);
  const isMeant = (one) => names.includes(/^License: (.+)$/m.exec(one)?.[1]) && one.startsWith("License:");
  return [main, ...paragraphs.filter((one) => one !== main && isMeant(one))].join("\n\n").replace(/^ \.$/gm, "");
}
