/** What is known of the cases: their titles, how they ended, and what is running. */

import { closed, sentences } from "../said.js";
import { marked, rule, say, word, type Told } from "../words.js";
import { Examiner, type Title } from "./examiner.js";
import type { Entry } from "./results.js";
import type { CaseResult, Report } from "./run.js";
import type { Task } from "./tasks.js";
import { sources, textOf, type Work } from "./work.js";

interface Run {
  /** the text that was tested */
  text: string;
  results: Map<string, CaseResult>;
  report: Report;
}

export class Examination {
  /** why there are no cases, or why they stopped */
  trouble: Told | undefined;
  private readonly examiner = new Examiner();
  private titles: readonly Title[] | undefined;
  private readonly runs = new Map<Task, Run>();
  private running: Task | undefined;
  private currentCase: string | undefined;
  private frame = 0;

  constructor(private readonly changed: () => void) {}

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** @returns when the titles are there, or it is said why not */
  async load(): Promise<void> {
    try {
      this.titles = await this.examiner.load();
    } catch (error) {
      this.trouble = () => say`The cases could not be loaded: ${reason(error)}`;
    }
    this.changed();
  }

  async run(task: Task, work: Work): Promise<void> {
    const run: Run = { text: textOf(work, task), results: new Map(), report: { logged: [] } };
    this.trouble = undefined;
    this.running = task;
    this.runs.set(task, run);
    this.changed();
    if (this.titles === undefined) await this.load();
    try {
      const report = await this.examiner.run(task.id, sources(work, task), (event) => {
        this.currentCase = event.kind === "start" ? event.name : event.kind === "end" ? undefined : this.currentCase;
        if (event.kind === "end") run.results.set(event.result.name, event.result);
        this.drawSoon();
      });
      run.report = report ?? { logged: [], stopped: marked("The run was stopped.") };
      if (run.report.stopped !== undefined) this.failCurrent(run);
    } catch (error) {
      this.trouble ??= () => say`The cases stopped: ${reason(error)}`;
      this.failCurrent(run);
    }
    this.running = this.currentCase = undefined;
    this.changed();
  }

  stop(): void {
    this.examiner.stop();
  }

  /** A case that was ended by force has failed. */
  private failCurrent(run: Run): void {
    const name = this.currentCase;
    if (name === undefined) return;
    const messages = [run.report.stopped ?? marked("The cases stopped.")];
    run.results.set(name, { name, state: "failed", seconds: 0, messages });
  }

  /** A run tells more in a frame than can be drawn. */
  private drawSoon(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.changed();
    });
  }

  // What can be said

  entries(task: Task): Entry[] {
    const run = this.runs.get(task);
    const isOver = run !== undefined && this.running !== task;
    return this.titlesOf(task).map(({ name }) => {
      const result = run?.results.get(name);
      const isCurrent = this.running === task && this.currentCase === name;
      return { name, result, state: isCurrent ? "running" : (result?.state ?? (isOver ? "left" : "waiting")) };
    });
  }

  count(task: Task): { passed: number; failed: number; left: number } {
    const states = this.entries(task).map(({ state }) => state);
    const count = (state: Entry["state"]) => states.filter((one) => one === state).length;
    return { passed: count("passed"), failed: count("failed"), left: count("left") + count("waiting") };
  }

  /** Whether this text was tested, and passed every case. */
  passes(task: Task, text: string): boolean {
    const run = this.runs.get(task);
    return run?.text === text && run.results.size > 0 && this.running !== task && this.count(task).passed === this.titlesOf(task).length;
  }

  logged(task: Task): readonly string[] {
    return this.runs.get(task)?.report.logged ?? [];
  }

  /** The line that an error names, as long as the text is the one that was tested. */
  line(task: Task, text: string): number | undefined {
    const run = this.runs.get(task);
    if (run === undefined || run.text !== text) return undefined;
    const failed = [...run.results.values()].find(({ state }) => state === "failed");
    const said = run.report.fault ?? failed?.messages[failed.messages.length - 1] ?? "";
    const found = /^(?:\w+ threw an error: )?line (\d+):/.exec(said);
    return found === null ? undefined : Number(found[1]);
  }

  /** How it stands, for the reader who waits for it. */
  sentence(task: Task, text: string): string {
    const all = this.titlesOf(task).length;
    const run = this.runs.get(task);
    if (all === 0) return "";
    if (run === undefined) return say`${all} cases wait for ${task.name}.`;
    if (this.running === task) return say`Running ${all} cases.`;
    const since = run.text === text ? "" : word("The code has changed since.");
    if (run.report.fault !== undefined) return sentences(say`No case was run: ${closed(rule(run.report.fault))}`, since);
    return sentences(counts(this.count(task)), closed(rule(run.report.stopped ?? "")), since);
  }

  private titlesOf({ tag }: Task): readonly Title[] {
    return this.titles?.filter(({ tags }) => tags.includes(`[${tag}]`)) ?? [];
  }
}

function counts({ passed, failed, left }: { passed: number; failed: number; left: number }): string {
  const all = passed + failed + left;
  if (passed === all) return say`All ${all} cases pass.`;
  if (left === 0) return say`${passed} of ${all} cases pass, ${failed} failed.`;
  if (failed === 0) return say`${passed} of ${all} cases pass, ${left} not run.`;
  return say`${passed} of ${all} cases pass, ${failed} failed, ${left} not run.`;
}

function reason(error: unknown): string {
  return closed(error instanceof Error ? error.message : String(error));
}
