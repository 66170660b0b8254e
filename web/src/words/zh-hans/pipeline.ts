/** Pipelines and their bubbles. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {
  // magnify.ts

  // pipeline-state.ts
  "1F1B": "1F1B",
  GPipe: "GPipe",
  "Interleaved 1F1B": "交错式 1F1B",
  "Looped breadth-first": "循环广度优先",
  "ZB-H1": "ZB-H1",
  "ZB-H2": "ZB-H2",
  "ZB-1P": "ZB-1P",
  "ZB-2P": "ZB-2P",
  "ZB-V": "ZB-V",
  DualPipe: "DualPipe",
  DualPipeV: "DualPipeV",
  "Your own": "自定义",
  "its gradient sync": "梯度同步",
  "{0} with {1}": "{0} 和 {1}",
  "be {0} numbers above {1}, one for each stage": "是 {0} 个大于 {1} 的数，每个 stage 一个",

  // pipeline-amounts.ts

  // pipeline-zoom.ts

  // figures/gantt.ts
  "{0}: {1} idle": "{0}：空闲 {1}",
  "in flight": "在途",
  "most in flight": "在途峰值",
  "held, {0}": "占用，{0}",
  "most held, {0}": "占用峰值，{0}",
  "stage {0}": "stage {0}",
  "lower bound {0}": "下界 {0}",

  // figures/operations.ts
  sync: "同步",

  // figures/held.ts
  "stage 0 outermost": "最外层是 stage 0",
  "every stage": "每个 stage",
  "{0}; stage {1} innermost: {2}": "{0}；最内层是 stage {1}：{2}",
  "in flight, {0}: at most {1}": "在途，{0}：最多 {1}",
  "activations in flight, {0}: at most {1}": "在途激活值，{0}：最多 {1}",
  "held, {0}: at most {1}": "占用，{0}：最多 {1}",
  "activations held, {0}: at most {1}": "激活值占用，{0}：最多 {1}",

  // details/bubble.ts
  "Bubble of the total time": "气泡占总时间的比例",
  "The idle share of everything that was paid for: 0 to 1.": "全部已付费时间中空闲的份额，取值 0 到 1。",
  "Bubble of the ideal time": "气泡占理想时间的比例",
  "Idle time over the time of the work alone; it may exceed 1. Papers use either: ask which.":
    "空闲时间除以纯工作时间，可能超过 1。两种定义在论文里都有，读时要问清是哪一种。",
  "Bubble by stages and micro-batches": "不同 stage 数和 micro-batch 数下的气泡",
  stages: "stage 数",
  "micro-batches": "micro-batch 数",
  "of total": "占总时间",
  "of ideal": "占理想时间",

  // details/pipeline.ts
  "{0} with the forward again": "{0}（含重做的前向）",
  Makespan: "总时长 (makespan)",
  "the end of the last operation": "最后一个操作的结束时刻",
  "The order was searched for these times; no formula gives it.": "这个顺序是针对这些耗时搜索出来的，没有公式能给出。",
  "Simulated from the lists that were read; there is no formula for them.": "由读入的操作列表模拟得到，没有对应的公式。",
  "{0}. Read off the simulated schedule; the formula gives the same. It holds for {1}.":
    "{0}。从模拟出的调度中读出，公式给出同样的结果。公式成立的条件：{1}。",
  "Read off the simulated schedule. The formula {0} would give {1} ({2}), {3} less: it holds for {4}.":
    "从模拟出的调度中读出。公式 {0} 会给出 {1}（{2}），少 {3}：它成立的条件是{4}。",
  "Read off the simulated schedule. The formula {0} would give {1} ({2}), {3} more: it holds for {4}.":
    "从模拟出的调度中读出。公式 {0} 会给出 {1}（{2}），多 {3}：它成立的条件是{4}。",
  pair: "pair",
  max: "max",
  "Idle share of all time": "空闲占全部时间的比例",
  "1 − (work + S) / makespan": "1 − (工作时间 + S) / 总时长",
  "1 − work / makespan": "1 − 工作时间 / 总时长",
  "Idle time of all stages over stages times makespan, from the simulated schedule.":
    "所有 stage 的空闲时间之和，除以 stage 数乘总时长，由模拟出的调度得到。",
  "Idle time of all stages over stages times makespan, from the simulated schedule. By the formula's makespan it is {0}.":
    "所有 stage 的空闲时间之和，除以 stage 数乘总时长，由模拟出的调度得到。按公式的总时长则是 {0}。",
  "Idle time over the time of the work": "空闲时间与工作时间之比",
  "(makespan − S) / work − 1": "(总时长 − S) / 工作时间 − 1",
  "makespan / work − 1": "总时长 / 工作时间 − 1",
  "The same idle time, in another ratio. It may exceed 100 %. Papers use either.":
    "同样的空闲时间，换一个分母，可能超过 100 %。两种定义在论文里都有。",
  "Bubble rate": "气泡率 (bubble rate)",
  "(cost − work) / cost": "(开销 − 工作时间) / 开销",
  "As the Zero Bubble paper counts: cost is the longest that a stage takes from its first start to its last end. Stages that start late and end late are not idle by this measure.":
    "按 Zero Bubble 论文的算法：开销是各 stage 从第一个操作开始到最后一个操作结束的最长时间。按这种算法，晚开始、晚结束的 stage 不算空闲。",
  "No order ends before": "最早可能的结束时刻",
  "the longest way that no order shortens": "任何顺序都无法缩短的最长路径",
  "The longer of two ways: one micro-batch through the model and back, and the shortest way to a stage, all of its work, and the shortest way from it. Where the schedule could end at best, a dashed line stands.":
    "取两条路径中较长的一条：一个 micro-batch 前向穿过整个模型再反向回来；或者以最短路径到达某个 stage，做完它的全部工作，再以最短路径离开。虚线标出调度最早可能结束的时刻。",
  "Most activations in flight on stage 0": "stage 0 上在途激活值的峰值",
  "forwards less backwards at most": "前向数减反向数的最大值",
  "forwards less backwards at most · bytes": "前向数减反向数的最大值 · 字节数",
  "Counted on the simulated schedule, in chunks: from a forward to the end of its backward, or of its input gradient.":
    "在模拟出的调度上以 chunk 为单位计数：从一次前向开始，到它的反向（或输入梯度）结束为止。",
  "Messages between stages": "stage 之间的消息数",
  "2 M borders": "2 M 边界数",
  "Activations one way, gradients the other, over each border between two parts of the model that are on two stages.":
    "模型相邻两部分若位于两个 stage 上，它们的边界一个方向传激活值，另一个方向传梯度。",
  "{0}, stage {1}": "{0}，stage {1}",
  "starts at": "开始于",
  "ends at": "结束于",
  idle: "空闲",
  "in warm-up": "预热阶段",
  "in between": "中间阶段",
  "in drain": "排空阶段",
  "most held": "占用峰值",
  "in bytes": "字节数",
  "Stages, the first {0} of {1}; {2} messages between stages": "各 stage，{1} 个中的前 {0} 个；stage 之间共 {2} 条消息",
  "Stages; {0} messages between stages": "各 stage；stage 之间共 {0} 条消息",

  // The conditions of closed forms, as the core has them.
  "equal stages, no blocking sends": "各 stage 相等，发送不阻塞",
  "equal stages, no communication time": "各 stage 相等，通信不耗时",
  "equal stages, no communication time, and at least P micro-batches in every group":
    "各 stage 相等，通信不耗时，且每组至少有 P 个 micro-batch",
  "equal stages, no communication time, and M at least P": "各 stage 相等，通信不耗时，且 M 不小于 P",
  "equal stages, no communication time, W at most F and I, and M at least P":
    "各 stage 相等，通信不耗时，W 不大于 F 和 I，且 M 不小于 P",
  "equal stages, no communication time, W at most F and I, and M at least 2P-1":
    "各 stage 相等，通信不耗时，W 不大于 F 和 I，且 M 不小于 2P−1",
  "equal stages, no communication time, F = I = W, and M at least 2P-1":
    "各 stage 相等，通信不耗时，F = I = W，且 M 不小于 2P−1",
  "equal stages, no communication time, F = W, B = 2W, and F&B at least B":
    "各 stage 相等，通信不耗时，F = W，B = 2W，且 F&B 不小于 B",

  // routines/bubble.ts
  "{0} idle": "空闲 {0}",
  "The same stages, more micro-batches": "stage 数不变，micro-batch 增多",
  "The same micro-batches, more stages": "micro-batch 数不变，stage 增多",
  work: "工作",
  "Idle share of all time, for P stages and M micro-batches. {0}.": "P 个 stage、M 个 micro-batch 时，空闲占全部时间的比例。{0}。",
  "{0} stages and {1} micro-batches: {2} of all time is idle, or {3} of the time that the work itself needs.":
    "{0} 个 stage、{1} 个 micro-batch：全部时间的 {2} 是空闲的，相当于工作本身所需时间的 {3}。",
  "Bubble / total time": "气泡 / 总时间",
  "Bubble / ideal time": "气泡 / 理想时间",
  "Bubble fraction": "气泡比例",
  "More micro-batches shrink the bubble; more stages grow it.": "micro-batch 越多，气泡越小；stage 越多，气泡越大。",
  "4 stages and 8 micro-batches are idle 27.3 % of the time. What of 8 stages, with the same micro-batches?":
    "4 个 stage、8 个 micro-batch 时，空闲占 27.3 %。micro-batch 数不变，换成 8 个 stage 呢？",
  "That takes more stages for less waiting. The work does get done faster, but each stage waits longer for its first and after its last micro-batch.":
    "这是以为 stage 多了等待就少。工作确实完成得更快，但每个 stage 等第一个 micro-batch 的时间更长，做完最后一个之后也闲得更久。",
  "That takes the bubble for a matter of micro-batches alone: filling and draining take P − 1 slots.":
    "这是以为气泡只与 micro-batch 数有关：填充和排空流水线要 P − 1 个时隙。",
  "7 / (8 + 7): only more micro-batches make it smaller.": "7 / (8 + 7)：只有增加 micro-batch 才能让它变小。",
  "That takes the share for the slots: they do more than double, from 3 to 7, but the total time has grown too.":
    "这是把时隙数当成了比例：空闲时隙确实从 3 个增加到 7 个，不止翻倍，但总时间也变长了。",
  "Double the stages, then double the micro-batches.": "把 stage 数翻倍，再把 micro-batch 数翻倍。",
  Stages: "stage 数",
  "Micro-batches": "micro-batch 数",
  "Equal stages, and no time for communication.": "假定各 stage 相等，通信不耗时。",

  // routines/pipeline.ts
  "stage {0} waits": "stage {0} 在等待",
  "stage {0} runs {1}": "stage {0} 在执行 {1}",
  "{0} of {1} stages work": "{1} 个 stage 中有 {0} 个在工作",
  "Activations held, from stage 0: {0}": "激活值占用，从 stage 0 起：{0}",
  "Activations in flight, from stage 0: {0}": "在途激活值，从 stage 0 起：{0}",
  "{0}, up to time {1}: {2}. {3}": "{0}，到时刻 {1} 为止：{2}。{3}",
  "Up to time {0}: {1}. {2}": "到时刻 {0} 为止：{1}。{2}",
  "Each stage's idle time is slid to the end: the block is that share of the whole.":
    "每个 stage 的空闲时间都移到了末尾：这一块占整体多大，空闲比例就是多少。",
  "{0}: idle {1} of the time (bubble / total), {2} of the work (bubble / ideal).":
    "{0}：空闲占总时间的 {1}（气泡 / 总时间），相当于工作时间的 {2}（气泡 / 理想时间）。",
  "Most activations in flight, from stage 0: {0}": "在途激活值的峰值，从 stage 0 起：{0}",
  "Most activations held, from stage 0: {0}": "激活值占用的峰值，从 stage 0 起：{0}",
  "both {0}": "{0}（两者相同）",
  "{0}: makespan {1}, idle {2} of the time; in flight on stage 0 at most {3}.":
    "{0}：总时长 {1}，空闲占总时间 {2}；stage 0 的在途激活值最多 {3}。",
  "{0}: makespan {1}, idle {2} of the time; held on stage 0 at most {3}.":
    "{0}：总时长 {1}，空闲占总时间 {2}；stage 0 的激活值最多占用 {3}。",
  "{0} Left out: {1} sends, receives and the like.": "{0}略去了 {1} 个发送、接收之类的操作。",
  "B is the whole backward, I the input gradient": "B 是整个反向，I 是输入梯度",
  "B is the input gradient, BW the whole backward": "B 是输入梯度，BW 是整个反向",
  "Read with PyTorch's newer letters, as its cells show: {0}.": "从单元格看，用的是 PyTorch 较新的记号，按此读入：{0}。",
  "Read with PyTorch's newer letters: {0}.": "按 PyTorch 较新的记号读入：{0}。",
  "Read with PyTorch's older letters, as its cells show: {0}.": "从单元格看，用的是 PyTorch 较旧的记号，按此读入：{0}。",
  "Read with PyTorch's older letters: {0}.": "按 PyTorch 较旧的记号读入：{0}。",
  "Drawn up to {0} stages and {1} operations.": "最多画 {0} 个 stage、{1} 个操作。",
  "Beyond {0} operations the numbers are left out, and where cells would be too thin, a lane shows shares of time: zoom in for them.":
    "超过 {0} 个操作时不再标编号；格子太窄之处，只画各类操作所占的时间比例：放大即可看到。",
  "{0} a chunk": "{0}（每个 chunk）",
  "forward takes {0}": "前向耗时 {0}",
  "backward takes {0}": "反向耗时 {0}",
  "input gradient takes {0}": "输入梯度耗时 {0}",
  "weight gradient takes {0}": "权重梯度耗时 {0}",
  "gradient sync takes {0}": "梯度同步耗时 {0}",
  "idle; sending on takes {0}": "空闲；传送耗时 {0}",
  "all of the time": "全部时间",
  "time {0} to {1}, {2} times": "时刻 {0} 到 {1}，{2} 倍",
  "In flight, stage 0": "stage 0 在途",
  "Held, stage 0": "stage 0 占用",
  "there is none": "没有公式",
  "does not apply": "不适用",
  "Bubble, measured": "气泡（实测）",
  "Bubble, by formula": "气泡（公式）",
  Messages: "消息数",
  "Schedule, stages: {0}, micro-batches: {1}. {2}": "调度，stage 数：{0}，micro-batch 数：{1}。{2}",
  "all of it; play to walk through": "全部；播放以逐步查看",
  "time {0}": "时刻 {0}",
  "Pipeline schedule": "流水线调度",
  "More micro-batches shrink the bubble; more stages do not. Nor does 1F1B: what it shrinks is memory.":
    "增加 micro-batch 能缩小气泡，增加 stage 不能。1F1B 也不能：它缩小的是显存。",
  "GPipe runs all forwards, then all backwards; 1F1B takes turns as soon as it can. What does 1F1B save?":
    "GPipe 先做完所有前向，再做所有反向；1F1B 则尽早让两者交替。1F1B 省下的是什么？",
  "That takes the order of the work for the work: both fill and drain the same pipeline, and with equal stages they end at the same moment.":
    "这是把工作的顺序当成了工作量：两者填充和排空的是同一条流水线，各 stage 相等时在同一时刻结束。",
  Memory: "显存",
  "A backward frees its activations, so that stage 0 holds as many as there are stages, not as there are micro-batches.":
    "反向一做完，对应的激活值就释放，所以 stage 0 只需保存与 stage 数一样多的激活值，而不是与 micro-batch 数一样多。",
  "Time and memory": "时间和显存",
  "Half of it. That a backward comes earlier on a stage does not make the last one come earlier: the bubble is the same.":
    "对了一半。某个 stage 上的反向提前了，并不会让最后一个反向提前：气泡没有变。",
  "That takes fewer activations held for fewer sent: every micro-batch still crosses every border twice.":
    "这是把保存的激活值少当成了发送的少：每个 micro-batch 仍然要两次穿过每条边界。",
  "Take 16 micro-batches; then compare both schedules.": "改成 16 个 micro-batch，再比较两种调度。",
  PyTorch: "PyTorch",
  Perfetto: "Perfetto",

  // routines/pipeline-claims.ts
  "With V chunks a stage the bubble is V times smaller, and there are about V times as many messages.":
    "每个 stage 有 V 个 chunk 时，气泡缩小到 1/V，消息数约为 V 倍。",
  "Put 1F1B below it; then take 4 chunks, and look at what is in flight.":
    "在下方放上 1F1B；再改成 4 个 chunk，看看在途的激活值。",
  "Breadth-first has interleaved 1F1B's bubble, and keeps all activations as GPipe does.":
    "广度优先的气泡与交错式 1F1B 相同，却像 GPipe 一样保存全部激活值。",
  "Put interleaved 1F1B below it.": "在下方放上交错式 1F1B。",
  "Nobody waits for a weight gradient: put where a stage would be idle, it takes two thirds of the bubble away if F, I and W take equally long.":
    "没有谁在等权重梯度：把它放到 stage 本来空闲的地方，若 F、I、W 耗时相等，气泡就少掉三分之二。",
  "Put 1F1B below it, then ZB-H2: what does the rest of the bubble cost?":
    "在下方放上 1F1B，再换成 ZB-H2：消掉剩下的气泡要付出什么？",
  "With 2P − 1 micro-batches and equal times no stage is idle between its first operation and its last: the picture is a parallelogram, and holds twice the activations.":
    "有 2P − 1 个 micro-batch 且耗时相等时，每个 stage 从第一个操作到最后一个操作都不空闲：图形是一个平行四边形，激活值则要保存两倍。",
  "Take 7 micro-batches, and then more: what is still idle, and where?": "改成 7 个 micro-batch，再继续增加：还有哪里空闲，空闲多少？",
  "In the memory of 1F1B, an order that was searched for these times gains little or nothing on ZB-H1.":
    "显存与 1F1B 相同时，针对这些耗时搜索出的顺序比 ZB-H1 好不了多少，甚至没有改进。",
  "Let the weight gradient take 0.5: what did a fixed order leave?": "让权重梯度耗时 0.5：固定的顺序留下了什么余地？",
  "With twice the memory of 1F1B, and enough micro-batches, an order that was searched for these times leaves next to no bubble.":
    "有两倍于 1F1B 的显存和足够多的 micro-batch 时，针对这些耗时搜索出的顺序几乎没有气泡。",
  "Take 16 micro-batches, then lower the memory limit.": "改成 16 个 micro-batch，再降低显存上限。",
  "Down and up again: the first stage has the last part too. With 2P − 1 micro-batches and equal times no stage waits in between, in the memory of 1F1B.":
    "先向下、再折回向上：第一个 stage 也持有模型的最后一部分。有 2P − 1 个 micro-batch 且耗时相等时，各 stage 中途都不等待，显存与 1F1B 相同。",
  "Take 8 micro-batches and put ZB-H2 below it: what does each hold?": "改成 8 个 micro-batch，在下方放上 ZB-H2：各自保存多少激活值？",
  "Micro-batches enter from both ends of two copies of the model; a forward and a backward share a stage's time.":
    "模型有两份副本，micro-batch 从两端进入；一个前向和一个反向共用一个 stage 的时间。",
  "Take 16 micro-batches, and let overlapped pairs take less than their sum.":
    "改成 16 个 micro-batch，并让重叠的一对操作耗时小于两者之和。",
  "Any lists will do, as long as no two devices wait for each other.": "任何操作列表都可以，只要没有两个设备互相等待。",
  "Swap two cells of a line: a deadlock is told with the operations that wait.":
    "交换某一行的两个单元格：若出现死锁，会指出是哪些操作在等待。",
  "DualPipe cut in half: the same overlap with one copy of the model, in a V.":
    "把 DualPipe 切成一半：模型只有一份，排成 V 形，重叠方式不变。",
  "Put DualPipe below it.": "在下方放上 DualPipe。",

  // routines/pipeline-parameters.ts
  Schedule: "调度",
  "Below it": "下方对比",
  nothing: "无",
  Operations: "操作列表",
  "A line a stage, as torch.distributed.pipelining writes them.": "每个 stage 一行，与 torch.distributed.pipelining 写出的格式相同。",
  "B means": "B 表示",
  "As found": "自动识别",
  All: "全部",
  Input: "输入",
  "Chunks a stage": "每个 stage 的分块 (chunk) 数",
  "Parts of the model on each stage, V.": "每个 stage 上有模型的几个部分，即 V。",
  "Group size": "组大小",
  "Micro-batches that a chunk runs before the next one does; as many as there are stages when left empty.":
    "一个 chunk 连续执行多少个 micro-batch 之后才轮到下一个 chunk；留空则等于 stage 数。",
  "Memory limit": "显存上限",
  "Activations of so many micro-batches; P for ZB-1P and 2P for ZB-2P when left empty.":
    "最多保存多少个 micro-batch 的激活值；留空时 ZB-1P 为 P，ZB-2P 为 2P。",
  "Their number, not their size.": "是个数，不是大小。",
  "Idle time": "空闲时间",
  "In place": "原位",
  Collected: "集中",
  "Forward takes": "前向耗时",
  "On a whole stage; a chunk takes its part of it. Or drag the end of an operation, or of its sample below the figure.":
    "整个 stage 的耗时；一个 chunk 占其中一份。也可以拖动一个操作的末端，或图下图例的末端。",
  "Backward takes": "反向耗时",
  "Input and weight gradient together.": "输入梯度与权重梯度合计。",
  "Of it, weight gradient": "其中权重梯度",
  "Half of the backward when left empty.": "留空则为反向的一半。",
  "An overlapped pair takes": "重叠的一对耗时",
  "A forward and a backward at the same time; their sum when left empty.": "一个前向和一个反向同时进行；留空则为两者之和。",
  "Communication takes": "通信耗时",
  "From one stage to the next; it does not occupy the stage. Times are in any one unit.":
    "从一个 stage 到下一个；不占用 stage。时间单位任意，统一即可。",
  "Gradient sync takes": "梯度同步耗时",
  "Of a stage with its data-parallel replicas, after its last operation.": "一个 stage 在最后一个操作之后，与它的数据并行副本同步梯度的时间。",
  "Activation bytes": "激活值字节数",
  "Of one forward of a chunk; chunks are counted when left empty. Of a schedule below it, a chunk has its part of the stage's.":
    "一个 chunk 做一次前向的激活值；留空则按 chunk 计数。下方对比的调度中，一个 chunk 按比例分得所在 stage 的激活值。",
  "Slow stages": "慢的 stage",
  "How many times as long as given each stage takes: 1, 1, 2, 1. All the same when left empty.":
    "每个 stage 的耗时是给定值的几倍：1, 1, 2, 1。留空则全部相同。",
  Recomputation: "重计算",
  Full: "完全",
  Rules: "规则",
  "Refuse what the framework does.": "框架拒绝什么，这里就拒绝什么。",
  None: "无",
  Megatron: "Megatron",
  Outlined: "描边",
  "The critical path: a chain of operations none of which may take longer.": "关键路径：一串操作，其中任何一个变长，总时长都会变长。",
  "Critical path": "关键路径",
  "all of it": "全部",
  "2 times": "2 倍",
  "4 times": "4 倍",
  "8 times": "8 倍",
  "16 times": "16 倍",
  "32 times": "32 倍",
  "64 times": "64 倍",
  "128 times": "128 倍",
  "256 times": "256 倍",
  "512 times": "512 倍",
  "1024 times": "1024 倍",
  "Shown from": "显示起点",
  "In percent of all time.": "以占全部时间的百分比表示。",

  // presets/bubble.ts
  "Four stages and eight micro-batches": "4 个 stage，8 个 micro-batch",
  "One micro-batch: three quarters of the time are idle": "1 个 micro-batch：四分之三的时间空闲",
  "32 micro-batches: the bubble shrinks": "32 个 micro-batch：气泡缩小",
  "Eight stages: the bubble grows": "8 个 stage：气泡变大",

  // presets/pipeline.ts
  "Four stages, four micro-batches, 1F1B": "4 个 stage，4 个 micro-batch，1F1B",
  "16 micro-batches: the bubble shrinks": "16 个 micro-batch：气泡缩小",
  "Eight stages, eight micro-batches: the bubble grows": "8 个 stage，8 个 micro-batch：气泡变大",
  "1F1B and GPipe: the same bubble, other memory": "1F1B 与 GPipe：气泡相同，显存不同",
  "Two chunks a stage: half of the bubble, more messages": "每个 stage 两个 chunk：气泡减半，消息更多",
  "ZB-H2 against 1F1B: a third of the idle time, more memory": "ZB-H2 对比 1F1B：空闲时间只有三分之一，显存更多",
};

export default texts;
