/** Where links to a widget's state lead: to the page that it stands on, as far as that reads such links. */

import { serialise, type Stated } from "./link.js";

/** The published lab, with a slash at its end, where the build was told of it; nothing otherwise. */
declare const SHARDLAB_BASE: string;

/**
 * @param widget as its page's author wrote it
 * @param own the state that the widget starts with where its author says nothing
 */
type LinkTo = (widget: Stated, own: Stated["initial"]) => string;

export interface Home {
  link: LinkTo;
  /** the lab's page, with all widgets; nothing where that is unknown, or where this is it */
  full?: LinkTo;
  /** where the lab is for the notes of others, with a slash at its end; nothing where that is unknown */
  base(): string;
  /** where a page of the widget alone can be shown in a frame, in the same way; left out where there is none */
  frames?(): string;
}

let home: Home = {
  link: (widget, own) => `${SHARDLAB_BASE || here()}${fragment({ ...widget, initial: own })}`,
  full: (widget, own) => SHARDLAB_BASE && `${SHARDLAB_BASE}${fragment({ ...widget, initial: own })}`,
  base: () => SHARDLAB_BASE || beside(),
  frames: beside,
};

export function settle(other: Home): void {
  home = other;
}

export function atHome(): Home {
  return home;
}

/** The folder that has the folders of the scripts, which this is one of. */
function beside(): string {
  return new URL("..", import.meta.url).href;
}

/** Of a page beside the lab's, to which its links lead. */
export const besideTheLab: Home = {
  link: (widget, own) => folder() + fragment({ ...widget, initial: own }),
  base: () => SHARDLAB_BASE || folder(),
  frames: folder,
};

/** This page, without its fragment. */
export function here(): string {
  return location.href.split("#")[0]!;
}

/** The folder that this page is in, with a slash at its end. */
export function folder(): string {
  return new URL(".", here()).href;
}

/** What follows the lab's page: a widget that stands as it starts is a place on it. */
export function fragment(widget: Stated): string {
  const text = serialise([widget]);
  return `#${text === "" ? widget.id : text}`;
}
