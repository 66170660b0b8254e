/** The papers and pages that the package's defaults for a model's memory come from: the controls name them. */

import type { Source } from "./routine.js";

export const contextMeasured: Source = {
  text: "stas00/ml-engineering at 008c4f74, training/performance (CUDA context, and what PyTorch sees of a card)",
  url: "https://github.com/stas00/ml-engineering/blob/008c4f74/training/performance/README.md",
};

export const fsdp: Source = {
  text: "PyTorch, FullyShardedDataParallel (backward_prefetch, HYBRID_SHARD)",
  url: "https://pytorch.org/docs/stable/fsdp.html",
};

export const logitsPaper: Source = {
  text: "Hsu et al., Liger Kernel, arXiv:2410.10989, section 3.2 (logits and their gradient)",
  url: "https://arxiv.org/abs/2410.10989",
};

export const stageOutputsPaper: Source = {
  text: "Korthikanti et al., arXiv:2205.05198, appendix B (outputs of a stage)",
  url: "https://arxiv.org/abs/2205.05198",
};

export const fragments: Source = {
  text: "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 6.3 (fragmentation)",
  url: "https://arxiv.org/abs/1910.02054",
};

export const bucketCap: Source = {
  text: "PyTorch, DistributedDataParallel (bucket_cap_mb)",
  url: "https://pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html",
};

export const nodeOfEight: Source = {
  text: "NVIDIA, NVSwitch: HGX boards of 8 GPUs",
  url: "https://docs.nvidia.com/ai-enterprise/release-8/8.0/infra-software/vgpu/features/nvswitch.html",
};

export const allocator: Source = {
  text: "PyTorch, CUDA semantics (expandable_segments)",
  url: "https://pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf",
};
