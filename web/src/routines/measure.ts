import type { AsyncLab } from "shardlab";
import { linesOfFit } from "../fitted-lines.js";
import { execute, type MeasureState } from "../measure-state.js";
import type { Inputs, Parameter } from "../parameter.js";
import { Part } from "../part.js";
import { presets } from "../presets/measure.js";
import type { Routine, View, Work } from "../routine.js";
import { sentences } from "../said.js";
import { word } from "../words.js";
import { timeView } from "./measure-time.js";
import curvesStyle from "../figure/curves.css";

const model = new Part(() => import("./measure-model.js"));

async function run(lab: AsyncLab, inputs: Inputs, work?: Work): Promise<MeasureState> {
  const state = await execute(lab, inputs, work);
  if (state.show === "model") await model.loaded();
  return state;
}

function view(state: MeasureState, width: number): View {
  const seen = state.show === "time" ? timeView(state, width) : model.there.modelView(state, width);
  return state.waits ? { ...seen, caption: sentences(word("No file is open yet: this is the sample."), seen.caption) } : seen;
}

const ofRuns = ["run", "files", "text"];

const parameters: readonly Parameter[] = [
  {
    name: "source",
    label: "Measured",
    kind: "choice",
    initial: "ranks",
    choices: [
      { value: "ranks", label: "Traces of two ranks, DLRM on 8 × V100" },
      { value: "run", label: "Runs of nccl-tests" },
      { value: "files", label: "My own files" },
      { value: "text", label: "Text that I paste" },
    ],
  },
  {
    name: "files",
    label: "Open files",
    kind: "files",
    initial: "",
    files: ".json,.gz,.txt,.log,.csv,application/json,application/gzip,text/plain,text/csv",
    description: "Traces of torch.profiler, one for each rank; or one run of nccl-tests or shardlab-mpi.",
    when: { parameter: "source", is: "files" },
  },
  {
    name: "text",
    label: "What nccl-tests printed or wrote, or a small trace",
    kind: "text",
    initial: "size_B,oop_time_us\n1024,14.2\n65536,22.1\n1048576,41.0\n16777216,152\n268435456,1630\n",
    aliases: ["files"],
    when: { parameter: "source", is: "text" },
  },
  {
    name: "show",
    label: "Of traces, show",
    kind: "choice",
    initial: "time",
    choices: [
      { value: "time", label: "Time" },
      { value: "model", label: "Model" },
    ],
    when: { parameter: "source", is: ["ranks", "files", "text"] },
  },
  linesOfFit({ parameter: "source", is: ofRuns }),
  { name: "run", label: "Run", kind: "kept", initial: "" },
];

export const measure: Routine<MeasureState> = {
  id: "measure",
  modules: ["traces"],
  title: "Compare with real runs",
  claim: "A trace tells how much of the communication compute hides; a run of all-reduces, which latency and bandwidth your links have.",
  question: async () => (await import("../questions/measure.js")).question,
  tryNext: "Look at the runs of nccl-tests with three lines; then open the traces of your own training.",
  parameters,
  presets,
  styles: [curvesStyle],
  run,
  view,
  details: async () => (await import("../details/measure.js")).details,
  more: "Events and lines, used and ignored",
};
