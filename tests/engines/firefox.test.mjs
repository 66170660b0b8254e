// Firefox's engine, Gecko, driven by Puppeteer over WebDriver BiDi.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { engineOf, smoke } from "./smoke.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));

const candidates = ["/usr/bin/firefox-esr", "/usr/bin/firefox"];

smoke(async () => {
  const executablePath = candidates.find((file) => existsSync(file));
  if (executablePath === undefined) {
    throw new Error(`this test needs Firefox (Debian's package firefox-esr) at one of ${candidates.join(", ")}`);
  }
  return engineOf(await require("puppeteer-core").launch({ browser: "firefox", executablePath, timeout: 120_000 }));
});
