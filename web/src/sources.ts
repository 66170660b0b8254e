/** The papers and pages that formulas come from. */

import type { Source } from "./routine.js";

export const ringPaper: Source = {
  text: "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, JPDC 69 (2009)",
  url: "https://doi.org/10.1016/j.jpdc.2008.09.002",
};

export const mpich: Source = {
  text: "Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in MPICH, IJHPCA 19 (2005)",
  url: "https://doi.org/10.1177/1094342005051521",
};

export const twoTrees: Source = {
  text: "Sanders, Speck and Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, Parallel Computing 35 (2009)",
  url: "https://doi.org/10.1016/j.parco.2009.09.001",
};

export const ncclTuner: Source = {
  text: "NVIDIA NCCL, src/graph/tuning.cc, tags v2.18.3-1 to v2.27.7-1 and master of 2.30",
  url: "https://github.com/NVIDIA/nccl/blob/v2.27.7-1/src/graph/tuning.cc",
};

export const busBandwidth: Source = {
  text: "NVIDIA nccl-tests, doc/PERFORMANCE.md (bus bandwidth)",
  url: "https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md",
};

export const linkModel: Source = {
  text: "Hockney, The communication challenge for MPP, Parallel Computing 20 (1994), equation 1",
  url: "https://doi.org/10.1016/S0167-8191(06)80021-9",
};

export const ddp: Source = {
  text: "Li et al., PyTorch Distributed: Experiences on Accelerating Data Parallel Training, arXiv:2006.15704",
  url: "https://arxiv.org/abs/2006.15704",
};

export const megatron: Source = {
  text: "Shoeybi et al., Megatron-LM, arXiv:1909.08053, section 3",
  url: "https://arxiv.org/abs/1909.08053",
};

export const sequenceParallelism: Source = {
  text: "Korthikanti et al., Reducing activation recomputation in large transformer models, arXiv:2205.05198, section 4.2",
  url: "https://arxiv.org/abs/2205.05198",
};

export const gpipe: Source = {
  text: "Huang et al., GPipe, arXiv:1811.06965, section 2.3",
  url: "https://arxiv.org/abs/1811.06965",
};

export const megatronPipeline: Source = {
  text: "Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM, arXiv:2104.04473, section 2.2.1",
  url: "https://arxiv.org/abs/2104.04473",
};

export const breadthFirst: Source = {
  text: "Lamy-Poirier, Breadth-First Pipeline Parallelism, arXiv:2211.05953, section 4.1",
  url: "https://arxiv.org/abs/2211.05953",
};

export const zeroBubble: Source = {
  text: "Qi et al., Zero Bubble Pipeline Parallelism, arXiv:2401.10241",
  url: "https://arxiv.org/abs/2401.10241",
};

export const dualPipe: Source = {
  text: "DeepSeek-AI, DeepSeek-V3 Technical Report, arXiv:2412.19437, section 3.2.1 and table 2",
  url: "https://arxiv.org/abs/2412.19437",
};

export const zeroPaper: Source = {
  text: "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 5 and table 1",
  url: "https://arxiv.org/abs/1910.02054",
};

export const zeroTraffic: Source = {
  text: "The same, section 7 (what each stage sends)",
  url: "https://arxiv.org/abs/1910.02054",
};

export const adamPaper: Source = {
  text: "Kingma and Ba, Adam, arXiv:1412.6980, algorithm 1",
  url: "https://arxiv.org/abs/1412.6980",
};

export const ncclFaults: Source = {
  text: "NVIDIA, NCCL user guide, Communicator fault tolerance (what a library does instead)",
  url: "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/communicators.html",
};

export const activationPaper: Source = {
  text: "Korthikanti et al., arXiv:2205.05198, sections 4.1 to 4.3 (what a layer, the embedding and the head keep)",
  url: "https://arxiv.org/abs/2205.05198",
};

export const kinetoFormat: Source = {
  text: "pytorch/kineto, libkineto/src/output_json.cpp (the events of a trace)",
  url: "https://github.com/pytorch/kineto/blob/main/libkineto/src/output_json.cpp",
};

export const ncclTests: Source = {
  text: "NVIDIA/nccl-tests, src/util.cu (what it prints, and its JSON)",
  url: "https://github.com/NVIDIA/nccl-tests/blob/master/src/util.cu",
};
