/**
 * Serves a directory to this machine alone: node serve.mjs DIR [--port N]
 *
 * Read-only, no directory listing. Where the port is taken, the next free one is used, and said.
 */

import { statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import sirv from "sirv";

const host = "127.0.0.1";
const defaultPort = 8080;
const portsTried = 100;

/** A mistake of the caller's, to be told in one line. */
class UsageError extends Error {}

/** Answers requests for the files of a directory. Files are looked up when they are asked for: a rebuild shows. */
export function siteHandler(directory) {
  const files = sirv(directory, {
    dev: true,
    etag: true,
    setHeaders(response) {
      response.setHeader("X-Content-Type-Options", "nosniff");
      // Notes on other hosts and pages without an origin import the widgets from here.
      response.setHeader("Access-Control-Allow-Origin", "*");
    },
  });
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
      return;
    }
    files(request, response, () => response.writeHead(404, { "Content-Type": "text/plain" }).end("not found\n"));
  };
}

function readPort(text) {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) {
    throw new UsageError(`port must be a whole number from 0 to 65535; it is ${JSON.stringify(text)}`);
  }
  return port;
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve(server.address().port);
    });
  });
}

/** Listens on the port or on the next free one; 0 takes any. Gives the port. */
async function listenNear(server, wanted) {
  const last = wanted === 0 ? 0 : Math.min(wanted + portsTried - 1, 65535);
  for (let port = wanted; port <= last; port += 1) {
    try {
      return await listen(server, port);
    } catch (error) {
      if (error.code === "EACCES") throw new UsageError(`port ${port} needs more rights; choose one from 1024 on`);
      if (error.code !== "EADDRINUSE") throw error;
    }
  }
  throw new UsageError(`ports ${wanted} to ${last} are all taken; choose another with --port`);
}

/** Starts serving a directory. */
export async function serve({ directory, port = defaultPort }) {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`no directory ${directory}: build the page first`);
  }
  const server = createServer(siteHandler(directory));
  const used = await listenNear(server, port);
  return { server, port: used, url: `http://${host}:${used}/` };
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ options: { port: { type: "string" } }, allowPositionals: true });
    if (positionals.length !== 1) throw new Error("one directory is expected");
    return { directory: path.resolve(positionals[0]), port: readPort(values.port ?? String(defaultPort)) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`usage: node serve.mjs DIR [--port N] (${error.message})`);
  }
}

async function main() {
  const { directory, port } = readArguments();
  const { server, port: used, url } = await serve({ directory, port });
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      server.close(() => process.exit(0));
      server.closeAllConnections();
    });
  }
  if (port !== 0 && used !== port) console.log(`Port ${port} is taken; using ${used}.`);
  console.log(`Shardlab is at ${url} (Ctrl-C ends it)`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error instanceof UsageError ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  });
}
