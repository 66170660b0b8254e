/** What all pages of the site have in common: how they begin, and the way from each to the others. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { web } from "./bundling.mjs";

/** By the name of its file: where a page is in the sources, its script, and whether it has widgets. */
export const pages = {
  index: { source: "index.html", script: "page.js", hasWidgets: true },
  course: { source: "course/course.html", script: "course.js", hasWidgets: true },
  exercise: { source: "exercise/exercise.html", script: "exercise/page.js", hasWidgets: false },
  gallery: { source: "gallery.html", script: "gallery.js", hasWidgets: true },
  tests: { source: "tests-view/tests.html", script: "tests/view.js", hasWidgets: false },
};

/** The pages beside the lab itself, in the order of the way. */
const others = [
  ["course", "Course"],
  ["exercise", "Exercise"],
  ["gallery", "Gallery"],
  ["tests", "Tests"],
];

const beginning = `<meta charset="utf-8" />
    <meta
      http-equiv="Content-Security-Policy"
      content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob: data:"
    />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="tokens.css" />`;

/** A page's text, with what all have in place of the comments `beginning`, `header` and `others`. */
export async function pageText(name) {
  const text = await readFile(path.join(web, "src", pages[name].source), "utf8");
  const parts = { beginning, header: header(name), others: links() };
  return text.replace(/<!-- (beginning|header|others) -->/g, (_, part) => parts[part]);
}

/** Its `main` has the page's name. */
function header(name) {
  return `<header class="top">
      <a class="skip" href="#${name}">Skip to the ${name}</a>
      <div>
        <a class="brand" href="./">Shardlab</a>
        <nav aria-label="Pages">
          <ul>
            <li><a href="./">The lab</a></li>
            ${links(name)}
          </ul>
        </nav>
      </div>
    </header>`;
}

function links(current) {
  const link = ([name, label]) => `<li><a href="${name}.html"${name === current ? ' aria-current="page"' : ""}>${label}</a></li>`;
  return others.map(link).join("\n            ");
}
