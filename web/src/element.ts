/**
 * What a page may use of every widget. The package's declarations are this file, its manifest and the gallery's tables are
 * made from it: what is said here is what their readers read.
 */

/** The text of every control, by the name of its parameter. */
export type ControlTexts = Readonly<Record<string, string>>;

/** What the author of a page says, beside the parameters. Each is an attribute too, in kebab-case. */
export interface ShardlabSettings {
  /** A setting that has a name. What other attributes say goes before it. */
  preset: string;
  /**
   * A file that is read into the control that takes files, in place of what a reader would open: measured runs, a schedule,
   * a model's config.json. Its address is relative to the page, and its server has to let the page have it.
   */
  src: string;
  /** What the controls start with, as a link has it: `v=1&ranks=8&step=3`. Read from a script, it is the text of every control. */
  state: ControlTexts;
  /**
   * What is not shown, separated by spaces: title, claim, controls, play, readouts, try, why, data, toolbar, link, embed,
   * export, or a parameter's attribute.
   */
  hide: string;
  /** The parameters that a reader cannot change, separated by spaces; empty or `all` for every one. */
  lock: string;
  /** A question comes before the numbers. */
  predict: boolean;
  /** Light or dark; left out or `auto`, as the page around it is. */
  theme: "" | "auto" | "light" | "dark";
  /** All bytes in powers of 1024 or of 1000; left out, each number is in those of its subject. */
  units: "" | "iec" | "si";
  /** How fast steps are played. */
  speed: "" | "0.5" | "1" | "2";
  /** Steps are cuts, whatever the reader's system says. */
  noMotion: boolean;
  /** of the title, from 1 to 6, 3 where it is left out */
  headingLevel: "" | "1" | "2" | "3" | "4" | "5" | "6";
}

/** What a script may use, beside a property for each parameter. What a page sets itself, no event tells of but a step or an error. */
export interface ShardlabMembers {
  /** The same as `state`, for forms and notebooks. */
  readonly value: ControlTexts;
  /**
   * Single texts in other words, by the English ones as the widget's catalogue has them: `{"Step {0} of {1}": "{0}/{1}"}`.
   * Which language the others are in, the `lang` of the element or of the page around it says: English, or with `zh`
   * Simplified Chinese.
   */
  strings: Readonly<Record<string, string>>;
  /** What came of the newest valid input, as the package's own routines answer; nothing before the first, or while a question waits. */
  readonly results: unknown;
  /** Fulfilled when the first result is shown, or the reason why there is none. Asked for, it starts a widget that is out of sight. */
  readonly ready: Promise<void>;
  /** Fulfilled when the newest input is shown. Asked for, it starts a widget that is out of sight. */
  readonly updateComplete: Promise<boolean>;
  /** Plays the steps, from the start where it is at the end. */
  play(): void;
  pause(): void;
  /** A step on. */
  next(): void;
  /** A step back. */
  prev(): void;
  /** To this step; to the nearest where there is none such. */
  stepTo(step: number): void;
  /** Back to what the page's author wrote. */
  reset(): void;
  undo(): void;
  redo(): void;
  /** The picture, as a text that stands by itself. Rejected where there is none. */
  toSVG(): Promise<string>;
  /** The picture in `scale` pixels a unit, 2 where left out. Rejected where there is none. */
  toPNG(scale?: number): Promise<Blob>;
  /** The data table. */
  toCSV(): Promise<string>;
  /** Title, link, state and result. */
  toJSON(): Promise<string>;
  /** An address that shows this widget as it is now. */
  permalink(): string;
}

/** All of them bubble, also out of shadow trees; none can be cancelled. */
export interface ShardlabEvents {
  /** The first result is shown, or the reason why there is none. */
  "shardlab-ready": CustomEvent<{ id: string; version: string }>;
  /** A reader has changed something, or has answered the question: then with the answer, and whether it is right. */
  "shardlab-change": CustomEvent<{
    state: ControlTexts;
    source: "user";
    changed: readonly string[];
    answer?: string;
    right?: boolean;
  }>;
  /** Another step is shown: step `i` of `n`, and what is said of it. */
  "shardlab-step": CustomEvent<{ i: number; n: number; caption: string }>;
  /** An input is not possible (`SHARDLAB-INPUT`), or the lab does not run; with what can be done. */
  "shardlab-error": CustomEvent<{ code: string; message: string; hint: string }>;
  /** A reader has taken something away: `SVG`, `PNG`, `CSV`, `JSON`, `Cite`, or a file of the widget's own. */
  "shardlab-export": CustomEvent<{ what: string }>;
}

/**
 * An element `<shardlab-ID>`.
 *
 * @fires input - A reader has changed something; the event of form controls. It bubbles.
 * @fires change - A reader's gesture has ended; the event of form controls. It bubbles.
 * @slot - What is shown in place of the figure until there is a result, and where there can be none: a picture, as a rule.
 * @slot caption - Below what is said of the figure.
 * @slot note - Below all but the toolbar.
 * @csspart base - The box around everything.
 * @csspart title - The name of the widget.
 * @csspart claim - What it shows, in a sentence.
 * @csspart figure - The figure.
 * @csspart caption - What is said of the figure.
 * @csspart timeline - Play, pause and the steps.
 * @csspart readouts - The numbers to be read at a glance.
 * @csspart readout - One of them.
 * @csspart controls - All controls.
 * @csspart control - One of them.
 * @csspart table - The data table.
 * @csspart toolbar - Undo, links and exports.
 * @cssstate playing - Its steps are being played.
 * @cssstate loading - There is no result yet.
 * @cssstate error - What stands in the controls is not possible, or the lab does not run.
 * @cssproperty --shardlab-color-paper - Paper, below what lies on a panel.
 * @cssproperty --shardlab-color-panel - The widget's own background.
 * @cssproperty --shardlab-color-ink - Text.
 * @cssproperty --shardlab-color-soft - Text that is less important.
 * @cssproperty --shardlab-color-rule - Lines that part things.
 * @cssproperty --shardlab-color-edge - The edges of controls.
 * @cssproperty --shardlab-color-accent - What is chosen, has the focus, or is a link.
 * @cssproperty --shardlab-color-fwd - Forward passes.
 * @cssproperty --shardlab-color-bwd - Backward passes.
 * @cssproperty --shardlab-color-wgt - Gradients of weights.
 * @cssproperty --shardlab-color-rank-0 - Rank 0; the eight colours repeat.
 * @cssproperty --shardlab-color-rank-1 - Rank 1.
 * @cssproperty --shardlab-color-rank-2 - Rank 2.
 * @cssproperty --shardlab-color-rank-3 - Rank 3.
 * @cssproperty --shardlab-color-rank-4 - Rank 4.
 * @cssproperty --shardlab-color-rank-5 - Rank 5.
 * @cssproperty --shardlab-color-rank-6 - Rank 6.
 * @cssproperty --shardlab-color-rank-7 - Rank 7.
 * @cssproperty --shardlab-font - All text but that of code.
 * @cssproperty --shardlab-radius - The corners of the box around everything.
 */
export interface ShardlabElement extends HTMLElement, ShardlabSettings, ShardlabMembers {}

declare global {
  interface HTMLElementEventMap extends ShardlabEvents {}
}
