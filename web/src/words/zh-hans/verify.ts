/** Published tables, computed again, with what the core says of them. Titles of works and names of files stay as they are. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {
  // verify-state.ts
  "be a cell of a table, as {0} is": "是某张表中的单元格，例如 {0}",
  "All tables": "所有表",
  "ZeRO, table 1": "ZeRO，表 1",
  "ZeRO, table 2": "ZeRO，表 2",
  "Korthikanti, tables": "Korthikanti，表",
  "Korthikanti, text": "Korthikanti，正文",
  "Parameters of models": "模型的参数量",
  "Playbook, memory": "Playbook，内存",
  "Playbook, bubbles": "Playbook，气泡",
  "Zero Bubble, table 5": "Zero Bubble，表 5",
  "PyTorch, DualPipeV": "PyTorch，DualPipeV",
  "PyTorch, zero bubble": "PyTorch，零气泡",
  "Bekman, worked example": "Bekman，算例",
  "NCCL, double tree": "NCCL，双树",
  "NCCL, tuning table": "NCCL，调优表",
  "nccl-tests, four runs": "nccl-tests，四次运行",

  // verify-walk.ts
  "Cell": "单元格",
  "cell to the left": "左边的单元格",
  "cell to the right": "右边的单元格",
  "cell above": "上面的单元格",
  "cell below": "下面的单元格",
  "no cell": "不选单元格",
  "on the figure: the cell beside, above, below": "焦点在图上：旁边、上面、下面的单元格",
  "on the figure: no cell": "焦点在图上：不选单元格",

  // routines/verify.ts
  "agrees": "一致",
  "agrees under an assumption": "在某个假设下一致",
  "differs, with the reason": "不同，原因已知",
  "differs, and must not": "不同，而本应一致",
  "{0} of {1} agree": "{1} 个中 {0} 个一致",
  "Of {0} published numbers and operations {1} are got again, {2} of them under an assumption that is named.":
    "在 {0} 个已发表的数字和操作中，{1} 个重新算得，其中 {2} 个依赖一个已写明的假设。",
  "{0} differ for reasons that are named.": "{0} 个不同，原因已写明。",
  "None differs without one.": "没有原因不明的差异。",
  "{0} differ, and must not.": "{0} 个不同，而本应一致。",
  "How many cells of each published table agree. {0}. {1}": "每张已发表的表中有多少单元格一致。{0}。{1}",
  "Cells": "单元格",
  "Agree": "一致",
  "Of them under an assumption": "其中依赖假设",
  "Differ, with the reason": "不同，原因已知",
  "Rows {0} to {1} of {2}": "第 {0} 至 {1} 行，共 {2} 行",
  "{0}, columns {1} to {2} of {3}": "{0}；第 {1} 至 {2} 列，共 {3} 列",
  "Cells of a published table: what is printed, and below it what is computed. {0}": "一张已发表的表的单元格：上面是印出的，下面是算出的。{0}",
  "Of them {0} agree under an assumption only.": "其中 {0} 个只在某个假设下一致。",
  "Printed stands above computed. Source: {0}, {1}.": "上面是印出的，下面是算出的。来源：{0}，{1}。",
  "{0}, {1} % of it": "{0}，即其 {1} %",
  "They may not differ: {0}.": "不允许有差异：{0}。",
  "They may differ by {0}: {1}.": "允许相差 {0}：{1}。",
  "They agree.": "两者一致。",
  "They differ, and it is known why.": "两者不同，原因已知。",
  "They differ, and must not.": "两者不同，而本应一致。",
  "{0}: printed {1}, computed {2}.": "{0}：印出 {1}，算出 {2}。",
  "Computed: {0}.": "算法：{0}。",
  "Assumed: {0}.": "假设：{0}。",
  "Source: {0}, {1}.": "来源：{0}，{1}。",
  "Printed": "印出",
  "Computed": "算出",
  "Difference": "差",
  "The print explains": "印刷精度可解释",
  "No cell of this table differs. {0}": "这张表没有不同的单元格。{0}",
  "Choose a cell: how is it computed, and what may it differ by?": "选一个单元格：它是怎样算出的，允许相差多少？",
  "Take another table, or those cells alone that differ.": "换一张表，或只看不同的单元格。",
  "Published numbers, computed again": "重新计算已发表的数字",
  "What papers and logs print, this lab computes again, cell by cell. Most of it agrees to the last printed digit; where it does not, the reason is said.":
    "论文和日志印出的数字，这里逐格重新计算。大多数到最后一位印出的数字都一致；不一致之处，说明原因。",
  "Where this lab gets another number than is printed, what has led to the printed one, as a rule?":
    "当这里算出的数字与印出的不同时，印出的数字通常是怎么来的？",
  "Rounding in the lab": "这里的舍入",
  "The lab rounds in the sixteenth digit. What is printed has two to four of them, and half a unit of the last one is allowed for.":
    "这里在第十六位舍入。印出的只有两到四位，并且已允许末位半个单位的误差。",
  "Something that the source left out": "出处省略了某些东西",
  "A dependency that its simulator skips, a row that is rounded before it is multiplied, a formula that is drawn beyond where it holds.":
    "模拟器跳过的一条依赖、先舍入再相乘的一行、画到适用范围之外的公式。",
  "A measurement": "一次测量",
  "Measured times are not computed again: they are taken as they are printed, and bandwidths are computed from them.":
    "测得的时间不会重新计算：直接采用印出的值，并由此算出带宽。",
  "Choose a table, then a cell of it; or show those alone that differ.": "先选一张表，再选其中的单元格；或只看不同的。",
  "Table": "表",
  "What differs": "不同之处",

  // details/verify.ts
  "Why it may differ, or not: {0}.": "允许差异与否的理由：{0}。",
  "computed": "算出",
  "computed − printed": "算出 − 印出",
  "{0} and others, {1} in all": "{0} 等，共 {1} 个",
  "cells that agree": "一致的单元格",
  "column": "列",
  "unit": "单位",
  "printed": "印出",
  "difference": "差",
  "the print explains": "印刷精度可解释",
  "compares": "比较",
  "Published tables": "已发表的表",
  "table": "表",
  "cells": "单元格",
  "agree": "一致",
  "of them under an assumption": "其中依赖假设",
  "differ, with the reason": "不同，原因已知",
  "source": "来源",

  // core: tables, their sources and rows
  "Memory of the training states, 7.5 billion parameters": "训练状态的内存，75 亿参数",
  "Largest model whose states fit 32 GB on each of 64 data-parallel ranks": "状态能放进 64 个数据并行 rank 各 32 GB 内存的最大模型",
  "End-to-end iterations of four models": "四个模型的端到端迭代",
  "What selective recomputation saves and costs": "选择性重算省下什么，代价是什么",
  "Parameters of public models": "公开模型的参数量",
  "Memory of one GPU, plot by plot": "一个 GPU 的内存，逐图",
  "Bubble of interleaved 1F1B on 8 stages, over ideal time": "8 个阶段上交错 1F1B 的气泡，相对于理想时间",
  "Bubble rates of six schedules from profiled times": "由实测时间得到的六种调度的气泡率",
  "DualPipeV of 4 ranks and 10 micro-batches, operation by operation": "4 个 rank、10 个微批次的 DualPipeV，逐个操作",
  "Zero bubble of 2 ranks with 2 stages each, slot by slot": "2 个 rank、各 2 个阶段的零气泡调度，逐个时隙",
  "All-reduce of 4 GiB over 4 nodes with 8 accelerators": "4 个节点、每个 8 个加速器上 4 GiB 的 all-reduce",
  "NCCL's double binary tree of nine sizes": "NCCL 的双二叉树，九种规模",
  "NCCL's tuning table of a node of 4 x A100": "NCCL 在一个 4 x A100 节点上的调优表",
  "Bandwidths of four runs of all_reduce_perf": "all_reduce_perf 四次运行的带宽",
  "The files of weights of the models, as published": "各模型发布的权重文件",
  "table 1": "表 1",
  "table 2, by theory": "表 2，理论值",
  "tables 3 and 5": "表 3 和表 5",
  "sections 5 and 6.3, appendix B": "第 5 节、第 6.3 节和附录 B",
  "the number of parameters that each model's page names": "各模型页面上写明的参数量",
  "table 5, with the times of table 9": "表 5，时间取自表 9",
  "network/README.md, the worked example": "network/README.md，其中的算例",
  "src/graph/trees.cc: its rule, evaluated for each rank": "src/graph/trees.cc：对每个 rank 计算其规则",
  "the printed table; the model is src/graph/tuning.cc": "打印出的表；模型在 src/graph/tuning.cc",
  "their tables; the definition of bus bandwidth is doc/PERFORMANCE.md": "它们的表；总线带宽的定义见 doc/PERFORMANCE.md",
  "Model-parallel ranks": "模型并行 rank 数",
  "Statement": "陈述",
  "Plot and setting": "图与设置",
  "Micro-batches and chunks": "微批次数与分块数",
  "Model, stages, micro-batches, schedule": "模型、阶段数、微批次数、调度",
  "Way": "方式",
  "Algorithm and protocol": "算法与协议",
  "Run and size": "运行与大小",
  "1 rank": "1 个 rank",
  "{0} ranks": "{0} 个 rank",
  "{0} ranks, rank {1}": "{0} 个 rank 中的 rank {1}",
  "{0} of {1} GPUs": "{1} 个 GPU 中的 {0} 个",
  "{0}: activations saved by selective recomputation": "{0}：选择性重算省下的激活",
  "{0}: FLOPs added by selective recomputation": "{0}：选择性重算增加的 FLOPs",
  "{0}: outputs that the first of 35 stages keeps": "{0}：35 个阶段中第一个保留的输出",
  "{0}: model FLOPs utilization of 8 data-parallel copies": "{0}：8 个数据并行副本的模型 FLOPs 利用率",
  "payload through one card": "全部数据经过一块网卡",
  "flat ring, one card": "平坦环，一块网卡",
  "flat ring, eight cards": "平坦环，八块网卡",
  "hierarchical, between nodes": "分层，节点之间",
  "hierarchical, in all": "分层，总计",

  // core: columns and their units
  "billion parameters": "× 10⁹ 个参数",
  "baseline": "基线",
  "throughput increase": "吞吐量提高",
  "model FLOPs utilization": "模型 FLOPs 利用率",
  "hardware FLOPs utilization": "硬件 FLOPs 利用率",
  "share": "比例",
  "memory": "内存",
  "active parameters": "激活参数",
  "bubble rate": "气泡率",
  "with every dependency": "保留所有依赖",
  "independent simulation": "独立模拟",
  "{0} parent": "{0} 父节点",
  "{0} child0": "{0} 子节点 0",
  "{0} child1": "{0} 子节点 1",
  "slot {0}": "时隙 {0}",
  "out-of-place algbw": "非原地 algbw",
  "out-of-place busbw": "非原地 busbw",
  "in-place algbw": "原地 algbw",
  "in-place busbw": "原地 busbw",

  // core: how cells are computed
  "(4 + 12/R) N, (2 + 14/R) N and 16 N/R bytes of zero_memory_per_gpu, over 1e9":
    "zero_memory_per_gpu 的 (4 + 12/R) N、(2 + 14/R) N 和 16 N/R 字节，除以 1e9",
  "model-parallel ranks times 32e9 B over the bytes of a parameter, of zero_memory_per_gpu":
    "模型并行 rank 数乘以 32e9 B，再除以 zero_memory_per_gpu 给出的每个参数的字节数",
  "iteration with full recomputation over that of present work, less 1": "完全重算的迭代时间除以论文方法的迭代时间，再减 1",
  "flops_per_token times the batch's tokens, over time, GPUs and peak": "flops_per_token 乘以批次的 token 数，再除以时间、GPU 数和峰值",
  "72 B L s h^2 (1 + s/(3h) + V/(12hL)) of korthikanti_flops, over time, GPUs and peak":
    "korthikanti_flops 的 72 B L s h^2 (1 + s/(3h) + V/(12hL))，除以时间、GPU 数和峰值",
  "1 - 34/(34 + 5as/h), of layer_activations with 8-way tensor and sequence parallelism":
    "1 - 34/(34 + 5as/h)，取自 layer_activations，8 路张量并行和序列并行",
  "hardware over model FLOPs of korthikanti_flops, less 1": "korthikanti_flops 的硬件 FLOPs 除以模型 FLOPs，再减 1",
  "2 s b h p bytes: the first stage of footprint with stage outputs kept, less without":
    "2 s b h p 字节：footprint 的第一个阶段，保留阶段输出时减去不保留时",
  "flops_per_token times the tokens of 8 batches of 280, over 39.15 s, 2240 GPUs and peak":
    "flops_per_token 乘以 8 个大小为 280 的批次的 token 数，再除以 39.15 s、2240 个 GPU 和峰值",
  "count_parameters of the shape that the model's config.json describes": "对模型 config.json 所描述的形状调用 count_parameters",
  "states of footprint": "footprint 的状态",
  "activations of footprint, less those of the last norm and the output head": "footprint 的激活，减去最后一个归一化和输出头的激活",
  "2 or 8 bytes for each parameter of footprint's first stage but the norms'": "footprint 第一个阶段的每个参数（归一化除外）2 或 8 字节",
  "activations of footprint with selective recomputation, less those of the embedding, the last norm and the head":
    "选择性重算时 footprint 的激活，减去嵌入、最后一个归一化和输出头的激活",
  "2 or 8 bytes for each parameter but the norms', over the ranks that share them":
    "每个参数（归一化除外）2 或 8 字节，除以分担它们的 rank 数",
  "bubble_of_ideal of the simulated schedule with F = 1 and B = 2": "F = 1、B = 2 时模拟调度的 bubble_of_ideal",
  "bubble_rate of the simulated schedule": "模拟调度的 bubble_rate",
  "bubble_rate of the simulated interleaved schedule": "模拟的交错调度的 bubble_rate",
  "bubble_rate of the simulated interleaved schedule, without one dependency": "模拟的交错调度的 bubble_rate，少一条依赖",
  "bubble_rate of the searched schedule in the memory of P micro-batches": "在 P 个微批次的内存中搜索到的调度的 bubble_rate",
  "bubble_rate of the searched schedule in the memory of 2P micro-batches": "在 2P 个微批次的内存中搜索到的调度的 bubble_rate",
  "schedule_csv of pipeline_schedule_dualpipe_v": "pipeline_schedule_dualpipe_v 的 schedule_csv",
  "the slot that the simulation starts each operation in": "模拟中每个操作开始的时隙",
  "message_seconds of the payload over one network card": "全部数据经过一块网卡的 message_seconds",
  "the priced schedule of a ring over 32 ranks, one card a node": "32 个 rank 的环形调度的计价，每个节点一块网卡",
  "the same with eight cards a node as one link": "同上，每个节点的八块网卡作为一条链路",
  "the priced hierarchical schedule, less the closed form of a ring inside a node": "分层调度的计价，减去节点内环形的闭式",
  "the priced hierarchical schedule": "分层调度的计价",
  "double_binary_tree; -1 where there is none": "double_binary_tree；没有之处为 -1",
  "nccl_tuning of version 2.18": "2.18 版的 nccl_tuning",
  "size over time, and for busbw times the bus factor 2(N-1)/N of all_reduce_cost":
    "大小除以时间；busbw 再乘以 all_reduce_cost 的总线系数 2(N-1)/N",

  // core: what has to be assumed
  "sequences of 2048 tokens, a vocabulary of 51 200, and 312e12 FLOP/s of an A100, which the paper's text names":
    "序列长 2048 个 token，词表 51 200，A100 为 312e12 FLOP/s，均见论文正文",
  "sequences of 2048 tokens, a vocabulary of 51 200, 312e12 FLOP/s of an A100, and the paper's own count, which has the scores' recomputation three times":
    "序列长 2048 个 token，词表 51 200，A100 为 312e12 FLOP/s，并采用论文自己的计数，其中注意力分数的重算计三次",
  "the paper's own count, which has the scores' recomputation three times": "论文自己的计数，其中注意力分数的重算计三次",
  "GB in the paper is 2^30 bytes here": "论文中的 GB 在此为 2^30 字节",
  "a GPT of the same width and depth, all in 32 bits, with Adam": "宽度和深度相同的 GPT，全部 32 位，用 Adam",
  "a GPT of the same width and depth, with dropout; nothing is kept behind the last layer":
    "宽度和深度相同的 GPT，带 dropout；最后一层之后不保留任何东西",
  "no 32-bit copy of the weights, and no norms": "没有权重的 32 位副本，也不计归一化",
  "a GPT's layers of the same width, with dropout, whose scores are not kept: 34sbh a layer":
    "宽度相同的 GPT 层，带 dropout，不保留注意力分数：每层 34sbh",
  "no 32-bit copy of the weights, no norms, and the 16-bit weights rounded up to half a GiB before they are cut":
    "没有权重的 32 位副本，不计归一化，16 位权重在切分前向上取整到半个 GiB",
  "micro-batches whose number is no multiple of P do not wait for what wraps around from the last device to the first, as in the authors' simulator":
    "微批次数不是 P 的倍数时，不等待从最后一个设备绕回第一个设备的数据，与作者的模拟器相同",
  "compared with an independent simulation, which the paper does not print": "与一个独立的模拟比较，论文没有印出它",
  "the order of each rank's operations is the file's; every operation takes one slot": "每个 rank 的操作顺序取自文件；每个操作占一个时隙",
  "links without latency, 50 GB/s a card and the example's 740.64 GB/s inside a node":
    "链路没有延迟，每块网卡 50 GB/s，节点内为算例中的 740.64 GB/s",
  "24 channels of 10 GB/s, from the bus bandwidth of 240 GB/s that the log prints": "24 个通道，各 10 GB/s，由日志打印的 240 GB/s 总线带宽得出",
  "the printed time, which is measured and is not recomputed": "印出的时间，它是测得的，不重新计算",

  // core: why they may differ, or do
  "half a unit of the last printed digit": "末位印出数字的半个单位",
  "half a unit of the last printed digit; 0.5T, 1T and 2T are printed for 512, 1024 and 2048":
    "末位印出数字的半个单位；512、1024 和 2048 印作 0.5T、1T 和 2T",
  "half a unit of the last printed digit, of the percentage and of both times": "末位印出数字的半个单位，百分比和两个时间各计",
  "half a unit of the last printed digit, of the percentage and of the time": "末位印出数字的半个单位，百分比和时间各计",
  "half a unit of the last printed digit; 1e-9 for the sums of times": "末位印出数字的半个单位；时间之和另加 1e-9",
  "half a unit of the last printed digit, of the bandwidth and of the time": "末位印出数字的半个单位，带宽和时间各计",
  "a count is exact": "计数是精确的",
  "the plots' data have all digits": "图的数据带有全部数字",
  "1e-12 for the sums of times": "时间之和为 1e-12",
  "words are compared as they stand": "文字按原样比较",
  "a rank is exact": "rank 编号是精确的",
  "The paper multiplies its first row, rounded as it is printed, by the model-parallel ranks.":
    "论文把第一行按印出的舍入值乘以模型并行 rank 数。",
  "The plot draws (P-1)/(V M) everywhere. The formula holds where the micro-batches are a multiple of the stages; with fewer a device waits for its own earlier chunk.":
    "图中处处画的是 (P-1)/(V M)。该公式在微批次数是阶段数的倍数时成立；更少时，设备要等待自己较早的分块。",
  "The published rates were simulated without one dependency, which real training has to keep. With it the bubble is larger.":
    "已发表的气泡率在模拟时少了一条依赖，而真实训练必须保留它。有了它，气泡更大。",
  "The paper's schedules come out of its own search and are not printed. This library's search finds other ones in the same memory.":
    "论文的调度出自它自己的搜索，没有印出。这里的搜索在同样的内存中找到了别的调度。",
  "The file leaves the fourth slot of rank 0 idle, though what 2F1 waits for has ended a slot before.":
    "文件让 rank 0 的第四个时隙空闲，而 2F1 所等待的在前一个时隙就已结束。",

  // presets/verify.ts
  "All published tables": "所有已发表的表",
  "The ZeRO paper's table of memory": "ZeRO 论文的内存表",
  "The tables with numbers that are not got": "含有算不出的数字的表",
  "A published bubble rate, and what one more dependency makes of it": "一个已发表的气泡率，以及多一条依赖后的结果",
  "NCCL's double tree of 14 ranks, rank by rank": "14 个 rank 的 NCCL 双树，逐个 rank",
  "PyTorch's DualPipeV, operation by operation": "PyTorch 的 DualPipeV，逐个操作",
};

export default texts;
