/** What an author copies to have a widget in notes of their own: a text for each kind of host. */

import { flags } from "../author.js";
import { version } from "../link.js";
import { roomOf } from "../room.js";
import { word } from "../words.js";

/** A widget as its author wants it. */
export interface Choice {
  /** the name of its element without the prefix `shardlab-` */
  id: string;
  title: string;
  claim: string;
  /** where the lab is, with a slash at its end */
  base: string;
  /** its attributes by name */
  attributes: ReadonlyMap<string, string>;
  /** pixels, or nothing for all that there is */
  width: number | undefined;
  /** of an iframe, in pixels */
  height: number;
}

export interface Snippet {
  text: string;
  /** what the host needs beside it, once */
  once?: { where: string; text: string };
  /** one sentence on what to mind */
  caution?: string;
}

export interface Host {
  id: string;
  name: string;
  snippet(choice: Choice): Snippet;
}

const anywhere: Host[] = [
  {
    id: "html",
    name: "HTML",
    snippet: (choice) => ({
      text: [script(choice), ...element(choice)].join("\n"),
      once: {
        where: word("A page with a Content-Security-Policy has to allow in it:"),
        text: `script-src ${origin(choice)} 'wasm-unsafe-eval'; connect-src ${origin(choice)}; img-src ${origin(choice)}; worker-src ${origin(choice)} blob:`,
      },
      caution: word("Under a policy without style-src 'unsafe-inline' no room is kept for the widget until it is there."),
    }),
  },
  {
    id: "iframe",
    name: "iframe",
    snippet: (choice) => ({
      text: tag("iframe", { ...framed(choice), loading: "lazy", allow: "clipboard-write", style: "border:0" }) + "</iframe>",
      caution: word("A frame is light or dark as the reader's system is, not as the page around it: choose a theme where they may differ."),
    }),
  },
  {
    id: "markdown",
    name: "Markdown",
    snippet: (choice) => ({
      text: `[![${markdownText(choice.claim)}](${picture(choice)})](${markdownAddress(embed(choice))})`,
      caution: word("A picture that leads to the widget, for READMEs and wherever HTML is taken out."),
    }),
  },
];

const siteGenerators: Host[] = [
  {
    id: "mkdocs",
    name: "MkDocs",
    snippet: (choice) => ({
      text: inDivision([script(choice), ...element(choice)]),
      once: {
        where: word("Nothing else is needed. From MkDocs 1.5 on the script can stand in mkdocs.yml instead, once for all pages:"),
        text: `extra_javascript:\n  - path: ${widget(choice)}\n    type: module`,
      },
      caution: word("Keep the <div>: without it Markdown puts the widget into a paragraph."),
    }),
  },
  {
    id: "sphinx",
    name: "Sphinx",
    snippet: (choice) => ({
      text: [".. raw:: html", "", ...[script(choice), ...element(choice)].map((line) => `   ${line}`)].join("\n"),
      caution: word("PDF and EPUB leave raw HTML out. In MyST-Parser and Jupyter Book 1 the same stands in a ```{raw} html block."),
    }),
  },
  {
    id: "myst",
    name: "MyST",
    snippet: (choice) => ({
      text: ["```{anywidget} " + notebook(choice), JSON.stringify(traits(choice), null, 2), "```"].join("\n"),
      caution: word("For MyST and Jupyter Book 2 of 2026 or later, where the directive is new."),
    }),
  },
  {
    id: "quarto",
    name: "Quarto",
    snippet: (choice) => ({
      text: ["```{=html}", script(choice), ...element(choice), "```"].join("\n"),
      caution: word("Not with embed-resources, which breaks modules and frames: link to the offline file there."),
    }),
  },
  {
    id: "docusaurus",
    name: "Docusaurus",
    snippet: (choice) => ({
      text: elementOfReact(choice).join("\n"),
      once: {
        where: word("Once, in docusaurus.config.js:"),
        text: `scripts: [{ src: ${JSON.stringify(widget(choice))}, type: "module" }],`,
      },
      caution: word("MDX is not HTML: styles are objects, and every tag is closed."),
    }),
  },
  {
    id: "vitepress",
    name: "VitePress",
    snippet: (choice) => ({
      text: inDivision(element(choice)),
      once: {
        where: word("Once, in .vitepress/config.mjs:"),
        text: [
          `head: [["script", { type: "module", src: ${JSON.stringify(widget(choice))} }]],`,
          `vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("shardlab-") } } },`,
        ].join("\n"),
      },
      caution: word("Without isCustomElement, Vue looks for a component of that name."),
    }),
  },
];

