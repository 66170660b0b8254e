/** What an assistive technology is told of a widget: the newest caption, and no more of them than can be heard. */

import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Milliseconds between two announcements. */
const pause = 500;

export class Announcer implements ReactiveController {
  /** what is to be heard */
  text = "";
  private newest: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Announces the text, or a newer one, when the pause is over. The first is there to be read: it is no news. */
  say(text: string): void {
    const news = this.newest !== undefined && text !== this.newest;
    this.newest = text;
    if (news) this.timer ??= setTimeout(() => this.speak(), pause);
  }

  private speak(): void {
    this.timer = undefined;
    this.text = this.newest!;
    this.host.requestUpdate();
  }
}
