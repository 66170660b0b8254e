// Two Catch2 binaries must have the same cases:
//   node compare_cases.mjs NATIVE_BINARY WEBASSEMBLY_SCRIPT OPTIONS_THAT_LIST_NAMES...
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const [native, wasm, ...listNames] = process.argv.slice(2);

if (!existsSync(native)) throw new Error(`there is no ${native}: build the native tree first`);

function cases(command, args) {
  const { error, stdout, stderr } = spawnSync(command, [...args, ...listNames], { encoding: "utf8" });
  if (error) throw error;
  // The exit status says nothing: Catch2 2 returns the number of cases.
  const names = stdout.split("\n").filter((line) => line.trim() !== "");
  if (names.length === 0) throw new Error(`${command} ${args.join(" ")} lists no cases: ${stderr}`);
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