const others: Host[] = [
  {
    id: "reveal",
    name: "Reveal",
    snippet: (choice) => ({
      text: ["<section>", ...indented([script(choice), ...element(choice)]), "</section>"].join("\n"),
      caution: word("Keys on a control of the widget are the widget's, elsewhere they move the slides. A slide has room for little more than the figure: leave out the rest."),
    }),
  },
  {
    id: "jupyter",
    name: "Jupyter",
    snippet: (choice) => ({
      text: [
        "import anywidget",
        "import traitlets",
        "",
        "class Shardlab(anywidget.AnyWidget):",
        `    _esm = ${JSON.stringify(notebook(choice))}`,
        "    widget = traitlets.Unicode().tag(sync=True)",
        "    options = traitlets.Dict().tag(sync=True)",
        "    state = traitlets.Dict().tag(sync=True)",
        "",
        `Shardlab(widget=${JSON.stringify(choice.id)}, options=${JSON.stringify(traits(choice).options)})`,
      ].join("\n"),
      once: { where: word("Once, where the notebook runs:"), text: "pip install anywidget" },
      caution: word("A notebook that is only looked at, as on GitHub, shows no widgets."),
    }),
  },
  {
    id: "courses",
    name: "Canvas, Moodle",
    snippet: (choice) => ({
      text: tag("iframe", { ...framed(choice), frameborder: "0" }) + "</iframe>",
      caution: word("Paste it into the editor's HTML view. Moodle keeps frames in what teachers write, and takes them out of what students write."),
    }),
  },
];

/** In the order in which they are offered. */
export const hosts: readonly Host[] = [...anywhere, ...siteGenerators, ...others];

// Addresses

const widget = ({ base, id }: Choice) => `${base}widgets/${id}.js`;
const picture = ({ base, id }: Choice) => `${base}static/${id}.svg`;
const notebook = ({ base }: Choice) => `${base}anywidget.mjs`;
const origin = ({ base }: Choice) => new URL(base).origin;

/** The widget's own page, with the author's attributes as its query. */
export function embed({ base, id, attributes }: Pick<Choice, "base" | "id" | "attributes">): string {
  const query = new URLSearchParams([["v", String(version)], ...attributes]);
  return `${base}embed/${id}.html?${query}`;
}

// HTML

function script(choice: Choice): string {
  return `${tag("script", { type: "module", src: widget(choice) })}</script>`;
}

/** The element, a line each. Room is kept for it until it is there; within it stands what readers see where no script runs. */
function element(choice: Choice): string[] {
  const style = `display:block;min-height:${roomOf(choice.id).column}px${choice.width === undefined ? "" : `;max-width:${choice.width}px`}`;
  const opening = tag(`shardlab-${choice.id}`, { ...Object.fromEntries(choice.attributes), style });
  const image = tag("img", { src: picture(choice), alt: choice.claim, style: "max-width:100%" });
  return [opening, ...indented(pictured(choice, image)), `</shardlab-${choice.id}>`];
}

function elementOfReact(choice: Choice): string[] {
  const width = choice.width === undefined ? "" : `, maxWidth: ${choice.width}`;
  const style = `style={{ display: "block", minHeight: ${roomOf(choice.id).column}${width} }}`;
  const opening = tag(`shardlab-${choice.id}`, Object.fromEntries(choice.attributes));
  const image = tag("img", { src: picture(choice), alt: choice.claim }).replace(/>$/, ` style={{ maxWidth: "100%" }} />`);
  return [opening.replace(/>$/, ` ${style}>`), ...indented(pictured(choice, image)), `</shardlab-${choice.id}>`];
}

/** The picture leads to the widget on a page of its own, where scripts may run. */
function pictured(choice: Choice, image: string): string[] {
  const link = `${tag("a", { href: embed(choice) })}${escaped(choice.title)}</a>`;
  return ["<figure>", `  ${image}`, `  <figcaption>${link}</figcaption>`, "</figure>"];
}

function framed(choice: Choice): Record<string, string> {
  const { title, width, height } = choice;
  return { src: embed(choice), title, width: width === undefined ? "100%" : String(width), height: String(height) };
}

function tag(name: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([key, text]) => (flags.includes(key) ? ` ${key}` : ` ${key}="${escaped(text)}"`));
  return `<${name}${written.join("")}>`;
}

/** A text between quotation marks. It stays on its line: Markdown ends HTML at an empty one. */
function escaped(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;", "\n": "&#10;", "\r": "&#13;" };
  return text.replace(/[&"<>\n\r]/g, (character) => entities[character]!);
}

function inDivision(lines: readonly string[]): string {
  return ["<div>", ...indented(lines), "</div>"].join("\n");
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

// Markdown and notebooks

function markdownText(text: string): string {
  return text.replace(/[\\[\]*_`<]/g, (character) => `\\${character}`);
}

function markdownAddress(address: string): string {
  return address.replace(/[()*_]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** What the notebooks' module is told. */
function traits({ id, attributes }: Choice): { widget: string; options: Record<string, string> } {
  return { widget: id, options: Object.fromEntries(attributes) };
}
