// Runs the command, and says what an answer and a refusal are.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

const command = process.env.SHARDLAB_CLI;
assert.ok(command, "SHARDLAB_CLI must be the path of the command");

const folder = mkdtempSync(join(tmpdir(), "shardlab-cli-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file into a temporary folder, and gives its path. */
export function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** The temporary folder itself. */
export function directory() {
  return folder;
}

/** Runs the command with words: one text to be cut at blanks, or a list where a word may hold anything. */
export function run(words, options = {}) {
  const list = Array.isArray(words) ? words : words.split(" ").filter((word) => word !== "");
  const result = spawnSync(command, list, { encoding: "utf8", timeout: 60_000, maxBuffer: 2 ** 28, ...options });
  assert.equal(result.error, undefined);
  return result;
}

/** The text that the command prints. */
export function text(words) {
  const { status, stdout, stderr } = run(words);
  assert.equal(stderr, "", `no complaint about ${words}`);
  assert.equal(status, 0, `exit status of ${words}`);
  return stdout;
}

/** The object that the command answers with. */
export function answer(words) {
  const stdout = text(words);
  assert.doesNotMatch(stdout, /\b(nan|inf|infinity|null)\b/i, "every number is finite");
  return JSON.parse(stdout);
}

/** Holds that the command refuses its words in one line which has each of the given parts. */
export function assertRefused(words, ...parts) {
  const { status, stdout, stderr } = run(words);
  const what = Array.isArray(words) ? words.join(" ") : words;
  assert.equal(stdout, "", `nothing on stdout for: ${what}`);
  assert.match(stderr, /^[^\n]+\n$/, `one line on stderr for: ${what}`);
  assert.match(stderr, /; it must /, `a rule for: ${what}`);
  for (const part of parts) {
    assert.ok(stderr.includes(part), `"${part}" in the complaint about: ${what}\n${stderr}`);
  }
  assert.equal(status, 2, `exit status for: ${what}`);
}
