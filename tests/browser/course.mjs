/** What is right in the course, for a student's own numbers, by formulas that have nothing to do with the page's. */

export const bytesText = (size) => `${size}B`;

/** Values of a student's own, the right answers for them, and how the widgets are to be set. */
export function rightWorks(random) {
  const whole = (least, most) => least + Math.floor(random() * (most - least + 1));
  const ranks = whole(3, 12);
  const [many, size] = [whole(3, 99), whole(1, 900) * 1e6];
  const gradients = Array.from({ length: whole(3, 6) }, () => whole(1, 40));
  const lost = whole(0, gradients.length - 1);
  const sum = gradients.reduce((all, one) => all + one, 0);
  const tp = whole(2, 4);
  const [inFeatures, outFeatures, batch] = [whole(tp, 12), tp * whole(2, 4), whole(1, 5)];
  const [stages, microBatches] = [whole(9, 32), whole(5, 64)];
  const [params, dp] = [whole(1, 90) * 1e9, whole(2, 300)];
  return {
    steps: {
      own: { ranks },
      answers: { first: ranks - 1, steps: 2 * (ranks - 1), way: "own,add,whole,copy,all", why: "phases" },
      widget: ["all-reduce", { ranks, step: ranks - 1 }],
    },
    bytes: {
      own: { ranks: many, bytes: bytesText(size) },
      answers: { sent: bytesText((2 * (many - 1) * size) / many), limit: 2, why: "cancel" },
      widget: ["all-reduce", { ranks: 8 }],
    },
    mean: {
      own: { gradients: gradients.join(", "), rank: lost },
      answers: {
        average: sum / gradients.length,
        dropped: (sum - gradients[lost]) / gradients.length,
        doubled: (sum + gradients[lost]) / gradients.length,
        why: "linear",
        breaks: "unseen,scaled,silent",
      },
      widget: ["data-parallel", { gradients: gradients.join("\n"), fault: "drop", rank: lost }],
    },
    split: {
      own: { ranks: tp, inFeatures, outFeatures, batch },
      answers: {
        column: (outFeatures * batch) / tp,
        columnSent: 0,
        row: outFeatures * batch,
        rowSent: (2 * (tp - 1) * outFeatures * batch) / tp,
        layer: 4,
        why: "inner",
        node: "between",
      },
      widget: ["tensor-parallel", { split: "row", ranks: tp, inFeatures, outFeatures, batch }],
    },
    idle: {
      own: { stages, microBatches },
      answers: { known: "7/11", own: `${(100 * (stages - 1)) / (stages + microBatches - 1)} %`, least: 9 * (stages - 1), why: "spread" },
      widget: ["bubble", { stages: 8, microBatches: 28 }],
    },
    states: {
      own: { params, ranks: dp },
      answers: { replica: `${(16 * params) / 1e9}GB`, shard: `${(16 * params) / dp / 1e6}MB`, times: 1.5, why: "once", cost: "gather,half,wait" },
      widget: ["zero", { params: "70B", zeroStage: 3, ranks: 14 }],
    },
  };
}

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function handedIn(settings) {
  return new URLSearchParams([["v", "1"], ...Object.entries(settings).map(([name, value]) => [kebab(name), String(value)])]).toString();
}

/** All texts of a criterion's work, right. */
export function rightTexts({ own, answers, widget: [, settings] }) {
  const texts = { ...own, ...answers, shown: handedIn(settings) };
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value)]));
}
