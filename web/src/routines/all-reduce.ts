import { algorithmNames } from "../algorithms.js";
import { journey, replay, type Cells, type CollectiveState, type Sending } from "../collective-state.js";
import type { CollectivePicture, Followed } from "../figures/chunks.js";
import { circleFigure } from "../figures/layouts.js";
import { rowsFigure } from "../figures/rank-rows.js";
import { ring } from "../figures/ring.js";
import { sentFigure } from "../figures/sent.js";
import { plural, significant } from "../format.js";
import { presets } from "../presets/all-reduce.js";
import * as ringCaption from "../ring-caption.js";
import type { Routine, Steps, View } from "../routine.js";
import { sentences } from "../said.js";
import { sentPicture } from "../sent-steps.js";
import { say, word } from "../words.js";
import { readouts, type Result } from "./all-reduce-numbers.js";
import { parameters } from "./all-reduce-parameters.js";
import { isPlain, mostCellsDrawn, mostRanksDrawn, run, variants } from "./all-reduce-run.js";
import ranksStyle from "../figure/ranks.css";
import chunksStyle from "../figure/chunks.css";
import waysStyle from "../figure/ways.css";
import sentStyle from "../figure/sent.css";

function cellText({ now, ranks, powersOfTen }: Result, { offsets, counts }: Cells): (rank: number, cell: number) => string {
  return (rank, cell) => {
    if (counts[cell] === 0) return "";
    const value = now.result[rank]![offsets[cell]!]!;
    return powersOfTen && Number.isInteger(value) ? String(value).padStart(ranks, "0") : significant(value, powersOfTen ? 6 : 4);
  };
}

/** What is said where there is no figure of the ranks. */
function undrawn({ ranks }: Result): string {
  const all = plural(ranks, "rank");
  return ranks > mostRanksDrawn
    ? say`Ranks are drawn up to ${mostRanksDrawn}; the numbers are those of ${all}, executed.`
    : say`Chunks are drawn up to ${mostCellsDrawn}; the numbers are those of ${all}, executed.`;
}

/** What the step did. The way round a ring is told in its own words, as long as nothing goes wrong on it. */
function sentence(result: Result, cells: Cells, state: CollectiveState, way: readonly Sending[]): string {
  const { ranks, elements, powersOfTen, chunk, step, whole } = result;
  const plain = isPlain(result);
  const full = cells.counts.filter((count) => count > 0).length;
  const more = !powersOfTen && elements > full ? word("A cell shows the first element of its chunk.") : "";
  if (chunk !== undefined) {
    const followed = plain ? ringCaption.journeyCaption(ranks, chunk, way, Math.min(step, way.length)) : variants.there.followCaption(result, chunk, way, state);
    return sentences(followed, more);
  }
  return sentences(plain ? ringCaption.stepCaption(ranks, step, whole.steps, state) : variants.there.stepCaption(result, full, state), more);
}

/** What goes wrong, where something is made to. */
function breakage(result: Result): string {
  return result.fault === undefined ? "" : variants.there.breakageCaption(result);
}

function phaseOf({ step, whole }: Result): string {
  return word(step === 0 ? "at the start" : whole.phases[step - 1]!);
}

/** The transport's position, with a mark where one phase follows another. */
function stepsOf(result: Result): Steps {
  const { step, whole } = result;
  const changes = whole.phases.flatMap((phase, from) => (phase === whole.phases[from - 1] ? [] : [{ from, label: word(phase) }]));
  return { at: step, count: whole.steps, label: phaseOf(result), phases: changes };
}

function pairsOf({ whole }: Result): [number, number][] {
  const { source, destination, count } = whole.schedule;
  const found = new Map<string, [number, number]>();
  source.forEach((from, index) => {
    const to = destination[index]!;
    if (count[index]! > 0) found.set(`${from} ${to}`, [from, to]);
  });
  return [...found.values()];
}

function followedOf({ algorithm, chunk, step }: Result, way: readonly Sending[]): Followed | undefined {
  if (chunk === undefined) return undefined;
  const origin = algorithm === "ring" ? way[0]?.source : undefined;
  return { chunk, origin, way: way.filter((one) => one.step < step && one.fate !== "lost") };
}

function pictureOf(result: Result, cells: Cells): { picture: CollectivePicture; said: string } {
  const { algorithm, ranks, chunk, fault, step, whole, now, layout } = result;
  const state = replay(whole.schedule, ranks, cells, step, fault);
  const way = chunk === undefined ? [] : journey(whole.schedule, cells, chunk, whole.steps, fault);
  const followed = followedOf(result, way);
  const said = sentences(sentence(result, cells, state, way), breakage(result));
  const isRing = algorithm === "ring";
  const all = plural(ranks, "rank");
  const where = isRing
    ? say`Ring of ${all} after step ${step} of ${whole.steps}, ${phaseOf(result)}.`
    : say`${word(algorithmNames[algorithm])} on ${all} after step ${step} of ${whole.steps}, ${phaseOf(result)}.`;
  const picture: CollectivePicture = {
    ranks,
    chunks: cells.counts.length,
    step,
    steps: whole.steps,
    phase: phaseOf(result),
    state,
    isRing,
    pairs: isRing ? [] : pairsOf(result),
    perNode: layout === "nodes" ? result.perNode : undefined,
    differs: (rank) => now.divergedRanks.includes(rank),
    ...(followed !== undefined && { followed }),
    sent: sentPicture(result),
    label: cellText(result, cells),
    summary: sentences(where, said),
  };
  return { picture, said };
}

function view(result: Result, width: number): View {
  const { cells, layout } = result;
  const claim = isPlain(result) ? undefined : variants.there.claims[result.algorithm];
  const shared = { readouts: readouts(result), steps: stepsOf(result), ...(claim && { claim: claim() }) };
  if (cells === undefined) {
    const caption = sentences(undrawn(result), breakage(result));
    return { figure: sentFigure(sentPicture(result), width, caption), caption, ...shared };
  }
  const { picture, said } = pictureOf(result, cells);
  const circle = picture.isRing ? ring : variants.there.chords;
  return { figure: layout === "ring" ? circleFigure(picture, width, circle) : rowsFigure(picture, width), caption: said, ...shared };
}

export const allReduce: Routine<Result> = {
  id: "all-reduce",
  title: "All-reduce, step by step",
  claim: "In a ring, each rank sends less than 2× its tensor, however many ranks there are, in 2(N−1) small steps.",
  question: async () => (await import("../questions/all-reduce.js")).question,
  tryNext: "Press Play; then take 16 ranks, and see that each still sends less than twice its tensor. Take a tree, and break it.",
  parameters,
  presets,
  styles: [ranksStyle, chunksStyle, waysStyle, sentStyle],
  run,
  view,
  details: async () => (await import("../details/all-reduce.js")).details,
};
