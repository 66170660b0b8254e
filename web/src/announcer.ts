/** What an assistive technology is told of a widget: the newest caption, and no more of them than can be heard. */

import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Milliseconds between two announcements, and between two of how far something is. */
const [pause, pauseOfProgress] = [500, 5000];

export class Announcer implements ReactiveController {
  /** what is to be heard */
  text = "";
  private newest: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private tellsProgress = false;

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.cancel();
  }

  /** Announces the text, or a newer one, when the pause is over. The first is there to be read: it is no news. */
  say(text: string): void {
    const news = this.newest !== undefined && text !== this.newest;
    this.newest = text;
    if (!news) return;
    if (this.tellsProgress) this.cancel();
    this.tellsProgress = false;
    this.timer ??= setTimeout(() => this.speak(), pause);
  }

  /** Announces how far something is, now and then. What comes of it does not wait for that. */
  sayProgress(text: string): void {
    this.newest = text;
    this.tellsProgress = true;
    this.timer ??= setTimeout(() => this.speak(), pauseOfProgress);
  }

  private cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private speak(): void {
    this.timer = undefined;
    this.text = this.newest!;
    this.host.requestUpdate();
  }
}
