// Configurations that cannot work must fail, and say why.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";

const source = process.env.SHARDLAB_SOURCE;

/** Configures the project in a folder that is removed afterwards; gives all that CMake said. */
function configure(options, environment = {}) {
  const build = mkdtempSync(path.join(tmpdir(), "shardlab-guard-"));
  try {
    const env = { ...process.env, ...environment };
    const result = spawnSync("cmake", ["-G", "Ninja", "-S", source, "-B", build, ...options], { encoding: "utf8", env });
    assert.ifError(result.error);
    // CMake breaks the lines of its messages.
    return { status: result.status, said: (result.stdout + result.stderr).replace(/\s+/g, " ") };
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
}

test("flags that reorder sums are refused by name", () => {
  for (const flag of ["-ffast-math", "-Ofast"]) {
    const { status, said } = configure([`-DCMAKE_CXX_FLAGS=-O2 ${flag}`]);
    assert.notEqual(status, 0);
    assert.ok(said.includes(`cannot be compiled with ${flag}`), said);
  }
});

test("the fuzzers are refused to a compiler that has none", () => {
  const { status, said } = configure(["-DSHARDLAB_FUZZ=ON", "-DCMAKE_CXX_COMPILER=g++"]);
  assert.notEqual(status, 0);
  assert.match(said, /The fuzzers need Clang/);
});

test("without an Emscripten on the PATH the WebAssembly build says what to install", () => {
  const bin = mkdtempSync(path.join(tmpdir(), "shardlab-path-"));
  try {
    for (const command of ["cmake", "ninja", "node"]) {
      const found = spawnSync("sh", ["-c", `command -v ${command}`], { encoding: "utf8" }).stdout.trim();
      symlinkSync(found, path.join(bin, command));
    }
    const { status, said } = configure([`-DCMAKE_TOOLCHAIN_FILE=${source}/cmake/wasm-toolchain.cmake`], { PATH: bin });
    assert.notEqual(status, 0);
    assert.match(said, /no Emscripten on the PATH .*apt-get install emscripten/);
  } finally {
    rmSync(bin, { recursive: true, force: true });
  }
});

test("the lock of the page's tools names no address, so that any registry serves it", () => {
  const lock = readFileSync(path.join(source, "web", "package-lock.json"), "utf8");
  assert.doesNotMatch(lock, /"resolved"|https?:\/\/[^"]*registry/);
});

test("the full tier leaves out nothing: an empty filter would be that of the preset it inherits from", () => {
  const { testPresets } = JSON.parse(readFileSync(path.join(source, "CMakePresets.json"), "utf8"));
  const full = testPresets.filter(({ name }) => name.endsWith("-full"));
  assert.deepEqual(full.map(({ name }) => name), ["native-full", "wasm-full"]);
  for (const { name, filter } of full) {
    assert.notEqual(filter.exclude.label, "", name);
    assert.doesNotMatch("full", new RegExp(filter.exclude.label), name);
  }
  assert.equal(full.find(({ name }) => name === "wasm-full").environment.SHARDLAB_TIER, "full", "what the tests repeat");
});
