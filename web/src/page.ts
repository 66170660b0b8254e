/** The page: its widgets, and the address that says what they show. */

import { define } from "./define.js";
import { folder, fragment, here, settle } from "./home.js";
import { noticeBox, PageAddress } from "./page-address.js";
import { routines } from "./routines/index.js";
import { Widget } from "./widget.js";

declare const SHARDLAB_BASE: string;

settle({ link: (widget) => here() + fragment(widget), base: () => SHARDLAB_BASE || folder(), frames: folder });
for (const routine of routines) define(routine);

function widgets(): Widget[] {
  return routines.flatMap(({ id }) => {
    const element = document.querySelector(`main shardlab-${id}`);
    return element instanceof Widget ? [element] : [];
  });
}

new PageAddress({ schemas: routines, parts: widgets, notice: noticeBox() });

async function openPath(): Promise<void> {
  const place = document.querySelector<HTMLElement>(".path");
  const memory = widgets().find(({ routine }) => routine.id === "memory");
  if (place === null || memory === undefined) return;
  try {
    await (await import("./walk.js")).walk(place, memory);
  } catch {
    // The widgets say why the lab does not run; the path is read as the text that it is.
    place.classList.add("ready");
  }
}

void openPath();
