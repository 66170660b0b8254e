/** What an assistive technology is told of a widget: the newest caption, and no more of them than can be heard. */

import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Milliseconds between two announcements. */
const pause = 500;

export class Announcer implements ReactiveController {
  /** what is to be heard */
  text = "";
  private newest = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Announces the text, or a newer one, when the pause is over. */
  say(text: string): void {
    if (text === this.newest) return;
    this.newest = text;
    this.timer ??= setTimeout(() => this.speak(), pause);
  }

  private speak(): void {
    this.timer = undefined;
    this.text = this.newest;
    this.host.requestUpdate();
  }
}
