import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../web/serve.mjs", import.meta.url));

let folder;
let root;
const started = [];

before(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "shardlab-serve-"));
  folder = path.join(root, "site");
  mkdirSync(path.join(folder, "inner"), { recursive: true });
  writeFileSync(path.join(root, "secret.txt"), "secret");
  writeFileSync(path.join(folder, "index.html"), "<!doctype html><title>here</title>");
  writeFileSync(path.join(folder, "shardlab.wasm"), new Uint8Array([0, 97, 115, 109]));
  writeFileSync(path.join(folder, "core.mjs"), "export {};");
  writeFileSync(path.join(folder, "inner", "a.txt"), "a");
});

after(() => {
  for (const child of started) child.kill();
  rmSync(root, { recursive: true, force: true });
});

/** Starts the server and waits for its address. */
async function start(...options) {
  const child = spawn(process.execPath, [script, folder, ...options]);
  started.push(child);
  let output = "";
  child.stdout.setEncoding("utf8");
  for await (const text of child.stdout) {
    output += text;
    const url = output.match(/http:\/\/127\.0\.0\.1:(\d+)\//);
    if (url !== null) return { child, output, port: Number(url[1]) };
  }
  throw new Error(`the server ended: ${output}`);
}

async function fails(...options) {
  const child = spawn(process.execPath, [script, ...options]);
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
  const [code] = await once(child, "close");
  return { code, output };
}

/** A request whose path is sent as it is written. */
function get(port, target, method = "GET") {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port, path: target, method }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text) => (body += text));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    request.on("error", reject).end();
  });
}

test("files come with their types, and what is not a file is not found", async () => {
  const { port } = await start("--port", "0");
  assert.match((await get(port, "/")).body, /here/);
  assert.match((await get(port, "/")).headers["content-type"], /^text\/html/);
  assert.equal((await get(port, "/shardlab.wasm")).headers["content-type"], "application/wasm");
  assert.match((await get(port, "/core.mjs")).headers["content-type"], /^text\/javascript/);
  for (const target of [
    "/inner/",
    "/inner",
    "/none",
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/%",
  ]) {
    const { status, body } = await get(port, target);
    assert.equal(status, 404, target);
    assert.doesNotMatch(body, /secret|a\.txt/, target);
  }
  assert.equal((await get(port, "/core.mjs", "POST")).status, 405);
  assert.equal((await get(port, "/core.mjs", "DELETE")).status, 405);
  assert.equal((await get(port, "/core.mjs", "HEAD")).status, 200);
});

test("a file that changes is served anew", async () => {
  const { port } = await start("--port", "0");
  const file = path.join(folder, "new.txt");
  writeFileSync(file, "one");
  assert.equal((await get(port, "/new.txt")).body, "one");
  writeFileSync(`${file}.part`, "two and more");
  renameSync(`${file}.part`, file);
  assert.equal((await get(port, "/new.txt")).body, "two and more");
});

test("a port that is taken gives way to the next, and it is said", async () => {
  const first = await start("--port", "0");
  const second = await start("--port", String(first.port));
  assert.ok(second.port > first.port);
  assert.match(second.output, new RegExp(`Port ${first.port} is taken; using ${second.port}`));
  assert.equal((await get(second.port, "/")).status, 200);
});

test("it listens to this machine alone", async () => {
  const { port } = await start("--port", "0");
  const outside = Object.values(os.networkInterfaces())
    .flat()
    .find(({ family, internal }) => family === "IPv4" && !internal);
  if (outside === undefined) return;
  await assert.rejects(
    new Promise((resolve, reject) => {
      http.get({ host: outside.address, port, path: "/" }, resolve).on("error", reject);
    }),
    { code: "ECONNREFUSED" },
  );
});

test("Ctrl-C ends it in peace", async () => {
  const { child } = await start("--port", "0");
  child.kill("SIGINT");
  const [code, signal] = await once(child, "close");
  assert.deepEqual([code, signal], [0, null]);
});

test("what is wrong with the call is said in one line", async () => {
  for (const port of ["abc", "-1", "65536", "80.5", "1e3", ""]) {
    const { code, output } = await fails(folder, `--port=${port}`);
    assert.equal(code, 2);
    assert.equal(output, `port must be a whole number from 0 to 65535; it is ${JSON.stringify(port)}\n`);
  }
  const missing = await fails(path.join(root, "none"));
  assert.deepEqual([missing.code, /no directory .*none: build the page first\n$/.test(missing.output)], [2, true]);
  for (const options of [[], [folder, folder], [folder, "--wrong"]]) {
    const { code, output } = await fails(...options);
    assert.equal(code, 2);
    assert.match(output, /^usage: .*\n$/);
  }
});
