/**
 * Makes the pictures of the page that the README opens with: node tests/browser/picture.mjs
 *
 * They show the built page, build/site or the directory that SHARDLAB_SITE names, and are written to docs/.
 */

import { fileURLToPath } from "node:url";
import { open, widget } from "./browser.mjs";

const root = new URL("../../", import.meta.url);
/** Bytes that a picture may have. */
const largest = 150 * 1024;

async function picture(site, colorScheme) {
  const page = await site.lab({ width: 1100, colorScheme });
  const ring = widget(page, "all-reduce");
  await ring.step(2);
  await ring.root.locator("[name=step]").blur();
  const { x, y, width, height } = await ring.root.evaluate((element) => {
    const { left, top, width } = element.getBoundingClientRect();
    // To the readouts: what stands below them is not the picture of anything.
    const { bottom } = element.shadowRoot.querySelector(".tiles").getBoundingClientRect();
    return { x: left + scrollX, y: top + scrollY, width, height: bottom - top };
  });
  const around = 20;
  const clip = { x: x - around, y: y - around, width: width + 2 * around, height: height + 2 * around };
  const path = fileURLToPath(new URL(`docs/page-${colorScheme}.png`, root));
  const { length } = await page.screenshot({ path, clip, fullPage: true });
  await page.close();
  if (length > largest) throw new Error(`${path} has ${length} bytes, and should have at most ${largest}`);
  console.log(`${path}: ${length} bytes`);
}

process.env.SHARDLAB_SITE ??= fileURLToPath(new URL("build/site", root));
const site = await open();
try {
  for (const colorScheme of ["light", "dark"]) await picture(site, colorScheme);
} finally {
  await site.close();
}
