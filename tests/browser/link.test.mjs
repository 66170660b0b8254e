/** Links without a browser: what is written is what is read, whatever is written. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { generator, source } from "./sources.mjs";

let link;
let history;
let leftOut;

before(async () => {
  link = await source("link.ts");
  history = await source("history.ts");
  ({ leftOut } = await source("left-out.ts"));
});

const parameters = [
  { name: "source", kind: "choice", label: "Source", initial: "one", choices: [{ value: "one" }, { value: "two" }] },
  { name: "microBatches", kind: "whole", label: "Micro-batches", initial: "8" },
  { name: "text", kind: "text", label: "Text", initial: "", when: { parameter: "source", is: "two" } },
  { name: "step", kind: "step", label: "Step", initial: "0" },
];
const initial = Object.fromEntries(parameters.map((one) => [one.name, one.initial]));
const schemas = ["all-reduce", "zero"].map((id) => ({ id, parameters }));

const alphabet = [..."abc019 &=#?%+/.,;\"'<>{}[]\n\t€µ−😀\u202f\u0000"];

function state(random) {
  const word = () => Array.from({ length: random() * 20 }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  return {
    source: random() < 0.5 ? "one" : "two",
    microBatches: word(),
    text: word(),
    step: String(Math.floor(random() * 1e6)),
  };
}

test("what is written is what is read, for any texts", () => {
  const random = generator(1);
  for (let round = 0; round < 2000; round += 1) {
    const states = schemas.map((schema) => ({ ...schema, texts: state(random), initial }));
    const place = random() < 0.5 ? "" : "pipeline";
    const found = link.parse(`#${link.serialise(states, place)}`, schemas);
    assert.deepEqual(found.notices, []);
    assert.equal(found.place, place);
    for (const { id, texts } of states) assert.deepEqual({ ...initial, ...found.states.get(id) }, texts);
  }
});

test("a link reads like what it says", () => {
  const texts = { ...initial, microBatches: "16", step: "3" };
  assert.equal(
    link.serialise([{ ...schemas[0], texts, initial }]),
    "v=1&all-reduce.micro-batches=16&all-reduce.step=3",
  );
  assert.equal(link.serialise([], "zero"), "zero");
  assert.equal(link.serialise([]), "");
});

test("links of the first version stay readable", () => {
  const found = link.parse("#v=1&zero.micro-batches=16&zero.source=two&zero.text=1%2C2%0A3%2C4&zero.step=3", schemas);
  const read = { microBatches: "16", source: "two", text: "1,2\n3,4", step: "3" };
  assert.deepEqual([...found.states], [["zero", read]]);
});

test("what is not known is told and left out, and the rest is kept", () => {
  const found = link.parse("#v=1&zero.stages=1&nothing=2&zero.micro-batches=4&none.a=1&zero.__proto__=5", schemas);
  assert.deepEqual([...found.states], [["zero", { microBatches: "4" }]]);
  assert.deepEqual(found.notices.map((told) => told()), [
    "The link has keys that this page does not know: zero.stages, nothing, none.a, zero.__proto__.",
  ]);
  for (const [text, told] of [
    ["v=2", /^The link is of version 2; this page reads version 1\.$/],
    ["v=", /^v= in the link is left out: it must be a whole number of at least 1\.$/],
    ["v=0", /^v=0 in the link is left out/],
    ["v=new", /^v=new in the link is left out/],
    ["zero.source=three", /source=three .* must be one of one, two/],
    ["zero.step=-1", /step=-1 .* whole number/],
    ["zero.step=1e9", /whole number/],
  ]) {
    const { states, notices } = link.parse(text, schemas);
    assert.equal(states.size, 0);
    assert.match(notices.map((one) => one()).join(), told);
  }
});

test("any text is read without an exception", () => {
  const random = generator(2);
  for (let round = 0; round < 2000; round += 1) {
    const text = Array.from({ length: random() * 60 }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
    assert.ok(Array.isArray(link.parse(text, schemas).notices));
  }
});

test("what is too long for a link is left out by name", () => {
  const texts = { ...initial, source: "two", text: "1,".repeat(link.longestValue) };
  const stated = { ...schemas[0], texts, initial };
  assert.ok(link.serialise([stated]).length < 200);
  assert.deepEqual(leftOut(stated), ["Text"]);
});

test("undo goes back fifty steps, and redo returns", () => {
  const past = new history.History();
  for (let step = 0; step < 60; step += 1) {
    past.record(step, "a control");
    past.endGesture();
  }
  let now = 60;
  let undone = 0;
  for (let before = past.undo(now); before !== undefined; before = past.undo(now)) {
    assert.equal(before, now - 1);
    now = before;
    undone += 1;
  }
  assert.deepEqual([undone, now], [50, 10]);
  for (let after = past.redo(now); after !== undefined; after = past.redo(now)) now = after;
  assert.equal(now, 60);
});

test("the changes of one gesture are undone at once, and a new change ends what could be redone", () => {
  const past = new history.History();
  past.record("a", "slider");
  past.record("b", "slider");
  past.endGesture();
  past.record("c", "slider");
  assert.equal(past.undo("d"), "c");
  assert.equal(past.undo("c"), "a");
  assert.equal(past.undo("a"), undefined);
  past.record("a", "field");
  assert.equal(past.redo("e"), undefined);
  assert.equal(past.canRedo, false);
});
