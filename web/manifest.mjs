/**
 * What the elements have, as data: custom-elements.json (https://github.com/webcomponents/custom-elements-manifest) and
 * the data by which VS Code completes HTML. What all have is said in src/element.ts, the rest by the routines.
 */

import { readFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";
import { web } from "./bundling.mjs";

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** `all-reduce` to `ShardlabAllReduce`. */
export const className = (id) => `Shardlab${id.replace(/(^|-)([a-z])/g, (_, __, letter) => letter.toUpperCase())}`;

/** @param routines those of the widgets, as src/routines has them */
export async function manifest(routines, version) {
  const common = await everyElement();
  return {
    schemaVersion: "2.1.0",
    readme: "README.md",
    modules: routines.flatMap((routine) => [classModule(routine, common, version), registeringModule(routine)]),
  };
}

function classModule(routine, common, version) {
  const { id, title, claim, parameters, presets = [] } = routine;
  const own = parameters.filter(({ kind }) => kind !== "files").flatMap((parameter) => attributesOf(parameter, parameters, common.settings));
  const kept = ({ former, ...attribute }) => attribute;
  const declaration = {
    kind: "class",
    name: className(id),
    tagName: `shardlab-${id}`,
    customElement: true,
    summary: title,
    description: claim,
    attributes: [...own.map(kept), ...common.settings.map((setting) => settingAttribute(setting, presets))],
    members: [...own.filter(({ former }) => !former).map(parameterField), ...common.settings.map(settingField), ...common.members, versionField(version)],
    events: common.events,
    slots: common.slots,
    cssParts: common.cssParts,
    cssStates: common.cssStates,
    cssProperties: common.cssProperties,
  };
  const file = `widgets/${id}.class.js`;
  const exported = { kind: "js", name: "default", declaration: { name: declaration.name, module: file } };
  return { kind: "javascript-module", path: file, declarations: [declaration], exports: [exported] };
}

function registeringModule({ id }) {
  const declaration = { name: className(id), module: `widgets/${id}.class.js` };
  const exported = { kind: "custom-element-definition", name: `shardlab-${id}`, declaration };
  return { kind: "javascript-module", path: `widgets/${id}.js`, declarations: [], exports: [exported] };
}

// Parameters

/** The attribute that a parameter has, and those that it had; where a setting has that name, there is none. */
function attributesOf(parameter, all, settings) {
  const { name, label, description, initial, formerly = [] } = parameter;
  const taken = new Set(["hidden", ...settings.map((setting) => kebab(setting.name))]);
  const attribute = {
    name: kebab(name),
    fieldName: name,
    type: { text: typeOf(parameter) },
    default: JSON.stringify(initial),
    description: [`${label}.`, description, onlyWhere(parameter, all)].filter((text) => text !== undefined).join(" "),
  };
  const former = formerly
    .map(kebab)
    .map((old) => ({ ...attribute, name: old, deprecated: `It is called ${attribute.name} now.`, former: true }));
  return [attribute, ...former].filter((one) => !taken.has(one.name));
}

function onlyWhere({ when }, all) {
  if (when === undefined) return undefined;
  const is = [when.is].flat();
  const { choices = [] } = all.find(({ name }) => name === when.parameter) ?? {};
  const others = choices.map(({ value }) => value).filter((value) => !is.includes(value));
  const [word, values] = others.length > 0 && others.length < is.length ? ["unless", others] : ["where", is];
  return `Counts ${word} ${kebab(when.parameter)} is ${values.join(" or ")}.`;
}

/** Of a choice, its values; what looks like a number may be given as one. */
function typeOf({ kind, choices = [] }) {
  if (kind !== "choice") return kind === "text" || kind === "kept" ? "string" : "string | number";
  return choices.flatMap(({ value }) => (String(Number(value)) === value ? [JSON.stringify(value), value] : [JSON.stringify(value)])).join(" | ");
}

function parameterField({ name, fieldName, type, default: initial, description }) {
  return { kind: "field", name: fieldName, type, default: initial, description, attribute: name, reflects: true };
}

// Settings

function settingAttribute({ name, type, description }, presets) {
  const isPreset = name === "preset";
  const names = presets.map((preset) => JSON.stringify(preset.name)).join(" | ");
  const written = type.text === "ControlTexts" ? "string" : type.text;
  return {
    name: kebab(name),
    fieldName: name,
    type: { text: isPreset && names !== "" ? names : written },
    description: isPreset && names !== "" ? `${description} ${presets.map((preset) => `${preset.name}: ${preset.label}.`).join(" ")}` : description,
  };
}

function settingField({ name, type, description }) {
  return { kind: "field", name, type, description, attribute: kebab(name), reflects: name !== "state" };
}

function versionField(version) {
  return { kind: "field", name: "version", static: true, readonly: true, type: { text: "string" }, default: JSON.stringify(version) };
}

// What every element has

/** As src/element.ts says it. */
async function everyElement() {
  const file = path.join(web, "src/element.ts");
  const source = ts.createSourceFile(file, await readFile(file, "utf8"), ts.ScriptTarget.ES2022, true);
  const interfaces = new Map(source.statements.filter(ts.isInterfaceDeclaration).map((one) => [one.name.text, one]));
  const tags = ts.getJSDocTags(interfaces.get("ShardlabElement")).map((tag) => [tag.tagName.text, oneLine(tag.comment)]);
  const named = (kind) => tags.filter(([tag]) => tag === kind).map(([, text]) => nameAndText(text));
  const values = await variables();
  return {
    settings: interfaces.get("ShardlabSettings").members.map(field),
    members: interfaces.get("ShardlabMembers").members.map((member) => (ts.isMethodSignature(member) ? method(member) : field(member))),
    events: [
      ...interfaces.get("ShardlabEvents").members.map((one) => ({ ...field(one), kind: undefined, readonly: undefined })),
      ...named("fires").map((one) => ({ ...one, type: { text: "Event" } })),
    ],
    slots: named("slot"),
    cssParts: named("csspart"),
    cssStates: named("cssstate"),
    cssProperties: named("cssproperty").map((one) => ({ ...one, default: values.get(one.name) })),
  };
}

const oneLine = (comment) => (ts.getTextOfJSDocComment(comment) ?? "").replace(/\s+/g, " ").trim();

function nameAndText(text) {
  const [name, description] = text.split(/\s*(?<=^|\s)-\s+/);
  return { name: name.trim(), description };
}

function description(node) {
  const [block] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return block === undefined ? {} : { description: oneLine(block.comment) };
}

function field(member) {
  const isReadonly = member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword);
  return {
    kind: "field",
    name: member.name.text,
    type: { text: typeText(member.type) },
    ...description(member),
    ...(isReadonly ? { readonly: true } : {}),
  };
}

