/** A success criterion of the lab, as data: what a student chooses, answers and does. */

import type { AsyncLab } from "shardlab";
import type { Inputs, Parameter } from "../parameter.js";
import type { Question, Routine } from "../routine.js";
import type { Quantity } from "../units.js";

/** One of several, to be chosen, ticked or put in order. */
export interface Statement {
  /** stable name, for links */
  id: string;
  text: string;
  /** the same in a few words, for the sheet */
  short: string;
  right?: boolean;
  /** of a wrong one, the idea that leads to it and what is the matter with it; of one in an order, why it has its place */
  because: string;
}

interface Asked {
  /** stable name, for links; that of the core's parameter where it is one */
  id: string;
  /** in a word or two */
  label: string;
  ask: string;
}

/** A value of the student's own choice, from which the answers follow. It is not marked. */
export interface Own extends Asked {
  kind: "own";
  quantity?: Quantity;
  /** the names that the core has for it in errors, where they differ */
  aliases?: readonly string[];
}

/** A number that the lab knows for the student's own values. */
export interface NumberAsked extends Asked {
  kind: "number";
  quantity?: Quantity;
  /** part of the right value by which an answer may differ from it: a rounded one is right */
  within: number;
  /** a part of a whole: as `7/11`, as `63.6 %` or as `0.636` */
  share?: true;
  /** where to look, for an answer that no known slip leads to */
  look: string;
}

/** One statement is right. */
export interface Choice extends Asked {
  kind: "choice";
  statements: readonly Statement[];
}

/** Any number of statements are right. */
export interface Ticks extends Asked {
  kind: "ticks";
  statements: readonly Statement[];
}

export interface Order extends Asked {
  kind: "order";
  /** as they should stand */
  statements: readonly Statement[];
  /** as they stand at the beginning, by their names */
  begins: readonly string[];
}

/** Something to be set in the criterion's widget, and handed in. */
export interface Task extends Asked {
  kind: "task";
}

export type Part = Own | NumberAsked | Choice | Ticks | Order | Task;

/** What a number should be for the student's own values. */
export interface Expected {
  right: number;
  /** how it comes about, with these values */
  because: string;
  slips: readonly Slip[];
}

/** A value that a wrong idea leads to, and what is the matter with it. */
export interface Slip {
  value: number;
  because: string;
}

export interface Criterion {
  id: string;
  title: string;
  /** the widget in which its task is done */
  routine: Routine;
  /** the widget's question, where that is this criterion's prediction */
  predicts?: Question;
  parts: readonly Part[];
  /** the numbers that are asked for, by part; throws where the student's own values cannot be */
  expect(lab: AsyncLab, own: Inputs): Promise<Readonly<Record<string, Expected>>>;
  /** what is off in a setting of the widget; nothing where it does what the task asks */
  check(lab: AsyncLab, setting: Inputs, own: Inputs): Promise<string | undefined>;
}

/** Names that a criterion has beside its parts: how often it was marked, whether it is now, and what was predicted. */
export const kept = { attempts: "attempts", checked: "checked", predicted: "predicted" } as const;

/** What a link has of a criterion. */
export function parametersOf({ parts, predicts }: Criterion): Parameter[] {
  const plain = (name: string): Parameter => ({ name, label: name, kind: "kept", initial: "" });
  return [
    ...parts.map(parameterOf),
    plain(kept.attempts),
    { ...plain(kept.checked), kind: "choice", choices: [{ value: "", label: "no" }, { value: "yes", label: "yes" }] },
    ...(predicts !== undefined ? [plain(kept.predicted)] : []),
  ];
}

function parameterOf(part: Part): Parameter {
  const { id: name, label } = part;
  switch (part.kind) {
    case "own": {
      const { quantity, aliases } = part;
      return { name, label, kind: "real", initial: "", ...(quantity && { quantity }), ...(aliases && { aliases }) };
    }
    case "choice": {
      const choices = part.statements.map(({ id, short }) => ({ value: id, label: short }));
      return { name, label, kind: "choice", initial: "", choices: [{ value: "", label: "" }, ...choices] };
    }
    case "order":
      return { name, label, kind: "kept", initial: part.begins.join(",") };
    default:
      return { name, label, kind: "kept", initial: "" };
  }
}

/** The statements of an order as a text has them. One that does not name each of them once is read as the beginning. */
export function ordered({ statements, begins }: Order, text: string): Statement[] {
  const names = text.split(",");
  const isWhole = names.length === statements.length && statements.every(({ id }) => names.includes(id));
  return (isWhole ? names : begins).map((name) => statements.find(({ id }) => id === name)!);
}

/** The statements that a text has ticked. */
export function ticked({ statements }: Ticks, text: string): Statement[] {
  const names = text.split(",");
  return statements.filter(({ id }) => names.includes(id));
}
