/** A project of a user's own, into which the package is installed from its tarball. */

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { packageDirectory } from "./support.mjs";

const run = promisify(execFile);

/**
 * @returns its folder; what npm says of the tarball; `runScript(name, text)`, which runs a script there; and `remove()`,
 * to be called at the end
 */
export async function install() {
  const around = await mkdtemp(path.join(tmpdir(), "shardlab-npm-"));
  const folder = path.join(around, "consumer");
  await mkdir(folder);
  // A cache of its own, and no network.
  const env = { ...process.env, npm_config_cache: path.join(around, "cache"), npm_config_offline: "true" };
  const npm = (...words) => run("npm", words, { cwd: folder, env });
  const { stdout } = await npm("pack", packageDirectory, "--pack-destination", around, "--json");
  const [packed] = JSON.parse(stdout);
  await writeFile(path.join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await npm("install", "--no-audit", "--no-fund", path.join(around, packed.filename));
  return {
    folder,
    packed,
    async runScript(name, text) {
      await writeFile(path.join(folder, name), text);
      return run(process.execPath, [name], { cwd: folder });
    },
    remove: () => rm(around, { recursive: true }),
  };
}