function method(member) {
  const parameters = member.parameters.map((one) => ({
    name: one.name.text,
    type: { text: typeText(one.type) },
    ...(one.questionToken === undefined ? {} : { optional: true }),
  }));
  return { kind: "method", name: member.name.text, parameters, return: { type: { text: typeText(member.type) } }, ...description(member) };
}

const typeText = (type) => type.getText().replace(/\s+/g, " ").replace(/; }/g, " }");

/** The style sheet's variables that are for the pages of others, and what stands for each where a page says nothing. */
async function variables() {
  const sheet = await readFile(path.join(web, "src/tokens.css"), "utf8");
  return new Map([...sheet.matchAll(/: var\((--shardlab-[a-z0-9-]+), (.+)\);/g)].map(([, name, value]) => [name, value]));
}

/** The same as VS Code reads it, where a choice has its label too. */
export function htmlData({ modules }, routines) {
  const elements = modules.flatMap(({ declarations }) => declarations);
  const choicesOf = (id, name) => routines.find((one) => one.id === id).parameters.find((one) => one.name === name)?.choices;
  return {
    version: 1.1,
    tags: elements.map(({ tagName, summary, description: claim, attributes }) => ({
      name: tagName,
      description: `${summary}. ${claim}`,
      attributes: attributes.map(({ name, fieldName, type, description: text, deprecated }) => ({
        name,
        description: [deprecated, text].filter((part) => part !== undefined).join(" "),
        ...valuesOf(type.text, choicesOf(tagName.replace("shardlab-", ""), fieldName)),
      })),
    })),
  };
}

function valuesOf(type, choices) {
  if (type === "boolean") return { valueSet: "v" };
  if (choices !== undefined) return { values: choices.map(({ value, label }) => ({ name: value, description: label })) };
  const found = [...type.matchAll(/"([^"]*)"/g)].flatMap(([, name]) => (name === "" ? [] : { name }));
  return found.length === 0 ? {} : { values: found };
}
