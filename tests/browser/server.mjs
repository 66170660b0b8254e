/** The built page, served to this machine from a sub-path. */

import { existsSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { siteHandler } from "../../web/serve.mjs";

/** Relative links alone survive this. */
const base = "/a/b/";

export function siteDirectory() {
  const directory = process.env.SHARDLAB_SITE;
  if (directory === undefined || !existsSync(path.join(directory, "index.html"))) {
    throw new Error(`SHARDLAB_SITE must name the directory of the built page; it is ${directory}`);
  }
  return directory;
}

/**
 * Starts to serve.
 *
 * @param answers takes a request whose path is that below the page's folder; where it gives true it has answered
 */
export async function serveSite(answers = () => false) {
  const files = siteHandler(siteDirectory());
  const server = createServer((request, response) => {
    if (!request.url.startsWith(base)) {
      response.writeHead(404).end();
      return;
    }
    request.url = request.url.slice(base.length - 1);
    if (!answers(request, response)) files(request, response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { origin, url: origin + base, close };
}

/** A page of another origin than the site's, with a body and a policy that a test gives it. */
export async function servePage() {
  let body = "";
  let policy;
  const server = createServer((_, response) => {
    const headers = policy === undefined ? {} : { "Content-Security-Policy": policy };
    response.writeHead(200, { "Content-Type": "text/html", ...headers });
    response.end(`<!doctype html><html lang="en"><title>Notes</title><link rel="icon" href="data:,"><body>${body}</body></html>`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    show: (text, underPolicy) => {
      body = text;
      policy = underPolicy;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
