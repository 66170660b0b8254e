/** Where a link to a widget's state leads: to the page that it stands on, as far as that reads such links. */

import { serialise, type Stated } from "./link.js";

/** The published lab, with a slash at its end, where the build was told of it; nothing otherwise. */
declare const SHARDLAB_BASE: string;

/**
 * @param widget as its page's author wrote it
 * @param own the state that the widget starts with where its author says nothing
 */
export type Home = (widget: Stated, own: Stated["initial"]) => string;

let home: Home = (widget, own) => `${SHARDLAB_BASE || here()}${fragment({ ...widget, initial: own })}`;

export function settle(other: Home): void {
  home = other;
}

export function linkTo(...asked: Parameters<Home>): string {
  return home(...asked);
}

/** This page, without its fragment. */
export function here(): string {
  return location.href.split("#")[0]!;
}

/** What follows the lab's page: a widget that stands as it starts is a place on it. */
export function fragment(widget: Stated): string {
  const text = serialise([widget]);
  return `#${text === "" ? widget.id : text}`;
}
