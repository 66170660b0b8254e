import assert from "node:assert/strict";
import { test } from "node:test";
import { examples, importBuilt } from "./support.mjs";

const { complete } = await importBuilt("complete.js");
const { options, routines } = await importBuilt("defaults.js");
const { compile, instantiate } = await importBuilt("wasm.js");
const { moduleOf } = await importBuilt("modules.js");
const modules = ["shardlab", "training", "pipelines", "memory"];
const cores = {
  shardlab: await instantiate("shardlab", await compile("shardlab")),
  training: await instantiate("training", await compile("training")),
  pipelines: await instantiate("pipelines", await compile("pipelines")),
  memory: await instantiate("memory", await compile("memory")),
  verify: await instantiate("verify", await compile("verify")),
};

test("there is an example for every routine, and C++ has every routine", () => {
  assert.deepEqual(Object.keys(examples).sort(), [...routines].sort());
  for (const routine of routines) {
    assert.equal(typeof cores[moduleOf(routine, modules)][routine], "function", routine);
  }
});

for (const routine of routines) {
  test(`${routine}: C++ reads the options that TypeScript fills in, and no other`, () => {
    const read = new Set();
    const watched = new Proxy(complete(routine, examples[routine]), {
      get(target, key) {
        read.add(key);
        return target[key];
      },
    });
    assert.ok(!Object.keys(Object(cores[moduleOf(routine, modules)][routine](watched))).includes("error"));
    assert.deepEqual([...read].sort(), Object.keys(options[routine]).sort());
    assert.deepEqual(Object.keys(watched).sort(), Object.keys(options[routine]).sort());
  });
}
