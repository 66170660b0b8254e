/** Collectives: how they go, what they cost, and what is measured of them. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {
  // algorithms.ts, crossover-state.ts
  "Ring": "环形",
  "Naive (gather, broadcast)": "朴素法（gather，broadcast）",
  "Binomial tree": "二项树",
  "Double binary tree": "双二叉树",
  "Halving-doubling": "减半-倍增",
  "Hierarchical": "分层",
  "Pipelined tree, its bound": "流水线树的下界",
  "One rank gathers all tensors and hands the sum back: it sends N − 1 tensors, and each of the others one.":
    "由一个 rank 收集所有张量，再把和发回去：它要发送 N − 1 个张量，其余每个 rank 只发送一个。",
  "A binomial tree takes few steps, and its root sends the whole tensor on every level.": "二项树只需很少几步，但它的根在每一层都要发送整个张量。",
  "Two binary trees carry half of the tensor each, in few steps, and a rank that has children in one is a leaf of the other.":
    "两棵二叉树各传输一半张量，步数很少；在一棵树里有子节点的 rank，在另一棵里就是叶子。",
  "Partners swap halves, then quarters: as few bytes as in the ring, in 2 log₂ N steps where N is a power of two.":
    "两两交换一半，再交换四分之一：N 为 2 的幂时，只用 2 log₂ N 步，字节数和环形一样少。",
  "First inside the nodes, then between them: the network carries each share of the tensor once round.":
    "先在节点内，再在节点间：张量的每一份只在网络上绕一圈。",
  "In a step all ranks do the same, each with another chunk: first the sums go round, then what is finished.":
    "每一步里所有 rank 做同样的事，只是各自处理不同的分块：先让部分和绕环一圈，再让完成的结果绕环一圈。",
  "Rank 0 gathers all tensors, one after the other, and sends what comes out to each of the others.": "rank 0 逐个收集所有张量，再把结果逐个发给其他 rank。",
  "Ranks pair up, then pairs of pairs, until rank 0 has everything; it comes back the same way.":
    "rank 先两两配对，再成对的对配对，直到 rank 0 拥有全部；结果沿原路返回。",
  "Two trees carry half of the tensor each, and a rank that has children in one is a leaf of the other.":
    "两棵树各传输一半张量；在一棵树里有子节点的 rank，在另一棵里就是叶子。",
  "Partners swap halves, then quarters, until each has one finished part; then the parts grow back.":
    "两两交换一半，再交换四分之一，直到每个 rank 有一份完成的结果；然后这些部分再逐步拼回完整。",
  "First round the ranks of each node, then from node to node, and at last round each node again.":
    "先在每个节点的 rank 之间绕一圈，再从节点到节点，最后在每个节点内再绕一圈。",

  // breakage-caption.ts; what the core says of real libraries
  "Suppose rank {0} is left out.": "假设 rank {0} 被漏掉。",
  "Suppose rank {0} counts twice.": "假设 rank {0} 被计入两次。",
  "Suppose what rank {0} sends in step {1} never arrives.": "假设 rank {0} 在第 {1} 步发送的内容从未到达。",
  "Suppose what rank {0} sends in step {1} is what it held before step {2}.": "假设 rank {0} 在第 {1} 步发送的是它在第 {2} 步之前的旧内容。",
  "Suppose the links of rank {0} take {1}× as long.": "假设 rank {0} 的链路要花 {1}× 的时间。",
  "No number changes.": "没有任何数值改变。",
  "So far no rank differs from a sound run.": "到目前为止，没有 rank 与无故障的运行不同。",
  "{0} differs from a sound run by up to {1}.": "{0} 与无故障的运行最多相差 {1}。",
  "{0} differ from a sound run by up to {1}.": "{0} 与无故障的运行最多相差 {1}。",
  "{0} differ from a sound run by up to {1}, and all ranks agree on it: nothing looks wrong.":
    "{0} 与无故障的运行最多相差 {1}，而所有 rank 彼此一致：看不出任何问题。",
  "{0} differs from a sound run by up to {1}, and replicas diverge, by up to {2}.": "{0} 与无故障的运行最多相差 {1}，并且副本发生分歧，最多相差 {2}。",
  "{0} differ from a sound run by up to {1}, and replicas diverge, by up to {2}.": "{0} 与无故障的运行最多相差 {1}，并且副本发生分歧，最多相差 {2}。",
  "In reality: {0}": "实际上：{0}",
  "NCCL does not go on without a rank: the others wait in the collective until a timeout ends the job.":
    "NCCL 不会丢下某个 rank 继续：其他 rank 在集合通信中等待，直到超时使作业终止。",
  "NCCL adds each contribution once: a rank that calls the collective twice waits for the others to call it again, until a timeout ends the job.":
    "NCCL 对每个 rank 的数据只累加一次：调用两次集合通信的 rank 会等待其他 rank 再次调用，直到超时使作业终止。",
  "NCCL does not skip a message: its receiver waits for it, and all ranks after it, until a timeout ends the job.":
    "NCCL 不会跳过消息：接收方会等待它，其后的所有 rank 也跟着等待，直到超时使作业终止。",
  "NCCL sends from a buffer only after its flag says that it is filled; an old value comes from a program that writes to the tensor on another stream, and is never noticed.":
    "只有标志位表明缓冲区已填好，NCCL 才从中发送；旧值来自在另一个 stream 上写该张量的程序，而且永远不会被发现。",
  "NCCL waits: all ranks go at the pace of the slowest link, and no error is raised.": "NCCL 会等待：所有 rank 都以最慢链路的速度前进，也不会报错。",

  // breakage.ts, rows.ts, and the rules of the routines below
  "be a rank from {0} to {1}, or left empty": "是 {0} 到 {1} 的 rank，或留空",
  "be at least {0}, or left empty": "至少为 {0}，或留空",
  "be a step from {0} to {1}": "是第 {0} 到第 {1} 步之一",
  "be a number of bytes from {0} to {1}¹⁵": "是 {0} 到 {1}¹⁵ 的字节数",

  // said.ts
  " ": "",
  "; ": "；",

  // collective-caption.ts
  "the sum of {0}": "{0} 之和",
  "the largest of {0}": "{0} 中的最大值",
  "the smallest of {0}": "{0} 中的最小值",
  "the whole sum": "完整的和",
  "the average, its sum divided by N": "平均值，即和除以 N",
  "the largest of all": "全体的最大值",
  "the smallest of all": "全体的最小值",
  "Every rank holds its own numbers only.": "每个 rank 只持有自己的数。",
  "Step {0}: nothing moves, for want of elements.": "第 {0} 步：元素不够，没有任何传输。",
  "Step {0}: {1} at once.": "第 {0} 步：同时有 {1}。",
  "{0} message": "{0} 条消息",
  "Rank {0} sends {1}, as it stood a step before, to rank {2}": "rank {0} 向 rank {2} 发送{1}（还是前一步的旧值）",
  "Rank {0} sends {1} to rank {2}": "rank {0} 向 rank {2} 发送{1}",
  "{0}, where it never arrives.": "{0}，但从未到达。",
  "{0}, where it replaces what stood there.": "{0}，替换那里原有的内容。",
  "{0}, which then holds {1}.": "{0}，后者随即持有：{1}。",
  "Every rank now holds {0}.": "现在每个 rank 都持有{0}。",
  "Each chunk is now complete on one rank.": "现在每个分块都在某一个 rank 上完成了归约。",
  "Rank {0} has everyone's numbers.": "rank {0} 已汇集所有 rank 的数。",
  "Chunk {0} is empty, and nothing of it moves.": "分块 {0} 为空，没有任何传输。",
  "Chunk {0} takes {1} to be reduced, and {2} to be handed round.": "分块 {0} 需要 {1}来归约，{2}来分发。",
  "from rank {0} to rank {1}": "从 rank {0} 到 rank {1}",
  "Step {0} of {1}: chunk {2} stays where it is.": "第 {0} 步，共 {1} 步：分块 {2} 留在原处。",
  "Step {0} of {1}: chunk {2} goes {3}.": "第 {0} 步，共 {1} 步：分块 {2} {3}。",
  "Step {0} of {1}: chunk {2} goes {3} and {4} more.": "第 {0} 步，共 {1} 步：分块 {2} {3}，另有 {4} 条。",
  "No rank has it complete yet.": "还没有 rank 拥有它的完整结果。",
  "{0} has it complete.": "{0} 已拥有它的完整结果。",
  "{0} have it complete.": "{0} 已拥有它的完整结果。",

  // ring-caption.ts
  "Every rank holds its own numbers only. No rank is special: in a step all do the same, each with another chunk.":
    "每个 rank 只持有自己的数。没有哪个 rank 是特殊的：每一步里大家做同样的事，只是各自处理不同的分块。",
  "Step {0}: all {1} links carry one chunk at once.": "第 {0} 步：全部 {1} 条链路同时各传输一个分块。",
  "Step {0}: {1} of {2} links carry a chunk.": "第 {0} 步：{2} 条链路中有 {1} 条在传输分块。",
  "Rank {0} sends chunk {1} to rank {2}; there it now holds the sum of {3}.": "rank {0} 把分块 {1} 发送给 rank {2}；那里的和现在包含：{3}。",
  "Rank {0} sends chunk {1} to rank {2}; a finished chunk, which replaces what stood there.":
    "rank {0} 把分块 {1} 发送给 rank {2}；这是已完成的分块，替换那里原有的内容。",
  "The reduce-scatter is done: each rank has one finished chunk.": "reduce-scatter 到此完成：每个 rank 有一个完成的分块。",
  "Every rank now holds the whole sum.": "现在每个 rank 都持有完整的和。",
  "Chunk {0} sets out from rank {1}.": "分块 {0} 从 rank {1} 出发。",
  "It takes {0}, N − 1, to collect every rank's part of it, and as many to hand the finished chunk to everyone.":
    "汇集每个 rank 的那一份需要 {0}，即 N − 1 跳；把完成的分块分发给所有 rank 也需要同样多跳。",
  "{0} hop": "{0} 跳",
  "Step {0}: chunk {1} is complete on rank {2}, after {3}.": "第 {0} 步：经过 {3}，分块 {1} 在 rank {2} 上完成。",
  "It takes {0} more until everyone has it.": "再过 {0} 跳，所有 rank 就都拥有它。",
  "Step {0}: chunk {1} is complete on every rank, after {2} to collect it and {3} to hand it round.":
    "第 {0} 步：分块 {1} 在每个 rank 上都已完成：{2}用于汇集，{3} 跳用于分发。",
  "Step {0}: chunk {1} comes from rank {2} to rank {3}": "第 {0} 步：分块 {1} 从 rank {2} 到 rank {3}",
  "{0} of {1} ranks have it; {2} to go.": "{1} 个 rank 中已有 {0} 个拥有它；还剩 {2}。",
  "{0}, finished.": "{0}，已经完成。",
  "{0}, where it is now the sum of {1}.": "{0}，那里的和现在包含：{1}。",
  "{0} to go until it is complete.": "还需 {0} 才完成。",

  // sent-steps.ts, and a phase of a schedule
  "to be reduced": "用于归约",
  "handed round": "用于分发",
  "exchange": "交换",

  // details/all-reduce-bound.ts
  "Sent by all ranks together, at least": "所有 rank 合计至少发送",
  "Of one element, N − 1 messages must bring the ranks' parts together, since each brings together only what its two ends hold, and N − 1 more must tell the ranks that do not have the result yet.":
    "对一个元素来说，要把各 rank 的部分汇集起来至少需要 N − 1 条消息，因为每条消息只能合并其两端所持有的内容；还要再用 N − 1 条把结果告诉尚未拥有它的 rank。",
  "This schedule sends {0} in all.": "本调度总共发送 {0}。",
  "Sent by the busiest rank, at least": "最忙的 rank 至少发送",
  "Some rank sends at least the average.": "总有某个 rank 的发送量不低于平均值。",
  "Here the busiest sends {0}, {1}× the least.": "这里最忙的 rank 发送 {0}，是下限的 {1}×。",
  "A switch that adds is under no such bound.": "能在交换机里做加法的网络不受此下限约束。",
  "The busiest link carries": "最忙的链路传输",
  "From rank {0} to rank {1}, to the end and in that direction. No link carries more.": "从 rank {0} 到 rank {1}，到结束为止，单方向。没有链路传输得更多。",

  // details/all-reduce-cost.ts
  "Share of latency": "延迟占比",
  "The steps grow with the ranks; the bytes come close to 2 S, and stay below.": "步数随 rank 数增长；字节数接近 2 S，但始终低于它。",
  "Tensor for which latency is half of the time": "延迟占一半时间的张量大小",
  "There 2 (N − 1) · α is as long as 2 (N − 1) · S / (N · β).": "此时 2 (N − 1) · α 与 2 (N − 1) · S / (N · β) 一样长。",
  "Time by number of ranks": "不同 rank 数下的时间",
  "ranks": "rank 数",
  "steps": "步数",
  "bytes sent per rank": "每个 rank 发送的字节",
  "bus factor": "总线系数",
  "seconds": "秒",
  "of them latency": "其中延迟",

  // details/all-reduce-forms.ts
  "N − 1 messages to rank 0 and N − 1 back, one after the other: rank 0 sends the whole tensor to each of the others.":
    "N − 1 条消息发往 rank 0，N − 1 条发回，逐条进行：rank 0 要把整个张量分别发给其余每个 rank。",
  "A level of the tree halves the ranks that are left. s slices follow each other a step apart. Rank 0 sends the tensor to a child on each level.":
    "树的每一层使剩余的 rank 减半。s 个切片以一步的间隔依次跟进。rank 0 在每一层都向一个子节点发送张量。",
  "Each tree carries half of the tensor. A rank that has two children in one tree has none in the other, and sends to its parents in both.":
    "每棵树传输一半张量。在一棵树中有两个子节点的 rank，在另一棵树中没有子节点，并且在两棵树中都要向父节点发送。",
  "P is the largest power of two up to N; the ranks beyond it fold their tensors into a neighbour's first and get the result last.":
    "P 是不超过 N 的最大的 2 的幂；超出 P 的 rank 先把张量并入相邻的 rank，最后再取回结果。",
  "g ranks in each of k nodes: a ring in the node, a ring between nodes on each rank's share, a ring in the node.":
    "k 个节点，每个节点 g 个 rank：先在节点内走环，再对每个 rank 的那一份在节点间走环，最后在节点内走环。",

  // details/all-reduce.ts
  "N − 1 to collect every chunk's sum (reduce-scatter), N − 1 to hand the sums round (all-gather): a chunk goes from rank to rank, and comes past all the others twice.":
    "N − 1 步汇集每个分块的和（reduce-scatter），N − 1 步分发这些和（all-gather）：分块从一个 rank 到下一个 rank，两次经过其余所有 rank。",
  "Chunk": "分块（chunk）",
  "Sent by each rank so far": "每个 rank 目前已发送",
  "Sent by the busiest rank so far": "最忙的 rank 目前已发送",
  "Sent by each rank at the end": "结束时每个 rank 的发送量",
  "The executed schedule sent {0}: the same.": "实际执行的调度发送了 {0}：一致。",
  "{0} ranks do not divide {1}: the executed schedule sent {2}.": "{0} 个 rank 不能整除 {1}：实际执行的调度发送了 {2}。",
  "{0} number": "{0} 个数",
  "Elements moved over all ranks": "所有 rank 移动的元素数",
  "{0} of {1} bytes stands for the tensor.": "以 {0}（每个 {1} 字节）代表该张量。",
  "{0} of {1} bytes stands for the tensor; its chunks differ by one.": "以 {0}（每个 {1} 字节）代表该张量；各分块相差一个元素。",
  "{0} of {1} bytes stand for the tensor.": "以 {0}（每个 {1} 字节）代表该张量。",
  "{0} of {1} bytes stand for the tensor; its chunks differ by one.": "以 {0}（每个 {1} 字节）代表该张量；各分块相差一个元素。",
  "Time so far": "已用时间",
  "k is the number of steps that ran. All links carry a chunk at once, so that a step takes as long as one.":
    "k 是已执行的步数。所有链路同时各传输一个分块，因此一步的时间就是传输一个分块的时间。",
  "Sent by the busiest rank at the end": "结束时最忙的 rank 的发送量",
  "The executed schedule sent {0}.": "实际执行的调度发送了 {0}。",
  "The form is exact where all chunks and slices are equal.": "当所有分块和切片都相等时，公式精确成立。",
  "Counted while the schedule ran: {0} sent {1} bytes; a rank holds {2}.": "执行调度时统计：{0}发送了 {1} 字节；一个 rank 持有 {2} 字节。",
  "{0} step": "{0} 步",
  "Time to the end": "到结束的时间",
  "The schedule's steps, added up: α is {0}, β {1} in one direction, and b what the rank that sends or receives most in a step sends or receives.":
    "把调度的各步相加：α 为 {0}，β 为单方向 {1}，b 是一步中收发最多的那个 rank 的收发量。",
  "Time to the end, with a slow rank": "有一个慢 rank 时到结束的时间",
  "Σ the longest of each step": "Σ 每一步中最长者",
  "In every step in which the slow rank takes part, the others wait for it.": "凡是慢 rank 参与的步，其他 rank 都要等它。",
  "What the digits say": "数字的含义",
  "Rank r starts with 1 and r zeros: a 1 in a sum is a rank that is in it, and a 0 one that is missing.":
    "rank r 的初始值是 1 后面跟 r 个 0：和里的一个 1 表示相应的 rank 已计入，0 表示缺失。",
  "Largest difference to the exact sum, at the end": "结束时与精确和的最大差",
  "max |sum − exact sum|": "max |和 − 精确和|",
  "Each addition is rounded to {0}, in the order in which this algorithm adds: another one may end in other bits.":
    "每次加法都按此算法的累加顺序舍入到 {0}：换一种算法，结果的比特可能不同。",
  "Here element 0 ends as {0}, bits {1}.": "这里元素 0 的结果是 {0}，比特为 {1}。",
  "All ranks end with the same bits, since each element is summed on one way and then copied.":
    "所有 rank 的结果逐比特相同，因为每个元素只沿一条路径求和，然后被复制。",
  "The ranks do not agree.": "各 rank 的结果不一致。",
  "{0} rank": "{0} 个 rank",
  "Largest difference, with the fault and without": "有故障与无故障之间的最大差",
  "{0} of {1} differs; between two ranks the largest difference is {2}.": "{1} 中有 {0} 个不同；两个 rank 之间的最大差是 {2}。",
  "{0} of {1} differ; between two ranks the largest difference is {2}.": "{1} 中有 {0} 个不同；两个 rank 之间的最大差是 {2}。",
  "The fault is hypothetical.": "此故障是假想的。",
  "What each rank holds after step {0}": "第 {0} 步之后每个 rank 持有的内容",
  "element": "元素",
  "{0}, and the bytes that it has sent and received": "{0}，以及它已发送和接收的字节",
  "sent": "发送",
  "received": "已接收",

  // details/alpha-beta.ts
  "α is the latency of one message and β the rate of a link in one direction; every rank has a link of its own.":
    "α 是一条消息的延迟，β 是链路单方向的速率；每个 rank 有自己的链路。",

  // details/crossover.ts
  "the schedule's steps, added up": "调度各步之和",
  "{0} at {1}": "{0}（{1}）",
  "N is {0}, S the tensor, α {1} and β {2}.": "N 为 {0}，S 为张量大小，α 为 {1}，β 为 {2}。",
  "A step lasts as long as its busiest port: one latency, and the bytes that pass it.": "一步的时间取决于最忙的端口：一次延迟，加上经过它的字节。",
  "{0} and {1} take the same time": "{0}与{1}用时相同",
  "at no size": "没有这样的大小",
  "Both times are straight lines over S, or bent ones where there are two kinds of link: every crossing is found.":
    "两种时间都是 S 的直线，有两种链路时则是折线：所有交点都会被找到。",
  "Bus bandwidth": "总线带宽（busbw）",
  "What a link would have to carry in a ring of {0}: it comes close to β for large tensors only, and can be compared between worlds of different sizes, as S / T cannot.":
    "在 {0} 个 rank 的环中一条链路所需的速率：只有大张量才接近 β；它可以在不同规模之间比较，而 S / T 不能。",
  "Why rings are used all the same": "为什么仍然使用环",
  "2 log₂ N steps, 2 (N − 1) / N · S bytes": "2 log₂ N 步，2 (N − 1) / N · S 字节",
  "With a power of two of ranks, halving-doubling has the tree's steps and the ring's bytes. But from step to step its partners are twice as far apart, and in a real network their messages come to share links, which this model gives to each pair alone; a ring uses only neighbours, and the same ones in every step.":
    "rank 数为 2 的幂时，减半-倍增（halving-doubling）兼有树的步数和环的字节数。但每过一步，通信双方的距离就翻倍，在真实网络中这些消息会共享链路，而本模型让每一对独占链路；环只用到相邻的 rank，而且每一步都相同。",
  "Fit from {0} to {1}": "从 {0} 到 {1} 的拟合",
  "Through {0}, with the least mean relative error.": "经过 {0}，平均相对误差最小。",
  "{0} size": "{0} 个大小",
  "Off by, at the median and the 90th percentile of sizes": "误差：各大小的中位数与第 90 百分位",
  "For sizes that the fit has not seen, each left out in turn: {0}.": "对拟合未见过的大小（依次各留出一个）：{0}。",
  "{0} line of the text used, {1} ignored.": "使用了文本中的 {0} 行，忽略 {1} 行。",
  "{0} lines of the text used, {1} ignored.": "使用了文本中的 {0} 行，忽略 {1} 行。",
  "Seconds by size of the tensor": "不同张量大小的秒数",
  "bytes": "字节",
  "Measured and fitted, {0}": "实测与拟合，{0}",
  "measured": "实测",
  "fitted": "拟合",
  "off by": "误差",
  "off by, if left out": "留出时的误差",

  // details/matrix-table.ts
  "{0} (the first {1} of {2} rows and {3} of {4} columns)": "{0}（{2} 行中的前 {1} 行，{4} 列中的前 {3} 列）",

  // details/nccl-tuning.ts
  "{0}, which NCCL does not use by itself here": "{0}（NCCL 在此处不会自行选用）",
  "What the tables are held against: Ring Simple on 4 A100s, 24 channels of 10 GB/s, NCCL 2.18":
    "用来核对各表的基准：4 个 A100 上的 Ring Simple，24 个 10 GB/s 的通道，NCCL 2.18",
  "What NCCL_DEBUG=INFO printed on such a node, to its last digit.": "与 NCCL_DEBUG=INFO 在这样的节点上打印的结果逐位一致。",
  "NVLS and CollNet, which add in the switch, are not modelled.": "在交换机里做加法的 NVLS 和 CollNet 未建模。",
  "NCCL's choice by size of the tensor": "NCCL 对不同张量大小的选择",
  "choice": "选择",
  "time": "时间",
  "of it latency": "其中延迟",
  "algorithm bandwidth": "算法带宽",

  // routines/all-reduce-cost.ts
  "Sent per rank": "每个 rank 发送",
  "Time": "时间",
  "{0}: {1}": "{0}：{1}",
  "latency and its share": "延迟及其占比",
  "Time of an all-reduce, and the share of latency in it. {0}.": "一次 all-reduce 的时间，以及其中延迟的占比。{0}。",
  "With {0} and {1}, latency is {2} of the time.": "{0}、张量为 {1} 时，延迟占时间的 {2}。",
  "It is half at {0}, and more for any smaller tensor.": "张量为 {0} 时恰好占一半，更小的张量占得更多。",
  "All-reduce cost": "all-reduce 的开销",
  "Bytes hardly grow with the number of ranks; steps do, and for a small tensor their latency is nearly all of the time.":
    "字节数几乎不随 rank 数增长，步数却会；对小张量来说，各步的延迟几乎就是全部时间。",
  "Take a tensor of 64 KB: nearly all of the time is latency.": "取一个 64 KB 的张量：几乎全部时间都是延迟。",
  "Ranks": "rank 数",
  "Tensor": "张量",
  "With or without a unit: 64MB, 1GiB, 1e9.": "可带单位，也可不带：64MB、1GiB、1e9。",

  // routines/all-reduce-numbers.ts
  "Sent per rank so far": "每个 rank 目前已发送",
  "At the end, of its tensor": "结束时，相对其张量",
  "= {0}; at least {1}×": "= {0}；下限 {1}×",
  "{0} of {1}": "{0} / {1}",
  "of {0}": "/ {0}",
  "of {0} by up to {1}": "/ {0}，最多相差 {1}",
  "Ranks that differ": "有差异的 rank",

  // routines/all-reduce-parameters.ts
  "Algorithm": "算法",
  "Slices": "切片数",
  "Parts of the tensor that follow each other through the tree.": "依次通过树的张量切片。",
  "Ranks in a node": "每个节点的 rank 数",
  "Numbers": "数值",
  "10ʳ on rank r": "rank r 取 10ʳ",
  "My own": "自定义",
  "Up to 1024 may be typed; beyond 16, rank r starts with r + 1.": "最多可输入 1024；超过 16 时，rank r 的初始值为 r + 1。",
  "Tensors, a row per rank": "张量，每个 rank 一行",
  "Comma-separated numbers, without a header.": "逗号分隔的数，不带表头。",
  "Layout": "布局",
  "Rows": "按行",
  "Nodes": "节点",
  "Where a ring has no room, or there are no nodes, there are rows.": "放不下环或没有节点时，按行显示。",
  "Follow": "跟踪",
  "All chunks": "所有分块",
  "One chunk": "一个分块",
  "Elements": "元素数",
  "Numbers that stand for the tensor. Left empty, one for each piece that moves.": "代表张量的数的个数。留空则每个移动的片段用一个数。",
  "Reduce to": "归约为",
  "Sum": "求和",
  "Maximum": "最大值",
  "Minimum": "最小值",
  "Average": "平均",
  "Numbers of": "数据类型",
  "Break it": "制造故障",
  "Nothing goes wrong": "一切正常",
  "A rank is left out": "漏掉一个 rank",
  "A rank counts twice": "一个 rank 计入两次",
  "A message never arrives": "一条消息丢失",
  "A message is out of date": "一条消息是旧的",
  "A rank has slow links": "一个 rank 的链路很慢",
  "At rank": "在哪个 rank",
  "Left empty, one at which it shows.": "留空则取一个能看出影响的 rank。",
  "In step": "在第几步",
  "Left empty, the last one in which that rank sends.": "留空则取该 rank 发送的最后一步。",

  // routines/all-reduce.ts
  "Ranks are drawn up to {0}; the numbers are those of {1}, executed.": "最多画 {0} 个 rank；数值来自 {1} 的实际执行。",
  "Chunks are drawn up to {0}; the numbers are those of {1}, executed.": "最多画 {0} 个分块；数值来自 {1} 的实际执行。",
  "A cell shows the first element of its chunk.": "每个格子显示其分块的第一个元素。",
  "at the start": "起始",
  "Ring of {0} after step {1} of {2}, {3}.": "{0} 的环，第 {1} 步之后（共 {2} 步），{3}。",
  "{0} on {1} after step {2} of {3}, {4}.": "{1} 上的{0}，第 {2} 步之后（共 {3} 步），{4}。",
  "All-reduce, step by step": "all-reduce 逐步演示",
  "In a ring, each rank sends less than 2× its tensor, however many ranks there are, in 2(N−1) small steps.":
    "在环中，无论有多少个 rank，每个 rank 的发送量都不到其张量的 2×，分 2(N−1) 小步完成。",
  "Of 16 ranks, each with a tensor of its own: how much does one rank send until all have the sum?":
    "16 个 rank，各有一个张量：到所有 rank 都得到和为止，一个 rank 要发送多少？",
  "16× its tensor": "其张量的 16×",
  "That is what N ranks would send if each handed its whole tensor to all the others. A chunk is summed on its way instead.":
    "如果每个 rank 都把整个张量发给其他所有 rank，才会是这样。实际上分块在途中就被累加了。",
  "1× its tensor": "其张量的 1×",
  "That is the way of one phase only: once the sums are collected, they still have to be handed round.": "这只是一个阶段的量：和汇集好之后，还要分发给大家。",
  "1.875× its tensor": "其张量的 1.875×",
  "15 steps to collect and 15 to hand round, each with one sixteenth of the tensor: 30/16.": "15 步汇集，15 步分发，每步发送张量的十六分之一：30/16。",
  "1/16 of its tensor": "其张量的 1/16",
  "That is one step; there are 30.": "这只是一步；一共有 30 步。",
  "Press Play; then take 16 ranks, and see that each still sends less than twice its tensor. Take a tree, and break it.":
    "按“播放”；再取 16 个 rank，可以看到每个 rank 的发送量仍不到其张量的两倍。换成树，再制造一个故障。",

  // routines/alpha-beta.ts
  "Latency": "延迟",
  "Link, one way": "链路（单向）",

  // routines/crossover.ts
  "Neither": "二者相同",
  "{0} at every size": "{0}（任意大小）",
  "{0} below {1}": "{0}（{1} 以下）",
  "{0} above {1}": "{0}（{1} 以上）",
  "{0} up to {1}": "{0}（至 {1}）",
  "Faster: {0}.": "更快的是：{0}。",
  "At {0}: {1}, {2}.": "在 {0} 处：{1}，{2}。",
  "{0} line": "{0} 条直线",
  "Measured ({0}): {1} through {2} is off by {3} at the median size, by {4} at the 90th percentile.":
    "实测（{0}）：{1}拟合 {2}，误差的中位数为 {3}，第 90 百分位为 {4}。",
  "Measured ({0}): {1} through {2} are off by {3} at the median size, by {4} at the 90th percentile.":
    "实测（{0}）：{1}拟合 {2}，误差的中位数为 {3}，第 90 百分位为 {4}。",
  "measured, and its fit": "实测及其拟合",
  "Same time at": "用时相同处",
  "no size": "无",
  "{0}, here": "{0}（此处）",
  "Bus bandwidth of the faster": "较快者的总线带宽",
  "Fit is off by (median)": "拟合误差（中位数）",
  "Time and bus bandwidth of an all-reduce on {0} over the tensor's size.": "{0} 上 all-reduce 的时间与总线带宽随张量大小的变化。",
  "8 × H100, one node": "8 × H100，单节点",
  "8 × A100, one node": "8 × A100，单节点",
  "16 × A100, two nodes": "16 × A100，两个节点",
  "16 × H100, two nodes, ring": "16 × H100，两个节点，环形",
  "against": "对比",
  "Look at": "查看大小",
  "Parts of the tensor that follow each other through a tree; 1 is whole messages.": "依次通过树的张量切片；1 表示整条消息。",
  "Links": "链路",
  "All alike": "全部相同",
  "Latency between nodes": "节点间延迟",
  "Link between nodes": "节点间链路",
  "Measured": "实测",
  "Nothing": "无",
  "My own run": "自己的测量",
  "What all_reduce_perf printed, or a CSV": "all_reduce_perf 的输出，或 CSV",
  "As a CSV: columns size_B and oop_time_us.": "若为 CSV：需有 size_B 和 oop_time_us 两列。",
  "Lines of the fit": "拟合的直线数",
  "as few as serve": "够用的最少条数",
  "NCCL's protocols LL, LL128 and Simple hand over from one size on: each has a line of its own.":
    "NCCL 的协议 LL、LL128 和 Simple 在一定大小处交接：每种协议各有一条直线。",
  "Ring against tree": "环与树的对比",
  "Below some size latency wins and the tree is faster; above it bandwidth wins and the ring is. That size moves with the ranks.":
    "小于某个大小时由延迟决定，树更快；大于它时由带宽决定，环更快。这个大小随 rank 数变化。",
  "With 8 ranks, ring and binomial tree take the same time at about half a megabyte. And with 64 ranks?":
    "8 个 rank 时，环和二项树在约半兆字节处用时相同。64 个 rank 时呢？",
  "At a smaller size": "在更小处",
  "That takes a ring for better the more ranks there are. Its bytes hardly grow, but its steps do, and each has a latency.":
    "这是以为 rank 越多环越有利。它的字节数几乎不增长，但步数会增长，而每一步都有一次延迟。",
  "At the same size": "在同一大小处",
  "That takes it for a property of the links. The steps of a ring are 2 (N − 1), those of a tree only 2 log₂ N.":
    "这是把它当成了链路的属性。环的步数是 2 (N − 1)，树只有 2 log₂ N。",
  "At a larger size": "在更大处",
  "A ring of 64 takes 126 steps and a tree 12: the tensor must be larger before the ring's fewer bytes make up for that. 2.84 MB on these links.":
    "64 个 rank 的环要 126 步，树只要 12 步：张量要更大，环省下的字节才能补回这一差距。在这些链路上是 2.84 MB。",
  "At none": "不存在",
  "Above some size bytes are all that counts, and the tree's root sends the whole tensor six times: there the ring always wins.":
    "大到一定程度后只有字节数起作用，而树的根要把整个张量发送六次：那时总是环更快。",
  "Take 64 ranks, then the double binary tree with 16 slices; then a measured run with three lines.":
    "取 64 个 rank，再换成 16 个切片的双二叉树；然后看一组用三条直线拟合的实测数据。",

  // routines/nccl-tuning.ts
  "NCCL takes": "NCCL 选用",
  "Algorithm bandwidth": "算法带宽",
  "{0}, taken": "{0}，被选用",
  "{0}, switched off": "{0}，已关闭",
  "latency": "延迟",
  "Time of an all-reduce by NCCL's model. {0}.": "按 NCCL 模型计算的 all-reduce 时间。{0}。",
  "For {0} on {1} NCCL {2} takes {3}: {4} by its own model.": "张量 {0}、{1} 时，NCCL {2} 选用 {3}：按它自己的模型为 {4}。",
  "By size: {0}.": "按大小：{0}。",
  "What NCCL would choose": "NCCL 会选什么",
  "NCCL prices six ways to do the same all-reduce, and takes the cheapest: flags for small messages, rings for large ones.":
    "NCCL 为同一个 all-reduce 的六种做法估算时间，选用最短的：小消息用标志位协议，大消息用环。",
  "Take 64 kB, then 1 GB; then 32 ranks on 8 nodes.": "取 64 kB，再取 1 GB；然后取 8 个节点上的 32 个 rank。",
  "NCCL": "NCCL",
  "2.30 (master)": "2.30（master）",
  "GPU": "GPU",
  "Inside a node": "节点内",
  "NVLink": "NVLink",
  "PCI": "PCI",
  "Net": "网络",
  "Channels": "通道数",
  "Rings or trees side by side, as NCCL_DEBUG=INFO prints them.": "并行的环或树的数量，如 NCCL_DEBUG=INFO 所示。",
  "Rate of a channel": "每个通道的速率",
  "Processor": "处理器",
  "Intel": "Intel",
  "AMD": "AMD",

  // presets/all-reduce-cost.ts
  "64 MB on eight ranks": "8 个 rank 上的 64 MB",
  "A small tensor: nearly all of the time is latency": "小张量：几乎全部时间都是延迟",
  "The size at which latency is half of the time": "延迟占一半时间的大小",
  "256 ranks: hardly more bytes, many more steps": "256 个 rank：字节几乎不变，步数多得多",

  // presets/all-reduce.ts
  "A ring of four ranks, before its first step": "4 个 rank 的环，第一步之前",
  "Sixteen ranks at the end: less than twice the tensor each": "16 个 rank，结束时：每个不到张量的两倍",
  "One chunk on its way round: three hops to be complete": "一个分块绕环而行：三跳后完成",
  "A binomial tree of eight: fewer steps, and a busy root": "8 个 rank 的二项树：步数更少，根很忙",
  "Eight ranks that swap halves: a tree's steps, a ring's bytes": "8 个 rank 两两交换一半：树的步数，环的字节",
  "A message of the all-gather is lost: replicas diverge": "all-gather 的一条消息丢失：副本发生分歧",

  // presets/crossover.ts
  "A ring and a binomial tree on eight ranks": "8 个 rank 上的环与二项树",
  "64 ranks: the tree stays ahead for longer": "64 个 rank：树领先的范围更大",
  "64 ranks, and two trees that share the work evenly": "64 个 rank，两棵树平均分担工作",
  "The bound that no pipelined tree reaches": "没有流水线树能达到的下界",
  "Halving and doubling: ahead of the ring at any size": "减半-倍增：任何大小都快于环",
  "Eight H100s as they were measured: not one straight line": "8 个 H100 的实测：并非一条直线",

  // presets/nccl-tuning.ts
  "1 MB on four A100s": "4 个 A100 上的 1 MB",
  "A small tensor: flags with the data": "小张量：标志位与数据一起发送",
  "A large tensor: plain copies round a ring": "大张量：绕环直接拷贝",
  "A small tensor on eight nodes: along a tree": "8 个节点上的小张量：沿树传输",

  // figures/strip.ts
  "element {0}": "元素 {0}",
  "mean {0}": "均值 {0}",
  "applied {0}": "应用值 {0}",
  "{0}, lost": "{0}，丢失",
  "{0}, twice": "{0}，两次",
  "mean of all {0}": "全体均值 {0}",

  // figures/rank-rows.ts
  "cells fill up as they are reduced": "格子随归约逐渐填满",
  "cells count ranks": "格子中为 rank 数",
  "node {0}": "节点 {0}",

  // figures/sent.ts
  "sent: {0} of {1} S": "已发送：{0} / {1} S",
  "sent by each rank: {0} of {1} S": "每个 rank 已发送：{0} / {1} S",
  "sent by the busiest rank: {0} of {1} S": "最忙的 rank 已发送：{0} / {1} S",
  "least {0} S": "下限 {0} S",
  "{0}, below {1}": "{0}，低于 {1}",

  // figures/chords.ts, figures/ring.ts
  "step {0} of {1}": "第 {0} 步，共 {1} 步",
  "each bar is a chunk,": "每个条是一个分块，",
  "full when complete": "完成时填满",
  "filled as far as it is summed": "按已求和的程度填充",
  "old": "旧值",

  // figures/chunks.ts
  "start": "起点",
  "hop {0}": "第 {0} 跳",
  "step {0}": "第 {0} 步",
  "hops {0}": "第 {0} 跳",
  "steps {0}": "第 {0} 步",
};

export default texts;
