/** Plays the steps of a schedule, one after the other. */

import type { ReactiveController, ReactiveControllerHost } from "lit";

export const speeds = [0.5, 1, 2] as const;
export type Speed = (typeof speeds)[number];

/** Milliseconds that a step stands at speed 1. */
const pace = 1000;
/** Milliseconds in which a chunk goes from rank to rank at speed 1. */
const travel = 300;

export interface Played extends ReactiveControllerHost, Element {
  /** where it is now; nothing where there are no steps */
  position(): { at: number; count: number } | undefined;
  /** @param playing whether it is a part of the same movement as the step before */
  stepTo(step: number, playing?: boolean): void;
  /** runs what a reader has asked for */
  act(run: () => void): void;
}

/** Nothing moves until play is asked for, nor where it cannot be seen. */
export class Player implements ReactiveController {
  playing = false;
  speed: Speed = 1;
  /** whether steps are cuts, whatever the reader's system says */
  still = false;
  private byReader = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private seen: IntersectionObserver | undefined;
  private readonly hidden = () => {
    if (document.hidden) this.pause();
  };

  constructor(private readonly host: Played) {
    host.addController(this);
  }

  hostConnected(): void {
    this.seen = new IntersectionObserver(([entry]) => {
      if (!entry!.isIntersecting) this.pause();
    });
    this.seen.observe(this.host);
    document.addEventListener("visibilitychange", this.hidden);
  }

  hostDisconnected(): void {
    this.pause();
    this.seen?.disconnect();
    document.removeEventListener("visibilitychange", this.hidden);
  }

  /** A reader's doing. */
  toggle(): void {
    if (this.playing) this.pause();
    else this.host.act(() => this.play(true));
  }

  /** @param byReader whether a reader asks for it, or the page */
  play(byReader = false): void {
    const position = this.host.position();
    if (this.playing || position === undefined || position.count === 0) return;
    this.playing = true;
    this.byReader = byReader;
    this.host.requestUpdate();
    this.host.stepTo(position.at >= position.count ? 0 : position.at + 1);
    this.wait();
  }

  pause(): void {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.host.requestUpdate();
  }

  setSpeed(speed: Speed): void {
    this.speed = speed;
    this.host.requestUpdate();
    if (!this.playing) return;
    clearTimeout(this.timer);
    this.wait();
  }

  private wait(): void {
    this.timer = setTimeout(() => void this.advance(), pace / this.speed);
  }

  private async advance(): Promise<void> {
    await this.host.updateComplete;
    const position = this.host.position();
    if (!this.playing) return;
    if (position === undefined || position.at >= position.count) {
      this.pause();
      return;
    }
    const step = () => this.host.stepTo(position.at + 1, true);
    if (this.byReader) this.host.act(step);
    else step();
    this.wait();
  }

  /** Lets what a figure marks with where it came from come from there. Where motion is not wanted, it is there already. */
  move(figure: Element): void {
    if (this.still || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const moved of figure.querySelectorAll<SVGElement>("[data-from]")) {
      const [x, y] = moved.dataset.from!.split(" ");
      moved.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], {
        duration: travel / this.speed,
        easing: "ease-in-out",
      });
    }
  }
}
