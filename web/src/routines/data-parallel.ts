import type { AsyncLab, DataParallelResult, Matrix } from "shardlab";
import { mostElementsDrawn, mostRanksDrawn, stripFigure } from "../figures/strip.js";
import { bytes, count, exact, inText, plural, significant } from "../format.js";
import type { Inputs } from "../parameter.js";
import type { Routine, View } from "../routine.js";
import { columnsOf, matrixFromText, matrixTable } from "../rows.js";
import { ddp, ringPaper } from "../sources.js";

interface Result {
  gradients: Matrix;
  found: DataParallelResult;
}

async function run(lab: AsyncLab, inputs: Inputs): Promise<Result> {
  const gradients = await matrixFromText(lab, "gradients", inputs.text("gradients"));
  return { gradients, found: await lab.dataParallelGradientAverage({ gradients }) };
}

function average(values: ArrayLike<number>): string {
  const few = Array.from({ length: Math.min(values.length, 3) }, (_, index) => significant(values[index]!, 6));
  return few.join("; ") + (values.length > 3 ? "; …" : "");
}

function view({ gradients, found }: Result, width: number): View {
  const ranks = gradients.length;
  const elements = columnsOf(gradients);
  const drawn = ranks <= mostRanksDrawn && elements <= mostElementsDrawn && elements > 0;
  const mean = average(found.average);
  const said = `${plural(ranks, "rank")}, ${plural(elements, "element")} each: the average is ${mean}, and every rank holds it.`;
  const busiest = found.bytesSentPerRank.reduce((a, b) => Math.max(a, b), 0);
  const firsts = gradients.slice(0, 4).map((row) => exact(row[0] ?? 0));
  const terms = firsts.join(" + ") + (ranks > 4 ? " + …" : "");
  return {
    ...(drawn && {
      figure: stripFigure(
        { values: gradients, mean: found.average, summary: `Gradients of each rank on a line, and their mean. ${said}` },
        width,
      ),
    }),
    caption: drawn ? said : `${said} Drawn up to ${mostRanksDrawn} ranks of ${mostElementsDrawn} elements.`,
    readouts: [
      { id: "average", label: "Average", value: mean },
      { id: "serial", label: "Mean, computed in one place", value: average(found.serialMean) },
      { id: "difference", label: "Largest difference", value: significant(found.maxAbsDifference) },
      { id: "bytes", label: "Sent by the busiest rank", ...bytes(busiest) },
    ],
    reasons: [
      {
        name: "Average of the first element",
      guard: "data parallel: gradients 4, 8, 12 and 16 average to 10",
        equals: ["(g₀ + g₁ + … ) / N", `(${terms}) / ${ranks}`, exact(found.average[0] ?? 0)],
        note: "The all-reduce sums; the division by N is a step of its own.",
      },
      {
        name: "Largest difference",
      guard: "data parallel: differs from the serial mean by rounding alone on arbitrary numbers",
        equals: ["max |average − serial mean|", exact(found.maxAbsDifference)],
        note: "0 where the sums are exact; elsewhere the rounding of another order of additions.",
      },
      {
        name: "Bytes of the all-reduce",
      guard: "ring: 2(N-1) steps, and 2 bytes (N-1)/N per rank where N divides the elements",
        equals: [
          "2 · S · (N − 1) / N",
          `2 · ${count(elements * 8)} · (${ranks} − 1) / ${ranks}`,
          inText(bytes((2 * elements * 8 * (ranks - 1)) / ranks)),
        ],
        note: `Chunks are whole elements: the busiest rank sent ${inText(bytes(busiest))}.`,
      },
    ],
    sources: [ddp, ringPaper],
    table: matrixTable("Gradients and their average", "element", [
      ...gradients.map((row, rank) => [`rank ${rank}`, row] as const).slice(0, 31),
      ["average", found.average] as const,
    ]),
  };
}

export const dataParallel: Routine<Result> = {
  id: "data-parallel",
  title: "Data-parallel average",
  claim: "Every rank sees other data; after one all-reduce every rank takes the same step, that of the whole batch.",
  question: {
    text: "Four gradients: 4, 8, 12 and 16. Rank 3 is lost, and what comes back is still divided by four. What do the others apply?",
    answers: [
      { label: "10", because: "That would be the mean of all four: but the 16 is missing from the sum." },
      {
        label: "8",
        because: "That is the sum of 24 divided by three. Nobody has told the ranks that they are fewer; and it is not the mean either, since the data of rank 3 are gone.",
      },
      {
        label: "6",
        right: true,
        because: "The sum is 24, and 24 / 4 = 6: too small, and nothing says so. Real NCCL does not skip a rank; it waits for it, until a timeout.",
      },
      { label: "24", because: "An all-reduce does sum; the division is a step of its own, and it follows." },
    ],
  },
  parameters: [
    {
      name: "gradients",
      label: "Gradients, a row per rank",
      kind: "text",
      initial: "4\n8\n12\n16\n",
      files: ".csv,.txt,text/csv,text/plain",
      description: "Comma-separated numbers, without a header.",
      aliases: ["text", "input", "buffers"],
    },
  ],
  run,
  view,
};
