/** What a widget is made of: a routine of the lab, its parameters, and how its result is shown. */

import type { AsyncLab, ModuleName } from "shardlab";
import type { Figure } from "./figures/markup.js";
import type { Handled } from "./hand.js";
import type { Magnifier } from "./magnify.js";
import type { Offers } from "./offers.js";
import type { Inputs, Parameter, Texts } from "./parameter.js";
import type { Told } from "./words.js";

/** A number to be read at a glance. */
export interface Readout {
  /** stable name, for tests and style */
  id: string;
  label: string;
  value: string;
  unit?: string;
}

/** Where a number comes from: its formula, then the same with the user's values. */
export interface Reason {
  name: string;
  /** the parts of an equation, to be joined by equals signs */
  equals: readonly string[];
  note?: string;
  /** the title of the test case that guards it */
  guard?: string;
}

export interface Source {
  text: string;
  url?: string;
}

export interface DataTable {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** how many columns, from the first on, are names and values of a program, which are of no language */
  ofProgram?: number;
}

/** A result in other words: a table of texts, what it is, and what is not in it. */
export interface More {
  note: string;
  table: DataTable;
  rest: { title: string; items: readonly string[] };
}

/** What stands behind a picture: loaded when it is first asked for. */
export interface Details<Result = unknown> {
  reasons(result: Result): readonly Reason[];
  sources: readonly Source[];
  /** of one result, beside those */
  sourcesOf?(result: Result): readonly Source[];
  table(result: Result): DataTable;
  /** where the routine has a title for it */
  more?(result: Result): More;
}

/** One picture of a result, and what is said beside it. */
export interface View {
  /** absent where the result is too large to draw */
  figure?: Figure;
  /** one sentence on what is seen; in place of a figure that is left out, also why */
  caption: string;
  readouts: readonly Readout[];
  /** where the routine's own do not say what this picture shows */
  claim?: string;
  tryNext?: string;
  /** for a routine with a `step` parameter */
  steps?: Steps;
  /** what can be done with it, beside turning its controls */
  offers?: Offers;
  /** other widgets that can be opened with what was found here */
  links?: readonly WidgetLink[];
  /** where a part of the picture can be seen more closely: which part it is now */
  magnified?: string;
}

/** A widget in a state. */
export interface WidgetLink {
  label: string;
  id: string;
  texts: Texts;
}

/** Where in a schedule a picture is. */
export interface Steps {
  at: number;
  count: number;
  /** of the step that was made last */
  label: string;
  /** the position after which each phase's steps come */
  phases: readonly { from: number; label: string }[];
}

/** One answer to a question, and what is said about it. */
export interface Answer {
  label: string;
  right?: boolean;
  /** for a wrong one: the idea that leads to it, and what is the matter with it */
  because: string;
}

/** What a reader is asked before the numbers are shown. */
export interface Question {
  text: string;
  /** whether the answer can be read off the figure, which then waits for it too */
  figureTells?: boolean;
  answers: readonly Answer[];
}

/** A setting that is worth a name: an author asks for it by that, and a page without scripts shows its picture. */
export interface Preset {
  /** in kebab-case */
  name: string;
  label: string;
  /** the texts that differ from those that the widget starts with */
  texts: Texts;
}

/** A result as another tool reads it. */
export interface ResultFile<Result = unknown> {
  label: string;
  /** with its point */
  extension: string;
  type: string;
  text(lab: AsyncLab, result: Result): Promise<string>;
}

/** A run that may take long: it is stopped by the signal, and tells how far it is. */
export interface Work {
  signal: AbortSignal;
  tell(progress: Told): void;
}

/** A result is computed once and may be drawn many times, at any width. */
export interface Routine<Result = unknown> {
  /** the name of its element without the prefix `shardlab-` */
  id: string;
  /** the package's modules that it calls, where these are not the first alone */
  modules?: readonly ModuleName[];
  title: string;
  claim: string;
  /** loaded where a page asks for it */
  question?(): Promise<Question>;
  /** a change that shows the claim, for those who are told of the figure */
  tryNext: string;
  parameters: readonly Parameter[];
  /** the first is how it starts, by the name `default` */
  presets: readonly Preset[];
  /** of what its pictures have beside texts, bars and marks; in the order of figure.css */
  styles?: readonly string[];
  run(lab: AsyncLab, inputs: Inputs, work?: Work): Promise<Result>;
  /**
   * @param width of the figure, in CSS pixels
   * @param scale pixels of a unit, of a picture that is held by a hand
   */
  view(result: Result, width: number, scale?: number): View;
  /** lets a hand take hold of the picture's parts; loaded after the first picture */
  hand?(): Promise<(figure: HTMLElement, widget: Handled) => void>;
  /** moves to the part of the picture that a view tells of */
  magnifier?: Magnifier;
  details(): Promise<Details<Result>>;
  /** the title of what the details have `more` of, a disclosure of its own */
  more?: string;
  /** files that can be taken away beside those of every widget */
  files?: readonly ResultFile<Result>[];
}
