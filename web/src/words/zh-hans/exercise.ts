/** The exercise: its tasks, and what is around them. What the cases complain of stays in their own English. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {
  // examination.ts
  "The cases could not be loaded: {0}": "无法加载测试用例：{0}",
  "The run was stopped.": "运行已停止。",
  "The cases stopped: {0}": "测试用例中断：{0}",
  "The cases stopped.": "测试用例中断。",
  "{0} cases wait for {1}.": "{0} 个测试用例在等待 {1}。",
  "Running {0} cases.": "正在运行 {0} 个测试用例。",
  "The code has changed since.": "此后代码已有改动。",
  "No case was run: {0}": "没有运行任何测试用例：{0}",
  "All {0} cases pass.": "全部 {0} 个测试用例通过。",
  "{0} of {1} cases pass, {2} failed.": "{1} 个测试用例中 {0} 个通过，{2} 个失败。",
  "{0} of {1} cases pass, {2} not run.": "{1} 个测试用例中 {0} 个通过，{2} 个没有运行。",
  "{0} of {1} cases pass, {2} failed, {3} not run.": "{1} 个测试用例中 {0} 个通过，{2} 个失败，{3} 个没有运行。",

  // examiner.ts
  "The function had not ended after {0} seconds, and was stopped. Is there a loop that never ends?": "函数在 {0} 秒后仍未结束，已被停止。是否有循环永不结束？",

  // keep.ts
  "The link would have {0} characters, and more than {1} may be cut on their way: download the file instead.":
    "链接将有 {0} 个字符，超过 {1} 个的链接在途中可能被截断：请改为下载文件。",
  "The link asks for {0}; there are {1}.": "链接要求 {0}；这里有 {1}。",
  "The work in the link cannot be read: a part of it may be missing.": "无法读取链接中的代码：可能缺了一部分。",
  "The link is copied. It holds all that you have written.": "链接已复制，其中包含你写的全部代码。",
  "The link": "链接",
  "{0} is larger than 1 MiB.": "{0} 大于 1 MiB。",
  "It also has {0}, which this page does not know.": "其中还有本页不认识的 {0}。",
  "Opened: {0}.": "已打开：{0}。",
  "{0} has {1}, which this page does not know.": "{0} 中有 {1}，本页不认识。",
  "{0} is empty.": "{0} 是空的。",
  "{0} has {1}, and nothing that parts them: put a line such as // ==== {2} ==== before each.":
    "{0} 中有 {1}，彼此没有分隔：请在每个函数之前加上形如 // ==== {2} ==== 的一行。",
  "{0} declares no function of the lab: it is opened as {1}.": "{0} 没有声明实验的函数：已作为 {1} 打开。",

  // results.ts
  passed: "通过",
  failed: "失败",
  running: "正在运行",
  "not run": "没有运行",
  "(not run)": "（没有运行）",
  "The call that showed it": "暴露问题的调用",
  "Your answer and the right one": "你的结果与正确结果",
  "What it gives": "返回值",
  "Where it first differs:": "最先出现差异之处：",
  yours: "你的",
  right: "正确",
  "and more": "以及更多",

  // ring-picture.ts
  "Rank {0} holds {1} in chunk {2}, and must hold {3}. {4} of {5} chunks are wrong.": "rank {0} 的分块 {2} 中是 {1}，应当是 {3}。{5} 个分块中有 {4} 个不对。",
  "your ring": "你的环",
  "the right one": "正确的环",

  // sandbox.ts
  "{0} had not ended after {1} second, and was stopped. Is there a loop that never ends?": "{0} 在 {1} 秒后仍未结束，已被停止。是否有循环永不结束？",
  "{0} asked for more than {1} MiB of memory, and was stopped.": "{0} 要求的内存超过 {1} MiB，已被停止。",
  "{0} had taken {1} seconds in all its calls, and was stopped.": "{0} 的全部调用合计用时 {1} 秒，已被停止。",
  "{0} ended the interpreter: {1}": "{0} 使解释器终止：{1}",
  "{0} called itself too deeply, and was stopped. Does a function call itself for ever?": "{0} 调用自身过深，已被停止。是否有函数无休止地调用自身？",
  "{0}, before any call, had not ended after {1} second, and was stopped. Is there a loop that never ends?":
    "{0} 在任何调用之前，{1} 秒后仍未结束，已被停止。是否有循环永不结束？",
  "{0}, before any call, asked for more than {1} MiB of memory, and was stopped.": "{0} 在任何调用之前要求的内存超过 {1} MiB，已被停止。",
  "{0}, before any call, called itself too deeply, and was stopped. Does a function call itself for ever?":
    "{0} 在任何调用之前调用自身过深，已被停止。是否有函数无休止地调用自身？",
  "there is no function {0}": "没有函数 {0}",
  "there is an await outside of any function": "有一个 await 在任何函数之外",
  "line {0}: SyntaxError: the source ends too early": "第 {0} 行：SyntaxError：代码过早结束",

  // unclosed.ts
  "line {0}: SyntaxError: the {1} of this line is never closed: {2} is missing, at the end or before":
    "第 {0} 行：SyntaxError：这一行的 {1} 始终没有闭合：末尾或之前缺少 {2}",
  "line {0}: SyntaxError: the {1} of this line is not closed before the {2} behind it": "第 {0} 行：SyntaxError：这一行的 {1} 在其后的 {2} 之前没有闭合",
  "line {0}: SyntaxError: the {1} of this line is not closed before the {2} of line {3}":
    "第 {0} 行：SyntaxError：这一行的 {1} 在第 {3} 行的 {2} 之前没有闭合",

  // task-text.ts
  "Extension.": "扩展题。",
  "In:": "输入：",
  Out: "输出",
  "The rule": "规则",
  "A hint": "提示",
  "Ranks, chunks, and what may be called": "rank、分块，以及可以调用什么",
  "Functions that you have written can call each other by their names; whatever else you declare beside `{0}`, only it sees. `console.log` writes below the cases.":
    "你写好的函数可以按名字互相调用；与 `{0}` 一起声明的其他内容只有它自己可见。`console.log` 的输出在测试用例下方。",

  // bar.ts and view.ts
  "The editor could not be loaded; a plain field stands in its place.": "编辑器无法加载，改用普通文本框。",
  "Write it yourself": "自己动手写",
  "Exercise: write {0} in JavaScript, and run the lab's own cases on it.": "练习：用 JavaScript 写出 {0}，并运行实验自带的测试用例。",
  "Eleven functions, in JavaScript. The cases that test them are the C++ library's own; what you write runs in an interpreter within this page.":
    "用 JavaScript 写十一个函数。检验它们的正是 C++ 库自己的测试用例；你写的代码在本页内的解释器中运行。",
  Function: "函数",
  "{0} of {1} pass": "{1} 个中有 {0} 个通过",
  Run: "运行",
  Stop: "停止",
  "Start over": "重新开始",
  Download: "下载",
  "{0} runs the cases.": "{0} 运行测试用例。",
  "{0} runs the cases. Tab indents; to leave the editor by keyboard, press Esc and then Tab.": "{0} 运行测试用例。Tab 键缩进；要用键盘离开编辑器，请先按 Esc 再按 Tab。",
  "What it logged": "日志输出",

  // tasks.ts
  "Rank numbers wrap around: “rank r + 1” after the last rank is rank 0, and “mod N” is never negative. In JavaScript the remainder of a negative number is negative, so write `(r - s + N) % N`.":
    "rank 的编号首尾相接：最后一个 rank 之后的“rank r + 1”是 rank 0，“mod N”永不为负。JavaScript 中负数的余数为负，所以请写 `(r - s + N) % N`。",
  "E elements are cut into N chunks that are as equal as possible, the longer ones first: each chunk has E / N elements (rounded down), and the first E mod N chunks have one more. 73 elements in 4 chunks are 19, 18, 18, 18; 3 elements in 4 chunks are 1, 1, 1, 0.":
    "E 个元素切成 N 个尽可能相等的分块，较长的在前：每块有 E / N 个元素（向下取整），前 E mod N 块各多一个。73 个元素切成 4 块是 19、18、18、18；3 个元素切成 4 块是 1、1、1、0。",
  "Leave the lists that come in as they are: change a copy. The cases look whether they are as before.":
    "不要改动传入的列表：请修改副本。测试用例会检查它们是否保持原样。",
  "Add up the tensors of all ranks around a ring, and give every rank the sum.": "沿环把所有 rank 的张量相加，并让每个 rank 都得到总和。",
  "`buffers[r]` is the tensor of rank r, a list of numbers: of N ranks, at least one, all with as many elements, possibly none":
    "`buffers[r]` 是 rank r 的张量，即一个数字列表：共 N 个 rank，至少一个，各自的元素个数相同，可以为零",
  "`buffers` of the same shape, where every rank holds the sum over all ranks; the number of `steps`; and `bytesSentPerRank`, a number for each rank, at 8 bytes an element":
    "形状相同的 `buffers`，其中每个 rank 都持有所有 rank 之和；步数 `steps`；以及 `bytesSentPerRank`，每个 rank 一个数，每个元素 8 字节",
  "Cut every tensor into N chunks. Leave the lists that came in as they are: work on a copy.": "把每个张量切成 N 个分块。不要改动传入的列表：在副本上操作。",
  "Reduce-scatter, steps s = 0 to N − 2: in step s rank r sends chunk (r − s) mod N to rank r + 1, which adds it to its own. After that rank r holds the whole sum of chunk (r + 1) mod N.":
    "reduce-scatter，第 s = 0 至 N − 2 步：在第 s 步，rank r 把分块 (r − s) mod N 发送给 rank r + 1，后者把它加到自己的分块上。此后 rank r 持有分块 (r + 1) mod N 的完整总和。",
  "All-gather, steps s = 0 to N − 2: in step s rank r sends chunk (r + 1 − s) mod N to rank r + 1, which replaces its own by it.":
    "all-gather，第 s = 0 至 N − 2 步：在第 s 步，rank r 把分块 (r + 1 − s) mod N 发送给 rank r + 1，后者用它替换自己的分块。",
  "All ranks send at the same time. An empty chunk is sent like any other: it takes its step and costs no bytes. One rank has nobody to talk to: no step.":
    "所有 rank 同时发送。空分块与其他分块一样发送：占一步，不花字节。只有一个 rank 时没有通信对象：零步。",
  "In one step no rank sends the chunk that it receives, so you may visit the ranks in any order. Try it on paper with 4 ranks that hold 1, 10, 100 and 1000: the digits of a number show whose contributions it has.":
    "在同一步中，没有 rank 会发送它正在接收的分块，所以可以按任意顺序处理各个 rank。在纸上用 4 个分别持有 1、10、100 和 1000 的 rank 试一试：一个数的各位数字表明其中有谁的贡献。",
  "Say what a ring all-reduce costs without running it: its steps, and the bytes that each rank sends.": "不运行环形 all-reduce，说出它的代价：步数，以及每个 rank 发送的字节数。",
  "how many there are, N": "个数，N",
  "the size of each rank's tensor, which N divides": "每个 rank 的张量大小，能被 N 整除",
  "`steps` and `bytesSentPerRank`": "`steps` 和 `bytesSentPerRank`",
  "What ringAllReduce takes and sends, as a formula.": "把 ringAllReduce 的步数和发送量写成公式。",
  "There are two phases of N − 1 steps, and in each step a rank sends one chunk, that is bytes / N. With 1 rank both are 0; with very many ranks the bytes approach twice the tensor, and no more.":
    "共两个阶段，各 N − 1 步，每一步每个 rank 发送一个分块，即 bytes / N。1 个 rank 时两者都是 0；rank 非常多时字节数趋近张量的两倍，不会更多。",
  "Average the gradients of all ranks, as data-parallel training does before every update.": "对所有 rank 的梯度求平均，如同数据并行训练在每次更新之前所做的那样。",
  "`gradients[r]` is the gradient that rank r computed on its own part of the batch: N lists of equal length": "`gradients[r]` 是 rank r 在自己那部分 batch 上算出的梯度：N 个等长的列表",
  "one list of that length: the mean over the ranks": "一个同样长度的列表：各 rank 的平均值",
  "An all-reduce, then a division by N. Every rank ends with the same mean, so one copy is the answer.": "一次 all-reduce，再除以 N。每个 rank 最终得到相同的平均值，所以返回一份即可。",
  "You have written the all-reduce: `ringAllReduce` may be called here. Divide once, at the end.": "all-reduce 你已经写好：这里可以调用 `ringAllReduce`。只在最后除一次。",
  "Multiply W by x with W split over the ranks.": "把 W 切分到各个 rank 上，计算 W 与 x 的乘积。",
  "a list of rows, of shape (out, in)": "行的列表，形状 (out, in)",
  "a list of rows, of shape (in, batch)": "行的列表，形状 (in, batch)",
  "how many there are": "个数",
  '`"column"` or `"row"`': '`"column"` 或 `"row"`',
  "W·x, a list of rows of shape (out, batch)": "W·x，形状为 (out, batch) 的行的列表",
  "A rank works on its own part of W only.": "每个 rank 只处理 W 中自己的那一部分。",
  'With `"column"`, cut `out` into one chunk a rank. Rank r has the rows of W in its chunk and the whole of x; it computes those rows of the output. Put the pieces one below the other. Nothing has to be added.':
    '`"column"` 时，把 `out` 切成每个 rank 一块。rank r 持有 W 在其分块中的行和完整的 x，算出输出的这些行。把各部分上下拼接即可，无需相加。',
  'With `"row"`, cut `in` into one chunk a rank. Rank r has the columns of W in its chunk and the same rows of x; it computes a partial sum of the whole output. Add the partial sums of all ranks: an all-reduce.':
    '`"row"` 时，把 `in` 切成每个 rank 一块。rank r 持有 W 在其分块中的列和 x 的相同各行，算出整个输出的部分和。把所有 rank 的部分和相加：一次 all-reduce。',
  "Sizes that the ranks do not divide are cut as above; with more ranks than features some ranks have an empty part. The names are Megatron's, which writes Y = X·A with W = Aᵀ: a column of A is a row of W.":
    "不能被 rank 数整除的尺寸按上述方法切分；rank 比特征多时，有些 rank 的部分为空。名称沿用 Megatron，它写作 Y = X·A，其中 W = Aᵀ：A 的一列是 W 的一行。",
  "Write one small function that multiplies rows [first, last) of W, over inputs [from, to), by x. Both splits are then a loop over ranks around it.":
    "写一个小函数，把 W 的行 [first, last) 在输入 [from, to) 上与 x 相乘。两种切分都是在它外面对各 rank 循环。",
  "Say which share of all stages' time a pipeline is idle: its bubble.": "说出流水线空闲时间占所有 stage 时间的比例：它的气泡。",
  "P, at least 1": "P，至少为 1",
  "M, at least 1": "M，至少为 1",
  "idle time over total time, a number from 0 to 1; for 8 stages and 4 micro-batches it is 7/11": "空闲时间除以总时间，0 到 1 之间的数；8 个 stage、4 个 micro-batch 时为 7/11",
  "All stages take equally long.": "所有 stage 耗时相同。",
  "A stage works for M slots. The last stage has to wait P − 1 slots for the first micro-batch, so that everything takes M + P − 1. (Some papers divide the idle time by M, the time of work, instead: that number can exceed 1.)":
    "一个 stage 工作 M 个时隙。最后一个 stage 要等 P − 1 个时隙才收到第一个 micro-batch，所以总共需要 M + P − 1。（有些论文改用工作时间 M 去除空闲时间：那个数可能大于 1。）",
  "Order the forwards and backwards of each pipeline stage, one forward one backward.": "为流水线的每个 stage 排出前向与反向的顺序：一前一反（1F1B）。",
  "`operations`, for each stage the list of its 2·M operations `{ backward, microBatch }` in order, where `backward` is true or false; `steps`, the time that all of them take if every operation takes one step; and for each stage `peakInFlight`, the largest number of micro-batches whose forward is done and whose backward is still to come":
    "`operations`，每个 stage 按顺序排列的 2·M 个操作 `{ backward, microBatch }` 的列表，其中 `backward` 为 true 或 false；`steps`，每个操作占一步时全部操作所需的时间；以及每个 stage 的 `peakInFlight`，即前向已完成而反向尚未执行的 micro-batch 的最大个数",
  "For stage s (0 is the first) there are three parts.": "对于 stage s（0 是第一个），分三个部分。",
  "Warm-up: P − 1 − s forwards (at most M).": "预热：P − 1 − s 个前向（最多 M 个）。",
  "Steady: one forward, one backward, and again, until all M forwards are done.": "稳态：一个前向，一个反向，如此重复，直到 M 个前向全部完成。",
  "Drain: the backwards that are left.": "排空：剩下的反向。",
  "Forwards go through the micro-batches 0, 1, 2, …, and so do backwards.": "前向依次经过 micro-batch 0、1、2……，反向亦然。",
  "The last stage has no warm-up: F0 B0 F1 B1 … For the steps count along the first stage: GPipe's order takes 2·(M + P − 1), and so does this one. What it saves is memory: stage s never holds more than P − s micro-batches.":
    "最后一个 stage 没有预热：F0 B0 F1 B1……步数可沿第一个 stage 来数：GPipe 的顺序需要 2·(M + P − 1)，这个也一样。它节省的是显存：stage s 持有的 micro-batch 从不超过 P − s 个。",
  "Say how many bytes of weights, gradients and optimizer states one GPU holds under ZeRO.": "说出在 ZeRO 下一块 GPU 持有多少字节的权重、梯度和优化器状态。",
  "the parameters of the model": "模型的参数量",
  "the data-parallel ranks, R": "数据并行的 rank 数，R",
  "0 to 3": "0 到 3",
  "the bytes on one rank: `parameterBytes`, `gradientBytes`, `optimizerBytes` and their sum, `totalBytes`": "一个 rank 上的字节数：`parameterBytes`、`gradientBytes`、`optimizerBytes`，以及它们的和 `totalBytes`",
  "Training in 16 bits with Adam keeps, for each parameter, 2 bytes of weight, 2 bytes of gradient and 12 bytes of optimizer state (a 32-bit weight, momentum and variance).":
    "用 Adam 做 16 位训练时，每个参数保存 2 字节权重、2 字节梯度和 12 字节优化器状态（32 位的权重、动量和方差）。",
  "Stage 0 keeps everything on every rank. Stage 1 shards the optimizer states over the R ranks, stage 2 the gradients too, stage 3 the weights too. A sharded part is divided by R.":
    "阶段 0 在每个 rank 上保存全部内容。阶段 1 把优化器状态切分到 R 个 rank 上，阶段 2 再切分梯度，阶段 3 再切分权重。被切分的部分除以 R。",
  "7.5e9 parameters on 64 ranks are 120, 31.4, 16.6 and 1.88 GB at stages 0 to 3.": "7.5e9 个参数、64 个 rank，在阶段 0 至 3 下分别为 120、31.4、16.6 和 1.88 GB。",
  "Say what an all-reduce along a binomial tree costs for a small message.": "说出小消息沿二项树做 all-reduce 的代价。",
  "the size of each rank's tensor": "每个 rank 的张量大小",
  "the seconds that one step takes": "一步所需的秒数",
  "`steps`, the `bytesSentPerRank` of the busiest rank, and `seconds`": "`steps`、最忙的 rank 的 `bytesSentPerRank`，以及 `seconds`",
  "Whole tensors are sent, never chunks. First they are added up towards rank 0: in step k every rank that is an odd multiple of 2^k sends to the rank 2^k below it. Then the sum goes back along the same branches. That is ceil(log2 N) steps down and as many up.":
    "发送的总是整个张量，从不切块。先朝 rank 0 方向累加：在第 k 步，编号为 2^k 的奇数倍的每个 rank 发送给编号比它小 2^k 的 rank。然后总和沿同样的分支返回。向下共 ceil(log2 N) 步，向上同样多步。",
  "Rank 0 is the busiest: on the way back it sends the tensor in every step. The message is so small that only latency counts: seconds are steps times latency.":
    "rank 0 最忙：返回途中它每一步都发送整个张量。消息很小，只有延迟起作用：秒数等于步数乘以延迟。",
  "Count how often you can double 1 before you reach N; `Math.log2` may be off by a hair just where it matters. Compare with the ring's 2(N − 1) steps at 1024 ranks.":
    "数一数 1 要翻倍多少次才达到 N；`Math.log2` 恰恰可能在关键处差一点点。与环在 1024 个 rank 时的 2(N − 1) 步比较一下。",
  "Run a two-layer MLP over several ranks, forward and backward, with one all-reduce each way.": "在多个 rank 上运行两层 MLP 的前向与反向，每个方向各一次 all-reduce。",
  "a list of rows, of shape (ffn, in)": "行的列表，形状 (ffn, in)",
  "a list of rows, of shape (out, ffn)": "行的列表，形状 (out, ffn)",
  "the gradient of the loss with respect to the output, of shape (out, batch)": "损失对输出的梯度，形状 (out, batch)",
  "`output`, w2·GELU(w1·x), of shape (out, batch); `inputGradient`, the gradient with respect to x, of shape (in, batch); and how many all-reduces each way took, `forwardAllReduces` and `backwardAllReduces` (at one rank they count too)":
    "`output`，即 w2·GELU(w1·x)，形状 (out, batch)；`inputGradient`，对 x 的梯度，形状 (in, batch)；以及每个方向用了几次 all-reduce：`forwardAllReduces` 和 `backwardAllReduces`（只有一个 rank 时也计数）",
  "w1 is split by columns and w2 by rows (Megatron's words, see tensorParallelMatmul), so `ffn` is cut into one chunk a rank.": "w1 按列切分，w2 按行切分（用 Megatron 的说法，见 tensorParallelMatmul），因此 `ffn` 切成每个 rank 一块。",
  "Forward: rank r computes its features of h = w1·x, applies GELU to them, and multiplies by its columns of w2: a partial sum of the output. Adding these is the all-reduce of the forward.":
    "前向：rank r 算出 h = w1·x 中自己的特征，对它们应用 GELU，再乘以 w2 中自己的列：得到输出的部分和。把它们相加就是前向的 all-reduce。",
  "Backward, with g the output's gradient: rank r computes w2ᵀ·g for its features, times GELU'(h) element by element, and multiplies by its part of w1ᵀ: a partial sum of the input's gradient. Adding these is the all-reduce of the backward.":
    "反向，g 为输出的梯度：rank r 对自己的特征算出 w2ᵀ·g，逐元素乘以 GELU'(h)，再乘以 w1ᵀ 中自己的部分：得到输入梯度的部分和。把它们相加就是反向的 all-reduce。",
  "GELU(v) = v/2 · (1 + erf(v/√2)), and GELU'(v) = (1 + erf(v/√2))/2 + v · exp(−v²/2) / √(2π). JavaScript has no erf: the lab gives you `erf(v)`.":
    "GELU(v) = v/2 · (1 + erf(v/√2))，GELU'(v) = (1 + erf(v/√2))/2 + v · exp(−v²/2) / √(2π)。JavaScript 没有 erf：实验提供 `erf(v)`。",
  "GELU works on each feature for itself, and a rank has whole features: that is why nothing is sent between the layers. Were w1 split by rows, each rank would have a partial sum, and GELU of a sum is not the sum of GELUs.":
    "GELU 对每个特征单独作用，而每个 rank 持有的是完整的特征：所以两层之间什么也不用发送。若 w1 按行切分，每个 rank 只有部分和，而和的 GELU 不等于 GELU 的和。",
  "Say how large the bubble is when each device has several smaller chunks of the model.": "说出每个设备持有模型的多个较小的 chunk 时，气泡有多大。",
  "P, the devices": "P，设备数",
  "M, a multiple of P": "M，P 的倍数",
  "V, the chunks of the model on each device": "V，每个设备上模型 chunk 的个数",
  "idle time over total time, a number from 0 to 1": "空闲时间除以总时间，0 到 1 之间的数",
  "All chunks take equally long.": "所有 chunk 耗时相同。",
  "A chunk is a V-th of a device's layers and takes a V-th of the time, so filling and draining the pipeline costs P − 1 small slots, while a device works for V·M of them. With V = 1 it is pipelineBubbleFraction.":
    "一个 chunk 是设备所有层的 V 分之一，耗时也是 V 分之一，因此填满和排空流水线花费 P − 1 个小时隙，而设备工作 V·M 个小时隙。V = 1 时就是 pipelineBubbleFraction。",
  "Say how many bytes of activations one transformer layer keeps for its backward pass.": "说出一个 transformer 层为反向保存多少字节的激活值。",
  "s, the tokens in a sequence": "s，一个序列中的 token 数",
  "b, the sequences in a micro-batch": "b，一个 micro-batch 中的序列数",
  "h, the hidden features": "h，隐藏特征数",
  "a, the attention heads": "a，注意力头数",
  "t, the tensor-parallel ranks": "t，张量并行的 rank 数",
  "true where sequence parallelism is on": "开启序列并行时为 true",
  '`"none"`, `"selective"` or `"full"`: which activations are thrown away and computed again': '`"none"`、`"selective"` 或 `"full"`：丢弃哪些激活值并重新计算',
  "bytes on one rank, for one layer and one micro-batch, in 16-bit training with GELU and dropout": "16 位训练、使用 GELU 和 dropout 时，一个 rank 上一个层、一个 micro-batch 的字节数",
  "Without sequence parallelism: none sbh (10 + 24/t + 5as/(ht)), selective sbh (10 + 24/t), full 2sbh.": "不用序列并行：none 为 sbh (10 + 24/t + 5as/(ht))，selective 为 sbh (10 + 24/t)，full 为 2sbh。",
  "With it: none sbh/t (34 + 5as/h), selective sbh/t · 34, full 2sbh.": "使用序列并行：none 为 sbh/t (34 + 5as/h)，selective 为 sbh/t · 34，full 为 2sbh。",
  "The 10 is what tensor parallelism alone leaves whole on every rank (around LayerNorm and dropout); sequence parallelism shards that too.":
    "其中的 10 是仅用张量并行时每个 rank 上仍完整保留的部分（LayerNorm 和 dropout 前后）；序列并行把这部分也切分了。",
};

export default texts;
