/** The reader's setting in a framework's words. */

import type { LaunchSetting } from "shardlab";
import { frameworks } from "../memory-launch.js";
import { inWords } from "../memory-parameters.js";
import type { MemoryState } from "../memory-state.js";
import type { More } from "../routine.js";
import { rule, say, word } from "../words.js";

/** A sentence whose field has its control's name. What follows may name Python, which stays as it is. */
function leftOut(sentence: string): string {
  const end = sentence.indexOf(":");
  const [field, reason] = [sentence.slice(0, end), sentence.slice(end + 2)];
  return say`${inWords(rule(field))}: ${rule(reason)}`;
}

function row({ name, value, meaning }: LaunchSetting): string[] {
  return [name, value, rule(meaning)];
}

export function launchFlags({ launch }: MemoryState): More {
  const { label } = frameworks.find(({ value }) => value === launch.framework)!;
  return {
    note: say`What asks ${label} for this model and layout. It was not run here. Data, learning rate and steps come on top; names: ${launch.version}. “Export” has each framework's as a file; “Framework”, under “More settings”, lists another.`,
    table: {
      caption: say`Settings of ${label}`,
      head: [word("setting"), word("value"), word("meaning")],
      rows: launch.settings.map(row),
      ofProgram: 2,
    },
    rest: { title: word("Left out, and why"), items: launch.leftOut.map(leftOut) },
  };
}
