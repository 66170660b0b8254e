/** The gradients of all ranks, averaged once. */

import type { AsyncLab, DataParallelResult, Matrix } from "shardlab";
import { mostElementsDrawn, mostRanksDrawn, stripFigure } from "../figures/strip.js";
import { bytes, plural, significant } from "../format.js";
import { InputError, type Inputs } from "../parameter.js";
import type { Readout, View } from "../routine.js";
import { columnsOf, matrixFromText } from "../rows.js";
import { sentences } from "../said.js";
import { say, word } from "../words.js";

type Fault = "none" | "drop" | "double";

export interface AverageResult {
  kind: "average";
  fault: Fault;
  /** whose gradient is lost or counted twice */
  rank: number;
  /** what the ranks computed, and what goes into the sum */
  gradients: Matrix;
  summed: Matrix;
  found: DataParallelResult;
  /** of all gradients, as they are */
  mean: Float64Array;
}

/** Nothing of a rank's gradient, or twice as much. */
function faulty(gradients: Matrix, rank: number, times: number): Matrix {
  return gradients.map((row, index) => (index === rank ? row.map((value) => times * value) : row));
}

export async function runAverage(lab: AsyncLab, inputs: Inputs): Promise<AverageResult> {
  const gradients = await matrixFromText(lab, "gradients", inputs.text("gradients"));
  const fault = inputs.text("fault") as Fault;
  const { serialMean } = await lab.dataParallelGradientAverage({ gradients });
  const rank = fault === "none" ? 0 : inputs.number("rank");
  if (!Number.isInteger(rank) || rank < 0 || rank >= gradients.length) {
    throw new InputError("rank", inputs.text("rank"), `be a whole number from 0 to ${gradients.length - 1}`);
  }
  const summed = fault === "none" ? gradients : faulty(gradients, rank, fault === "drop" ? 0 : 2);
  const found = await lab.dataParallelGradientAverage({ gradients: summed });
  return { kind: "average", fault, rank, gradients, summed, found, mean: serialMean };
}

function shown(values: ArrayLike<number>): string {
  const few = Array.from({ length: Math.min(values.length, 3) }, (_, index) => significant(values[index]!, 6));
  return [...few, ...(values.length > 3 ? ["…"] : [])].join(word("; "));
}

/** The same sum over the ranks that are left. */
export function overTheOthers({ gradients: { length: ranks }, found }: AverageResult): Float64Array {
  return found.average.map((value) => (value * ranks) / (ranks - 1));
}

function caption(result: AverageResult): string {
  const { fault, rank, gradients, found, mean } = result;
  const ranks = gradients.length;
  const all = plural(ranks, "rank");
  const right = say`The mean of all is ${shown(mean)}.`;
  switch (fault) {
    case "none":
      return say`${all}, ${plural(columnsOf(gradients), "element")} each: the average is ${shown(found.average)}, and every rank holds it.`;
    case "drop":
      return sentences(
        say`Hypothetical: rank ${rank} is left out.`,
        ranks > 1
          ? say`${wrong(result)}; over the ${ranks - 1} that are left it is ${shown(overTheOthers(result))}, biased to their data.`
          : say`${wrong(result)}.`,
        right,
        word("Real NCCL skips no rank: it waits, until a timeout of the framework ends the job."),
      );
    case "double":
      return sentences(say`Hypothetical: the gradient of rank ${rank} is counted twice.`, say`${wrong(result)}.`, right);
  }
}

/** What the ranks apply in place of the mean. */
function wrong({ gradients: { length: ranks }, found, mean }: AverageResult): string {
  const sum = shown(found.average.map((value) => value * ranks));
  const over = plural(ranks, "rank");
  return say`The sum is ${sum}; over ${over} that is ${shown(found.average)}, ${off(found.average, mean)}, and no number says so`;
}

/** How a wrong average differs from the mean of all. */
function off(average: ArrayLike<number>, mean: ArrayLike<number>): string {
  const [wrong, right] = [average[0] ?? 0, mean[0] ?? 0];
  if (average.length !== 1) return word("not the mean");
  if (wrong === right) return word("by chance the mean");
  return Math.abs(wrong) < Math.abs(right) ? word("too small") : word("too large");
}

function readouts(result: AverageResult): Readout[] {
  const { fault, gradients, found, mean } = result;
  const average = { id: "average", label: fault === "none" ? word("Average") : word("What the ranks apply"), value: shown(found.average) };
  const busiest = found.bytesSentPerRank.reduce((a, b) => Math.max(a, b), 0);
  const sent = { id: "bytes", label: word("Sent by the busiest rank"), ...bytes(busiest) };
  if (fault === "none") {
    return [
      average,
      { id: "serial", label: word("Mean, computed in one place"), value: shown(found.serialMean) },
      { id: "difference", label: word("Largest difference"), value: significant(found.maxAbsDifference) },
      sent,
    ];
  }
  const others = { id: "others", label: word("Over the ranks that are left"), value: shown(overTheOthers(result)) };
  return [
    average,
    ...(fault === "drop" && gradients.length > 1 ? [others] : []),
    { id: "serial", label: word("Mean of all ranks"), value: shown(mean) },
    sent,
  ];
}

export function viewAverage(result: AverageResult, width: number): View {
  const { fault, rank, gradients, summed, found, mean } = result;
  const ranks = summed.length;
  const elements = columnsOf(summed);
  const drawn = ranks <= mostRanksDrawn && elements <= mostElementsDrawn && elements > 0;
  const said = caption(result);
  return {
    ...(drawn && {
      figure: stripFigure(
        {
          values: gradients,
          mean: found.average,
          ...(fault !== "none" && { broken: { rank, lost: fault === "drop", mean } }),
          summary: sentences(word("Gradients of each rank on a line, and their mean."), said),
        },
        width,
      ),
    }),
    caption: sentences(said, drawn ? "" : say`Drawn up to ${mostRanksDrawn} ranks of ${mostElementsDrawn} elements.`),
    readouts: readouts(result),
  };
}
