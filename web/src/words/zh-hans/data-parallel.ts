/** Data parallelism. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {
  // details/data-parallel-average.ts
  "Average of the first element": "第一个元素的平均值",
  "The all-reduce sums; the division by N is a step of its own.": "all-reduce 只求和；除以 N 是单独的一步。",
  "The same sum over the ranks that are left": "同一个和除以剩余的 rank 数",
  "The mean of the others: the data of the lost rank are gone, so that it leans to theirs.":
    "这是其余 rank 的均值：丢失的 rank 的数据不见了，因此它偏向其余 rank 的数据。",
  "Largest difference": "最大差",
  "max |average − serial mean|": "max |平均值 − 串行均值|",
  "0 where the sums are exact; elsewhere the rounding of another order of additions.": "和为精确值时是 0；否则是累加顺序不同带来的舍入误差。",
  "Bytes of the all-reduce": "all-reduce 的字节数",
  "Chunks are whole elements: the busiest rank sent {0}.": "分块由完整的元素组成：最忙的 rank 发送了 {0}。",
  "Gradients that are summed, and their average": "参与求和的梯度及其平均值",
  "average": "平均值",

  // details/data-parallel-buckets.ts
  "Buckets": "梯度桶",
  "number of buckets": "桶的数量",
  "Layers of {0} are never split, and a bucket is closed as soon as it has its size: {1} of them fill the first of {2}, {3} each other of {4}; of {5} layers, what is left is the last bucket.":
    "每层 {0}，从不拆分；桶一旦达到规定大小就封闭：{1} 层填满第一个桶（{2}），其余每个桶（{4}）由 {3} 层填满；{5} 层中剩下的归最后一个桶。",
  "All-reduce of bucket {0}, the first of the largest": "桶 {0}（最大的桶中的第一个）的 all-reduce",
  "A ring's time, in the model of latency α and bandwidth β. Every bucket pays the latency anew.":
    "按延迟 α、带宽 β 的模型计算的环形用时。每个桶都要重新付出一次延迟。",
  "Without overlap": "不重叠",
  "layers · backward of a layer + all-reduces": "层数 · 每层的反向 + all-reduce",
  "The backward takes {0}; then the same buckets are sent.": "反向用时 {0}；之后再发送同样这些桶。",
  "Backward and communication": "反向与通信",
  "end of the last all-reduce, or of the backward": "最后一个 all-reduce 或反向结束的时刻",
  "A bucket leaves when its last gradient is there and the all-reduce before it has ended.": "桶的最后一个梯度就绪、且前一个 all-reduce 结束后，桶才发出。",
  "Communication takes nothing from the backward's speed here; on a GPU it takes some.": "这里通信不影响反向的速度；在 GPU 上会有一些影响。",
  "Exposed communication": "暴露的通信",
  "step − backward": "一步的时间 − 反向",
  "Communication hidden": "被隐藏的通信",
  "1 − exposed / communication": "1 − 暴露 / 通信",
  "Buckets in the order in which they leave: the first {0} of {1}": "按发出顺序排列的桶：{1} 个中的前 {0} 个",
  "Buckets in the order in which they leave": "按发出顺序排列的桶",
  "bucket": "桶",
  "layers": "层",
  "full at, ms": "填满于（ms）",
  "all-reduce from, ms": "all-reduce 起（ms）",
  "to, ms": "止（ms）",
  "{0} to {1}": "{0} 至 {1}",

  // details/data-parallel-training.ts
  "Final loss, serial": "最终 loss（串行）",
  "loss of the whole batch before the last step": "最后一步之前整个批次的 loss",
  "The mean of (output − target)² over the batch of all ranks.": "(输出 − 目标)² 在所有 rank 的批次上的均值。",
  "The model is a perceptron with one hidden layer, of {0} parameters; it learns another one's outputs, with noise, and no row comes twice.":
    "模型是只有一个隐藏层的感知机，共 {0} 个参数；它学习另一个感知机带噪声的输出，没有样本会重复出现。",
  "Seed {0} chooses the numbers.": "数值由种子 {0} 决定。",
  "Final loss, on the ranks": "最终 loss（多 rank）",
  "the same, each row at the weights of its rank": "同上，每个样本用其所在 rank 的权重",
  "It differs from the serial one by {0}.": "它与串行的结果相差 {0}。",
  "Rank {0} has {1} of {2} rows, and 1/{3} of the say.": "rank {0} 只有 {2} 行中的 {1} 行，却有 1/{3} 的话语权。",
  "What is left is rounding: the ranks add in another order.": "剩下的只是舍入误差：各 rank 的累加顺序不同。",
  "Nothing differs before step {0}.": "第 {0} 步之前没有任何差异。",
  "The first step is off by the gradient of rank {0}, divided by {1}.": "第一步的偏差是 rank {0} 的梯度除以 {1}。",
  "Largest difference of weights, relative": "权重的最大相对差",
  "max |parallel − serial| over max |serial|": "max |并行 − 串行| 除以 max |串行|",
  "In the step where it is largest, over all ranks and weights; the largest difference itself is {0}.":
    "取所有 rank 和权重中差异最大的那一步；最大差本身是 {0}。",
  "Largest difference of replicas": "副本间的最大差",
  "max over steps, weights and pairs of ranks": "对步、权重和 rank 对取最大值",
  "Of what the ranks gathered for the backward: between steps each holds its shard alone.":
    "指各 rank 为反向而 gather 到的参数：两步之间每个 rank 只持有自己的分片。",
  "All ranks apply what one collective gave all of them.": "所有 rank 应用的都是同一次集合通信给出的结果。",
  "Sent per rank and step": "每个 rank 每步发送",
  "S is {0} numbers of 8 bytes.": "S 是 {0} 个 8 字节的数。",
  "Chunks are whole numbers: the busiest rank sent {0}.": "分块的元素个数是整数：最忙的 rank 发送了 {0}。",
  "Stage {0} has an all-reduce of gradients.": "阶段 {0} 对梯度做一次 all-reduce。",
  "Stage {0} has a reduce-scatter of gradients and an all-gather of parameters.": "阶段 {0} 对梯度做一次 reduce-scatter，对参数做一次 all-gather。",
  "Stage {0} has two all-gathers of parameters, before the forward and before the backward, and a reduce-scatter of gradients.":
    "阶段 {0} 在前向之前和反向之前各对参数做一次 all-gather，并对梯度做一次 reduce-scatter。",
  "{0} parameters": "{0} 个参数",
  "{0} gradients": "{0} 个梯度",
  "{0} of the optimizer's state": "{0} 个优化器状态",
  "Elements held per rank": "每个 rank 持有的元素数",
  "On rank 0: {0}.": "在 rank 0 上：{0}。",
  "Adam keeps two moments of every parameter.": "Adam 为每个参数保存两个矩。",
  "SGD without momentum keeps nothing.": "不带动量的 SGD 不保存任何状态。",
  "Shards are whole numbers, and the number shown is that of the rank that holds the most.": "分片的元素个数是整数，显示的是持有最多的那个 rank 的数量。",
  "Activations and buffers do not count.": "激活值和缓冲区不计入。",
  "Losses before each step, and differences after it": "每步之前的 loss 与每步之后的差异",
  "Losses before each step, and differences after it: one step of {0}": "每步之前的 loss 与每步之后的差异：每 {0} 步取一步",
  "step": "步",
  "loss, serial": "loss（串行）",
  "loss, on the ranks": "loss（多 rank）",
  "largest difference of weights": "权重的最大差",
  "largest difference of replicas": "副本间的最大差",

  // routines/data-parallel-average.ts
  "The mean of all is {0}.": "全体的均值是 {0}。",
  "{0}, {1} each: the average is {2}, and every rank holds it.": "{0}，各 {1}：平均值是 {2}，每个 rank 都持有它。",
  "{0} element": "{0} 个元素",
  "Hypothetical: rank {0} is left out.": "假想：rank {0} 被漏掉。",
  "{0}; over the {1} that are left it is {2}, biased to their data.": "{0}；除以剩下的 {1} 个则是 {2}，偏向它们的数据。",
  "{0}.": "{0}。",
  "Real NCCL skips no rank: it waits, until a timeout of the framework ends the job.": "真实的 NCCL 不会跳过任何 rank：它会一直等待，直到框架超时使作业终止。",
  "Hypothetical: the gradient of rank {0} is counted twice.": "假想：rank {0} 的梯度被计入两次。",
  "The sum is {0}; over {1} that is {2}, {3}, and no number says so": "和是 {0}；除以 {1} 得 {2}，{3}，而没有任何数值提示这一点",
  "not the mean": "不是均值",
  "by chance the mean": "恰好等于均值",
  "too small": "偏小",
  "too large": "偏大",
  "What the ranks apply": "各 rank 应用的值",
  "Sent by the busiest rank": "最忙的 rank 发送",
  "Mean, computed in one place": "在一处计算的均值",
  "Over the ranks that are left": "除以剩余的 rank 数",
  "Mean of all ranks": "所有 rank 的均值",
  "Gradients of each rank on a line, and their mean.": "数轴上各 rank 的梯度及其均值。",
  "Drawn up to {0} ranks of {1} elements.": "最多画 {0} 个 rank、每个 {1} 个元素。",

  // routines/data-parallel-buckets.ts
  "{0} layer": "{0} 层",
  "The first bucket leaves after {0} of {1}, at {2}: it is as large as the others, and the link waits for it.":
    "第一个桶在 {1} 层中的 {0}之后、{2} 时发出：它和其他桶一样大，链路要等它。",
  "The first bucket is small so that the link need not wait: it leaves after {0} of {1}, at {2}.":
    "第一个桶较小，链路因此不必等待：它在 {1} 层中的 {0}之后、{2} 时发出。",
  "As large as the others it would leave at {0}, and the step would end at the same time: here the last bucket decides.":
    "若和其他桶一样大，它会在 {0} 时发出，而这一步会在同一时刻结束：这里起决定作用的是最后一个桶。",
  "As large as the others it would leave at {0}, and the step would take {1} longer.": "若和其他桶一样大，它会在 {0} 时发出，这一步会多用 {1}。",
  "As large as the others it would leave at {0}, and the step would take {1} less.": "若和其他桶一样大，它会在 {0} 时发出，这一步会少用 {1}。",
  "One rank has nobody to average with: nothing is sent, and the step is the backward.": "只有一个 rank，不需要求平均：不发送任何内容，一步就是反向。",
  "No layer has gradients: nothing is sent, and the step is the backward.": "没有任何层有梯度：不发送任何内容，一步就是反向。",
  "One bucket holds all gradients: it is full when the backward ends, and all {0} of its all-reduce are exposed.":
    "一个桶装下了所有梯度：反向结束时它才填满，其 all-reduce 的 {0} 全部暴露。",
  "Smaller buckets leave earlier.": "更小的桶会更早发出。",
  "The backward goes from the last layer to the first, and full buckets are reduced meanwhile: {0} of the communication is hidden, and {1} are exposed.":
    "反向从最后一层到第一层，填满的桶同时被归约：通信的 {0} 被隐藏，{1} 暴露在外。",
  "The backward goes from the last layer to the first, and full buckets are reduced meanwhile: {0} of the communication is hidden, and nothing is exposed.":
    "反向从最后一层到第一层，填满的桶同时被归约：通信的 {0} 被隐藏，没有任何暴露。",
  "layers one by one up to {0}": "逐层画出最多 {0} 层",
  "buckets up to {0}": "最多 {0} 个桶",
  "The backward of {0} in time, with the all-reduces of {1} below.": "{0}反向的时间线，下方是 {1}的 all-reduce。",
  "{0} bucket": "{0} 个桶",
  "Drawn: {0}.": "作图范围：{0}。",
  "All-reduces begin while the backward still runs: what it hides of them costs nothing.": "反向还在进行时 all-reduce 就已开始：被反向掩盖的部分不花时间。",
  "Make the first bucket as large as the others.": "把第一个桶设得和其他桶一样大。",

  // routines/data-parallel-training.ts
  "One rank takes the serial steps, bit by bit.": "单个 rank 的每一步与串行训练逐比特相同。",
  "Serial and on {0} ranks, the same training: the curves lie on each other, and all weights agree bit by bit.":
    "串行与 {0} 个 rank 是同一个训练：曲线重合，所有权重逐比特一致。",
  "Serial and on {0} ranks, the same training: the curves lie on each other, and weights differ by {1} of the largest at most, which is rounding.":
    "串行与 {0} 个 rank 是同一个训练：曲线重合，权重最多相差最大权重的 {1}，只是舍入误差。",
  "Every rank holds a whole copy of everything.": "每个 rank 都持有全部内容的完整副本。",
  "SGD without momentum has no state to shard.": "不带动量的 SGD 没有可分片的状态。",
  "Each rank holds a shard of the optimizer state, and whole copies of the rest.": "每个 rank 持有优化器状态的一个分片，其余为完整副本。",
  "Each rank holds a shard of gradients and optimizer state, and all parameters.": "每个 rank 持有梯度和优化器状态的一个分片，以及全部参数。",
  "Each rank holds a shard of parameters, gradients and optimizer state, and gathers parameters twice a step.":
    "每个 rank 持有参数、梯度和优化器状态的一个分片，每步对参数做两次 all-gather。",
  "No weight differs by more than rounding.": "没有权重的差异超出舍入误差。",
  "From step {0} on weights differ, by up to {1} of the largest; losses by up to {2}, in step {3}.":
    "从第 {0} 步起权重出现差异，最多为最大权重的 {1}；loss 最多相差 {2}，出现在第 {3} 步。",
  "All replicas agree with each other: nothing says that something is wrong.": "所有副本彼此一致：没有任何迹象表明出了问题。",
  "Replicas diverge, by up to {0}: each rank goes on with weights of its own, and a loss curve alone does not tell.":
    "副本发生分歧，最多相差 {0}：每个 rank 带着自己的权重继续训练，仅凭 loss 曲线看不出来。",
  "Replicas differ by up to {0} and meet again after the next all-gather, but not at the serial weights.":
    "副本最多相差 {0}，在下一次 all-gather 之后重新一致，但并不是串行训练的权重。",
  "Replicas differ by up to {0} and meet again after the next all-gather.": "副本最多相差 {0}，在下一次 all-gather 之后重新一致。",
  "Hypothetical: the gradient of rank {0} is missing in every step, and the sum is divided by {1} all the same.":
    "假想：每一步都缺少 rank {0} 的梯度，而和仍然除以 {1}。",
  "Hypothetical: the gradient of rank {0} counts twice in every step, and the sum is divided by {1} all the same.":
    "假想：每一步 rank {0} 的梯度都被计入两次，而和仍然除以 {1}。",
  "Hypothetical: in step {0} rank {1} gets nothing of the all-gather, the second half of the all-reduce, and goes on with partial sums.":
    "假想：第 {0} 步中 rank {1} 没有收到 all-gather（all-reduce 的后半部分）的任何内容，带着部分和继续。",
  "Hypothetical: in step {0} rank {1} gets nothing of the all-gather, and computes with what it gathered last.":
    "假想：第 {0} 步中 rank {1} 没有收到 all-gather 的任何内容，用上一次 gather 到的参数计算。",
  "Hypothetical: in step {0} rank {1} gets nothing of the all-gather, and keeps old parameters beside its new shard.":
    "假想：第 {0} 步中 rank {1} 没有收到 all-gather 的任何内容，除自己的新分片外仍保留旧参数。",
  "Batches of {0} rows, and of {1} on rank {2}: the mean of the ranks' means lets those {3} rows count as much as {4} of others.":
    "每个批次 {0} 行，而 rank {2} 上只有 {1} 行：对各 rank 的均值再取均值，会让这 {3} 行与别处的 {4} 行同等重要。",
  "Weighted by rows, it would be the serial training.": "若按行数加权，就与串行训练相同。",
  "Nothing is wrong but the learning rate: it is so large that each step enlarges what rounding left.":
    "除学习率外没有任何问题：它太大，每一步都会放大舍入留下的误差。",
  "Gradients are weighted by their rows.": "梯度按行数加权。",
  "Sent per rank and step, {0}(R−1)/R": "每个 rank 每步发送，{0}(R−1)/R",
  "Losses of {0}, serial and on {1}; how far weights are apart; and what each rank holds.": "{0}的 loss，串行与 {1}；权重相差多远；以及每个 rank 持有什么。",
  "parameters": "参数",
  "gradients": "梯度",
  "optimizer state": "优化器状态",
  "optimizer": "优化器",
  "rank {0} misses the all-gather": "rank {0} 错过 all-gather",
  "What ranks hold is drawn for the first {0}.": "只画出前 {0} 个 rank 持有的内容。",
  "Serial or on ranks, in whole copies or in shards: it is the same training.": "无论串行还是多 rank，无论完整副本还是分片：都是同一个训练。",
  "Drop a gradient, or let a rank miss an all-gather, and see where it shows.": "丢掉一个梯度，或让一个 rank 错过一次 all-gather，看看影响出现在哪里。",

  // routines/data-parallel.ts
  "Gradients, a row per rank": "梯度，每个 rank 一行",
  "No fault": "无故障",
  "Drop one": "丢掉一个",
  "Double one": "重复一个",
  "Hypothetical: a real collective drops no rank. It waits for all of them, or times out.":
    "假想：真实的集合通信不会丢掉任何 rank。它会等待所有 rank，或者超时。",
  "The rank at fault": "出错的 rank",
  "Optimizer": "优化器",
  "SGD": "SGD",
  "Adam": "Adam",
  "ZeRO stage": "ZeRO 阶段",
  "0: whole copies": "0：完整副本",
  "1: shards of optimizer state": "1：优化器状态分片",
  "2: and of gradients": "2：梯度也分片",
  "3: and of parameters": "3：参数也分片",
  "A gradient is dropped": "丢掉一个梯度",
  "A gradient counts twice": "一个梯度计入两次",
  "A rank misses an all-gather": "一个 rank 错过一次 all-gather",
  "Hypothetical: a real collective waits for every rank, or times out.": "假想：真实的集合通信会等待每个 rank，或者超时。",
  "Left empty, the last.": "留空则取最后一个。",
  "Batches": "批次",
  "8 rows each": "各 8 行",
  "2 on the last": "最后一个 2 行",
  "Of the gradients": "梯度",
  "Mean of means": "均值的均值",
  "Weighted": "加权",
  "Learning rate": "学习率",
  "Seed": "种子",
  "Layers": "层数",
  "Gradients of a layer": "每层的梯度",
  "Backward of a layer": "每层的反向",
  "Bucket": "桶大小",
  "A bucket is closed as soon as it has so much. PyTorch has 25 MiB.": "桶一旦装到这么多就封闭。PyTorch 用 25 MiB。",
  "First bucket": "第一个桶",
  "PyTorch has 1 MiB.": "PyTorch 用 1 MiB。",
  "Bandwidth": "带宽",
  "Of a rank's link, per direction.": "每个 rank 的链路，单方向。",
  "Show": "显示",
  "Training": "训练",
  "Data-parallel training": "数据并行训练",
  "Every rank sees other data; after one all-reduce every rank takes the same step, that of the whole batch.":
    "每个 rank 看到的数据不同；一次 all-reduce 之后，每个 rank 执行同样的更新，也就是整个批次的更新。",
  "Four gradients: 4, 8, 12 and 16. Rank 3 is lost, and what comes back is still divided by four. What do the others apply?":
    "四个梯度：4、8、12 和 16。rank 3 丢失了，而返回的结果仍然除以四。其他 rank 应用的是什么？",
  "That would be the mean of all four: but the 16 is missing from the sum.": "那是全部四个的均值：但和里缺了 16。",
  "That is the sum of 24 divided by three. Nobody has told the ranks that they are fewer; and it is not the mean either, since the data of rank 3 are gone.":
    "那是和 24 除以三。没有谁告诉各 rank 它们少了一个；而且那也不是均值，因为 rank 3 的数据已经丢失。",
  "The sum is 24, and 24 / 4 = 6: too small, and nothing says so. Real NCCL does not skip a rank; it waits for it, until the framework gives up.":
    "和是 24，24 / 4 = 6：偏小，而没有任何提示。真实的 NCCL 不会跳过某个 rank；它会一直等，直到框架放弃。",
  "An all-reduce does sum; the division is a step of its own, and it follows.": "all-reduce 的确只求和；但之后还有单独的一步除法。",
  "Drop a gradient, and compare the average with that of the whole batch. Then do it in a training.":
    "丢掉一个梯度，把平均值与整个批次的平均值比较。然后在训练里试一试。",

  // presets/data-parallel.ts
  "Four gradients and their average": "四个梯度及其平均值",
  "A rank is lost: 6 or 8 in place of 10": "丢失一个 rank：得到 6 或 8 而不是 10",
  "A rank misses one all-gather: replicas diverge, and no loss tells": "一个 rank 错过一次 all-gather：副本发生分歧，loss 却看不出来",
  "A mean of means, where the last batch is smaller": "最后一个批次较小时的“均值的均值”",
  "Everything is sharded: the same training": "全部分片：仍是同一个训练",
  "All-reduces behind the backward, bucket by bucket": "逐桶 all-reduce，藏在反向之后",

  // figures/buckets.ts
  "backward of a layer": "一层的反向",
  "all-reduce, hidden": "被隐藏的 all-reduce",
  "exposed": "暴露",
  "backward": "反向",
  "all-reduces": "all-reduce",
  "no overlap": "不重叠",
  "{0} layers": "{0} 层",
  "{0} buckets": "{0} 个桶",
  "exposed {0}": "暴露 {0}",

  // figures/training.ts
  "loss": "loss",
  "serial": "串行",
  "step {0}: {1}": "第 {0} 步：{1}",
  "apart": "差异",
  "weights apart": "权重差异",
  "from the serial ones": "与串行之差",
  "a rank's from the serial ones": "rank 与串行之差",
  "among ranks": "rank 之间",
  "ranks' from each other": "rank 之间的差",
  "none": "无",
  "held": "持有",
};

export default texts;
