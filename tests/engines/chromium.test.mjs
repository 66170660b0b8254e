// Chromium's engine, Blink, driven by Playwright.
import { launchChromium } from "../browser/browser.mjs";
import { engineOf, smoke } from "./smoke.mjs";

smoke(async () => engineOf(await launchChromium()));
