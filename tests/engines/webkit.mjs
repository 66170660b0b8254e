/** MiniBrowser on a screen that nobody sees, and the little of WebDriver that it takes to use it. */

import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";

/** The protocol's names for keys that write nothing. */
const keys = { Enter: "\ue007", ArrowRight: "\ue014" };

/** Milliseconds that a program may take to start. */
const patience = 30_000;

/** Starts a program, and gives it once it runs. */
function start(command, args, { debianPackage, ...options }) {
  const child = spawn(command, args, options);
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child));
    child.once("error", () => reject(new Error(`this test needs ${command} (Debian's package ${debianPackage})`)));
  });
}

/** Starts a display of a number that is free, which it writes to its fourth stream. */
async function startDisplay() {
  const args = ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"];
  const child = await start("Xvfb", args, { debianPackage: "xvfb", stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const name = await new Promise((resolve, reject) => {
    child.stdio[3].once("data", (number) => resolve(`:${String(number).trim()}`));
    child.once("exit", (status) => reject(new Error(`Xvfb ended with status ${status}`)));
  });
  return { child, name };
}

/** The browser is a program of WebKitGTK's library, and not on the PATH. */
function miniBrowser() {
  const libraries = readdirSync("/usr/lib").map((name) => path.join("/usr/lib", name));
  const found = [...libraries, "/usr/lib", "/usr/libexec"]
    .flatMap((folder) => ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"].map((name) => path.join(folder, name, "MiniBrowser")))
    .find((file) => existsSync(file));
  if (found === undefined) throw new Error("this test needs MiniBrowser (Debian's package libwebkit2gtk-4.1-0)");
  return found;
}

function freePort() {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** One call of the protocol; what the driver refuses is thrown. */
async function call(method, address, body) {
  const response = await fetch(address, { method, body: body === undefined ? undefined : JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

async function listens(driver) {
  const end = Date.now() + patience;
  for (;;) {
    try {
      if ((await call("GET", `${driver}/status`)).ready) return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Opens a browser, and gives its address at the driver. */
async function openSession(driver) {
  const options = { binary: miniBrowser(), args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  const { sessionId } = await call("POST", `${driver}/session`, { capabilities });
  return `${driver}/session/${sessionId}`;
}

export async function startWebKit() {
  const children = [];
  const stop = () => children.reverse().forEach((child) => child.kill());
  try {
    const display = await startDisplay();
    children.push(display.child);
    const port = await freePort();
    const env = { ...process.env, DISPLAY: display.name };
    const options = { debianPackage: "webkit2gtk-driver", stdio: "ignore", env };
    children.push(await start("WebKitWebDriver", [`--port=${port}`], options));
    const driver = `http://127.0.0.1:${port}`;
    await listens(driver);
    return commands(await openSession(driver), stop);
  } catch (error) {
    stop();
    throw error;
  }
}

function commands(session, stop) {
  return {
    open: (url) => call("POST", `${session}/url`, { url }),
    run: (expression) => call("POST", `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    press: (key) => {
      const actions = ["keyDown", "keyUp"].map((type) => ({ type, value: keys[key] }));
      return call("POST", `${session}/actions`, { actions: [{ type: "key", id: "keyboard", actions }] });
    },
    close: () => call("DELETE", session).finally(stop),
  };
}
