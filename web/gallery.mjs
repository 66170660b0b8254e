/** The gallery's page: each widget, and tables of what it has, from the manifest of the elements. */

/**
 * @param page with comments in place of what is made of
 * @param described the elements' manifest
 */
export function galleryPage(page, { modules }, routines) {
  const elements = modules.flatMap(({ declarations }) => declarations);
  const parts = { contents: contents(routines), widgets: routines.map((_, index) => widget(elements, routines, index)).join("\n"), common: common(elements[0]) };
  return page.replace(/<!-- (contents|widgets|common) -->/g, (_, name) => parts[name]);
}

function contents(routines) {
  const links = routines.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`);
  return `<ul>${links.join("")}<li><a href="#common">What every widget has</a></li></ul>`;
}

/** No landmark: the widget is one, of the same name. */
function widget(elements, routines, index) {
  const { id, title, presets = [] } = routines[index];
  const own = elements[index].attributes.filter((attribute) => attribute.default !== undefined);
  const next = routines[index + 1];
  const after = next === undefined ? ["#common", "What every widget has"] : [`#${next.id}`, next.title];
  return `<div class="chapter">
        <h2 id="${id}">${escaped(title)}</h2>
        <ul class="links">
          <li><code>&lt;shardlab-${id}&gt;</code></li>
          <li><a href="embed/${id}.html">As a page for an iframe</a></li>
          <li><a href="offline/${id}.html">As a file that needs no network</a></li>
          <li><a href="${after[0]}">Next: ${escaped(after[1])}</a></li>
        </ul>
        ${presetButtons(presets)}
        <shardlab-${id} data-widget>This widget needs JavaScript, and a page that a server delivers.</shardlab-${id}>
        <details>
          <summary>${own.length} attributes of its own</summary>
          ${attributeTable(`Attributes of ${title}`, own)}
        </details>
      </div>`;
}

function presetButtons(presets) {
  if (presets.length === 0) return "";
  const button = ({ name, label }, index) =>
    `<li><button type="button" data-preset="${name}" aria-pressed="${index === 0}" title="preset=&quot;${name}&quot;">${escaped(label)}</button></li>`;
  return `<ul class="presets" aria-label="Presets">${presets.map(button).join("")}</ul>`;
}

function common({ attributes, members, events, slots, cssParts, cssStates, cssProperties }) {
  const isOwn = ({ attribute, default: initial }) => attribute !== undefined && initial !== undefined;
  const settings = attributes.filter((attribute) => attribute.default === undefined);
  // Each widget has presets of its own.
  const plain = (one) => (one.name === "preset" ? members.find(({ name }) => name === "preset") : one);
  const fields = members.filter((member) => member.kind === "field" && !isOwn(member) && member.description !== undefined);
  const methods = members.filter(({ kind }) => kind === "method");
  const signature = ({ name, parameters }) => `${name}(${parameters.map((one) => `${one.name}${one.optional ? "?" : ""}: ${one.type.text}`).join(", ")})`;
  return `<div class="chapter common">
        <h2 id="common">What every widget has</h2>
        ${[
          ["Attributes", ["Attribute", "Values", "Meaning"], settings.map(plain).map((one) => [code(one.name), kinds(one.type), said(one)])],
          ["Properties", ["Property", "Type", "Meaning"], fields.map((one) => [code(one.name), code(one.type.text), said(one)])],
          ["Methods", ["Method", "Gives", "Meaning"], methods.map((one) => [code(signature(one)), code(one.return.type.text), said(one)])],
          ["Events", ["Event", "Type", "Meaning"], events.map((one) => [code(one.name), code(one.type.text), said(one)])],
          ["Slots", ["Slot", "Meaning"], slots.map((one) => [one.name === "" ? "none" : code(one.name), said(one)])],
          ["Parts", ["::part()", "Meaning"], cssParts.map((one) => [code(one.name), said(one)])],
          ["States", [":state()", "Meaning"], cssStates.map((one) => [code(one.name), said(one)])],
          ["Variables", ["Variable", "Where it is not set", "Meaning"], cssProperties.map((one) => [code(one.name), code(one.default), said(one)])],
        ]
          .map(([title, head, rows]) => `<h3>${title}</h3>${table(title, head, rows)}`)
          .join("\n        ")}
      </div>`;
}

function attributeTable(title, attributes) {
  const rows = attributes.map((one) => [code(one.name), kinds(one.type), code(JSON.parse(one.default)), said(one)]);
  return table(title, ["Attribute", "Values", "Starts with", "Meaning"], rows);
}

/** Cells are markup. What is too wide for the page scrolls, and can be reached by keyboard. */
function table(label, head, rows) {
  const row = ([name, ...cells]) => `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(label)}"><table>
          <thead><tr>${head.map((one) => `<th scope="col">${one}</th>`).join("")}</tr></thead>
          <tbody>${rows.map(row).join("")}</tbody>
        </table></div>`;
}

const said = ({ deprecated, description = "" }) => withCode(deprecated === undefined ? description : `${deprecated} ${description}`);

/** Texts are written in an attribute without quotes around them. */
const kinds = ({ text }) => {
  const values = [...text.matchAll(/"([^"]*)"/g)].flatMap(([, value]) => (value === "" ? [] : code(value)));
  return values.length > 0 ? values.join(" ") : escaped(text.replaceAll(" | ", " or "));
};

const code = (text) => (text === "" ? "" : `<code>${escaped(text)}</code>`);
const withCode = (text) => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
