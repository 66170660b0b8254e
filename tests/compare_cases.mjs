// Two Catch2 binaries must have the same cases:
//   node compare_cases.mjs NATIVE_BINARY WEBASSEMBLY_SCRIPT OPTIONS_THAT_LIST_NAMES...
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const [native, wasm, ...listNames] = process.argv.slice(2);

if (!existsSync(native)) throw new Error(`there is no ${native}: build the native tree first`);

/** What a command prints, to a file: of a full pipe a program that ends at once loses the rest. */
function printed(command, args) {
  const folder = mkdtempSync(path.join(tmpdir(), "shardlab-cases-"));
  const file = path.join(folder, "list");
  const output = openSync(file, "w");
  const { error } = spawnSync(command, args, { stdio: ["ignore", output, "inherit"] });
  closeSync(output);
  const text = readFileSync(file, "utf8");
  rmSync(folder, { recursive: true });
  if (error) throw error;
  return text;
}

function cases(command, args) {
  // The exit status says nothing: Catch2 2 returns the number of cases.
  const names = printed(command, [...args, ...listNames]).split("\n").filter((line) => line.trim() !== "");
  if (names.length === 0) throw new Error(`${command} ${args.join(" ")} lists no cases`);
  return new Set(names);
}

const nativeCases = cases(native, []);
const wasmCases = cases(process.execPath, [wasm]);
const onlyNative = [...nativeCases].filter((name) => !wasmCases.has(name));
const onlyWasm = [...wasmCases].filter((name) => !nativeCases.has(name));

for (const name of onlyNative) console.error(`only native: ${name}`);
for (const name of onlyWasm) console.error(`only in WebAssembly: ${name}`);
console.log(`${nativeCases.size} native cases, ${wasmCases.size} in WebAssembly`);
process.exitCode = onlyNative.length + onlyWasm.length > 0 ? 1 : 0;
