/** Marks what a student handed in: the numbers by the core, on the student's own values. */

import type { AsyncLab } from "shardlab";
import { explain } from "../fault.js";
import { readOne } from "../link.js";
import { initialTexts, Inputs, type Texts } from "../parameter.js";
import {
  ordered,
  parametersOf,
  ticked,
  type Choice,
  type Criterion,
  type Expected,
  type NumberAsked,
  type Order,
  type Statement,
  type Ticks,
} from "./criterion.js";
import { answered, isNear } from "./numbers.js";

export interface Mark {
  part: string;
  right: boolean;
  /** why; of what is not right, what is off in it or where to look, and never the answer */
  because: string;
}

type Verdict = Omit<Mark, "part">;

const missing: Verdict = { right: false, because: "Nothing is here yet." };

/**
 * A mark for each part but the student's own values.
 * @throws InputError or ShardlabError naming one of these, if the question has no answer for it
 */
export async function mark(criterion: Criterion, texts: Texts, lab: AsyncLab): Promise<Mark[]> {
  const own = new Inputs(texts, parametersOf(criterion));
  const expected = await criterion.expect(lab, own);
  const marks: Mark[] = [];
  for (const part of criterion.parts) {
    if (part.kind === "own") continue;
    const text = texts[part.id] ?? "";
    const verdict = part.kind === "task" ? await done(criterion, text, lab, own) : judged(part, text, expected);
    marks.push({ part: part.id, ...verdict });
  }
  return marks;
}

function judged(part: NumberAsked | Choice | Ticks | Order, text: string, expected: Readonly<Record<string, Expected>>): Verdict {
  switch (part.kind) {
    case "number":
      return counted(part, text, expected[part.id]!);
    case "choice":
      return chosen(part, text);
    case "ticks":
      return allTicked(part, text);
    case "order":
      return inOrder(part, text);
  }
}

function counted(part: NumberAsked, text: string, { right, because, slips }: Expected): Verdict {
  if (text.trim() === "") return missing;
  const value = answered(text, part);
  if (value === undefined) {
    const as = part.share === true ? "as 3/8, 37.5 % or 0.375" : part.quantity === "bytes" ? "as 1.5GB or 1.5e9" : "as 12";
    return { right: false, because: `That is not read as a number. Please give one ${as}.` };
  }
  if (isNear(value, right, part.within)) return { right: true, because };
  const slip = slips.find((one) => isNear(value, one.value, part.within));
  if (slip !== undefined) return { right: false, because: slip.because };
  return { right: false, because: `That is too ${value < right ? "small" : "large"}. ${part.look}` };
}

function chosen({ statements }: Choice, text: string): Verdict {
  const found = statements.find(({ id }) => id === text);
  return found === undefined ? missing : { right: found.right === true, because: found.because };
}

function allTicked(part: Ticks, text: string): Verdict {
  const found = ticked(part, text);
  if (found.length === 0) return missing;
  const said = (statements: readonly Statement[]) => statements.map(({ because }) => because).join(" ");
  const wrong = found.filter(({ right }) => right !== true);
  if (wrong.length > 0) return { right: false, because: said(wrong) };
  const all = part.statements.filter(({ right }) => right === true);
  if (found.length < all.length) return { right: false, because: "What is ticked holds, and it is not all that does." };
  return { right: true, because: said(found) };
}

function inOrder(part: Order, text: string): Verdict {
  const found = ordered(part, text);
  const place = found.findIndex(({ id }, index) => id !== part.statements[index]!.id);
  if (place < 0) return { right: true, because: "Each follows from the one before it." };
  return { right: false, because: `Look at place ${place + 1}: ${found[place]!.because}` };
}

async function done({ routine, check }: Criterion, text: string, lab: AsyncLab, own: Inputs): Promise<Verdict> {
  if (text === "") return { right: false, because: "Nothing is handed in yet." };
  const { parameters } = routine;
  const setting = new Inputs({ ...initialTexts(parameters), ...readOne(text, routine, []) }, parameters);
  try {
    const off = await check(lab, setting, own);
    return { right: off === undefined, because: off ?? "The widget shows it." };
  } catch (error) {
    return { right: false, because: explain(error, parameters).message() };
  }
}
