// Chromium's engine, Blink, driven by Playwright.
import { launchChromium } from "../browser/browser.mjs";
import { smoke } from "./smoke.mjs";

smoke(async () => {
  const browser = await launchChromium();
  const page = await browser.newPage();
  return {
    open: (address) => page.goto(address),
    run: (expression) => page.evaluate(expression),
    press: (key) => page.keyboard.press(key),
    close: () => browser.close(),
  };
});
