/** The reader's setting in a framework's words. */

import type { LaunchSetting } from "shardlab";
import { frameworks } from "../memory-launch.js";
import { inWords } from "../memory-parameters.js";
import type { MemoryState } from "../memory-state.js";
import type { More } from "../routine.js";

/** A sentence whose field has its control's name. What follows may name Python, which stays as it is. */
function leftOut(sentence: string): string {
  const end = sentence.indexOf(":");
  return inWords(sentence.slice(0, end)) + sentence.slice(end);
}

function row({ name, value, meaning }: LaunchSetting): string[] {
  return [name, value, meaning];
}

export function launchFlags({ launch }: MemoryState): More {
  const { label } = frameworks.find(({ value }) => value === launch.framework)!;
  return {
    note:
      `What asks ${label} for this model and layout. It was not run here. Data, learning rate and steps come on top; ` +
      `names: ${launch.version}. “Export” has each framework's as a file; “Framework”, under “More settings”, lists another.`,
    table: { caption: `Settings of ${label}`, head: ["setting", "value", "meaning"], rows: launch.settings.map(row) },
    rest: { title: "Left out, and why", items: launch.leftOut.map(leftOut) },
  };
}
