/**
 * One routine at work: what stands in its controls, what came of it, and the way back. It knows nothing of elements.
 */

import type { AsyncLab } from "shardlab";
import type { Express } from "./expression.js";
import { explain, type Fault } from "./fault.js";
import { History } from "./history.js";
import { LabUnavailable, type Trouble } from "./lab.js";
import { active, initialTexts, Inputs, type Parameter, type Texts } from "./parameter.js";
import type { Routine, Steps, View } from "./routine.js";
import { say, word, type Told } from "./words.js";

/** Milliseconds after which a call that still runs is mentioned. */
const slowAfter = 250;

/** Who shows a session. */
export interface Shows {
  lab(): Promise<AsyncLab>;
  /** what its author starts it with, by parameter */
  initial(): Texts;
  /** something of it has changed */
  requestUpdate(): void;
  /** the reader has changed these parameters */
  changed(names: readonly string[]): void;
  /** the newest input is computed, or is not possible */
  settled(): void;
}

export interface Room {
  width: number;
  /** pixels of a unit, of a picture that is held by a hand */
  scale?: number;
  express?: Express;
}

export class Session {
  texts: Texts = {};
  result: unknown;
  fault: Fault | undefined;
  unavailable: Trouble | undefined;
  /** what an author asked for in vain, and what the newest link did */
  private ofAuthor: readonly Told[] = [];
  private ofLink: readonly Told[] = [];
  /** whether a call has been running for long, and how far it is where it says so */
  slow = false;
  progress: Told | undefined;
  /** the reader ended what was under way: what is shown is of before */
  isStopped = false;
  private work: AbortController | undefined;
  running: Promise<void> | undefined;
  private readonly history = new History<Texts>();
  private outdated = false;
  /** whether it may compute: until then it collects what it is to begin with */
  private isAwake = false;
  /** where the state comes from that is being tried: what the core refuses of it gives way */
  private restoring: "link" | "author" | undefined;
  /** in place of what its author wrote and the core refuses */
  private mended: Texts = {};
  private room: Room = { width: 600 };
  private drawn: { result: unknown; room: object; view: View } | undefined;

  constructor(
    readonly routine: Routine,
    private readonly shown: Shows,
  ) {}

  // The texts of the controls

  /** What its author starts it with, as far as that can be. */
  initial(): Texts {
    return { ...this.shown.initial(), ...this.mended };
  }

  /** Begins with what its author wrote. */
  begin(notices: readonly Told[]): void {
    this.restoring = "author";
    this.mended = {};
    this.ofAuthor = notices;
    this.place({});
  }

  /** Shows these texts, as a page asks for it: nobody is told. What a page does one after the other is undone at once. */
  place(texts: Texts): void {
    this.replace(texts, "page");
  }

  /** Its page's author has written other texts. */
  rewritten(texts: Texts, notices: readonly Told[]): void {
    this.restoring = "author";
    this.mended = Object.fromEntries(Object.entries(this.mended).filter(([name]) => !(name in texts)));
    this.ofAuthor = [...this.ofAuthor, ...notices];
    this.place({ ...this.texts, ...texts });
  }

  /** Shows a state that came from outside. What it holds that cannot be is replaced, and that is said. */
  restore(texts: Texts, notices: readonly Told[] = []): void {
    this.restoring = "link";
    this.ofLink = notices;
    this.replace(texts, "link");
    this.history.endGesture();
  }

  /** What a reader has seen can be gone back to, whoever has changed it: between two changes of a gesture, too. */
  private replace(texts: Texts, gesture: string): void {
    const before = this.texts;
    this.texts = { ...this.initial(), ...texts };
    const differs = Object.keys(this.texts).some((name) => this.texts[name] !== before[name]);
    if (this.result !== undefined && differs) this.history.record(before, gesture);
    this.compute();
  }

  /** @param gesture changes of one gesture are undone at once */
  change(texts: Texts, gesture: string): void {
    this.history.record(this.texts, gesture);
    this.follow({ ...this.texts, ...texts });
  }

  endGesture(): void {
    this.history.endGesture();
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  undo(): void {
    const before = this.history.undo(this.texts);
    if (before !== undefined) this.follow(before);
  }

  redo(): void {
    const after = this.history.redo(this.texts);
    if (after !== undefined) this.follow(after);
  }

  /** Back to what the page's author wrote. */
  reset(): void {
    this.endGesture();
    this.change(this.initial(), "reset");
    this.endGesture();
  }

  /** What was set in vain is no matter of the controls. */
  refuse(parameter: Parameter, message: Told): void {
    this.fault = { parameter: parameter.name, message };
    this.shown.requestUpdate();
  }

  // What is told of what was asked for in vain

  get notices(): readonly Told[] {
    return [...this.ofAuthor, ...this.ofLink];
  }

  /** @param instead of these, which hold no longer */
  tell(notices: readonly Told[], instead: readonly Told[] = []): void {
    if (notices.length === 0 && instead.length === 0) return;
    this.ofAuthor = [...this.ofAuthor.filter((one) => !instead.includes(one)), ...notices];
    this.shown.requestUpdate();
  }

  /** Another link is followed: what the one before asked for is no matter any more. */
  forgetLink(): void {
    if (this.ofLink.length === 0) return;
    this.ofLink = [];
    this.shown.requestUpdate();
  }

  dismiss(): void {
    this.ofAuthor = [];
    this.ofLink = [];
    this.shown.requestUpdate();
  }

  private follow(texts: Texts): void {
    const before = this.texts;
    this.texts = texts;
    this.compute();
    this.shown.changed(Object.keys(texts).filter((name) => texts[name] !== before[name]));
  }

  /** The parameters that have a control now, where an error can be shown. */
  controlled(): Parameter[] {
    return active(this.routine.parameters, this.texts).filter(({ kind }) => kind !== "step" && kind !== "kept");
  }

  // What is drawn

  /** What the picture has to fit in. */
  fit(room: Room): void {
    this.room = room;
    this.shown.requestUpdate();
  }

  get width(): number {
    return this.room.width;
  }

  /** The last result's view; made again only for another result or another room. */
  view(): View | undefined {
    const { result, room, drawn } = this;
    if (result === undefined) return undefined;
    if (drawn?.result === result && drawn.room === room) return drawn.view;
    const make = () => this.routine.view(result, room.width, room.scale);
    const view = room.express === undefined ? make() : room.express(make);
    this.drawn = { result, room, view };
    return this.drawn.view;
  }

  position(): Steps | undefined {
    return this.view()?.steps;
  }

  // Computing

  /** Runs the routine on what stands in the controls. While one call is under way, only the newest waits. */
  compute(): void {
    this.outdated = true;
    this.work?.abort();
    this.shown.requestUpdate();
    if (this.isAwake) this.running ??= this.computeAll();
  }

  /** Lets it compute, from now on. */
  wake(): void {
    if (this.isAwake) return;
    this.isAwake = true;
    if (this.outdated) this.compute();
  }

  /** Ends a call that takes too long for the reader: what was shown before stays. */
  stop(): void {
    this.work?.abort();
  }

  private async computeAll(): Promise<void> {
    const patience = setTimeout(() => this.showSlow(true), slowAfter);
    while (this.outdated) {
      this.outdated = false;
      await this.computeOnce();
      this.shown.requestUpdate();
    }
    this.running = undefined;
    clearTimeout(patience);
    this.showSlow(false);
    this.shown.settled();
  }

  /** Whether a reader may want to stop it: it takes its time, and tells how far it is. */
  get isLate(): boolean {
    return this.slow && this.progress !== undefined;
  }

  private showSlow(slow: boolean): void {
    if (slow === this.slow) return;
    this.slow = slow;
    this.shown.requestUpdate();
  }

  private async computeOnce(): Promise<void> {
    const work = new AbortController();
    this.isStopped = false;
    try {
      const lab = await this.shown.lab();
      this.work = work;
      const inputs = new Inputs(this.texts, this.routine.parameters);
      this.result = await this.routine.run(lab, inputs, { signal: work.signal, tell: (progress) => this.tellProgress(progress) });
      this.fault = undefined;
      if (this.outdated) return;
      this.clampStep();
      this.restoring = undefined;
      // Drawing and showing are two tasks, so that what the reader does is seen to in between.
      this.view();
      await nextTask();
    } catch (error) {
      if (work.signal.aborted) {
        if (!this.outdated) this.noteStop();
      } else if (error instanceof LabUnavailable) this.unavailable = error.trouble;
      // What no control shows can be asked for, too.
      else this.fail(explain(error, this.restoring === undefined ? this.controlled() : active(this.routine.parameters, this.texts)));
    } finally {
      this.work = undefined;
      this.progress = undefined;
    }
  }

  private noteStop(): void {
    this.isStopped = this.result !== undefined;
    if (this.isStopped) this.fault = undefined;
    else this.fail({ parameter: undefined, message: () => word("Stopped.") });
  }

  private fail(fault: Fault): void {
    this.fault = fault;
    if (this.restoring !== undefined) this.giveWay(fault, this.restoring);
  }

  private tellProgress(progress: Told): void {
    this.progress = progress;
    if (this.slow) this.shown.requestUpdate();
  }

  /** A step beyond the schedule's end is its end. */
  private clampStep(): void {
    const steps = this.position();
    if (steps === undefined || !(Number(this.texts.step) > steps.count)) return;
    const { step } = this.texts;
    if (this.restoring !== undefined) this.complain(this.restoring, () => say`Step ${step!} is beyond ${steps.count}, which is shown.`);
    this.texts = { ...this.texts, step: String(steps.count) };
  }

  private complain(of: "link" | "author", told: Told): void {
    if (of === "link") this.ofLink = [...this.ofLink, told];
    else this.ofAuthor = [...this.ofAuthor, told];
  }

  /** Whether a text, or any where none is named, is another than its author's: what a link leaves as it is, is not the link's. */
  private differs(parameter: string | undefined): boolean {
    const initial = this.initial();
    const names = parameter === undefined ? Object.keys(initial) : [parameter];
    return names.some((name) => this.texts[name] !== initial[name]);
  }

  /** Replaces what was asked for in vain: the text that is at fault, or else all of them. */
  private giveWay({ parameter, message }: Fault, restoring: "link" | "author"): void {
    const from = restoring === "link" && this.differs(parameter) ? "link" : "author";
    const instead = from === "link" ? this.initial() : initialTexts(this.routine.parameters);
    const named = parameter !== undefined && this.texts[parameter] !== instead[parameter];
    const texts = named ? { ...this.texts, [parameter]: instead[parameter]! } : instead;
    if (from === "author") this.mended = named ? { ...this.mended, [parameter]: instead[parameter]! } : instead;
    if (!named && from === "author") this.restoring = undefined;
    const asked = () => (from === "link" ? word("From the link") : word("From this page's author"));
    const taken = named ? instead[parameter]! : "";
    const shown = () => (taken === "" ? word("Left out.") : say`Shown is ${taken}.`);
    this.complain(from, () => say`${asked()}: ${message()} ${shown()}`);
    this.texts = texts;
    this.fault = undefined;
    this.outdated = true;
  }
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
