/** Tensor-parallel layers, and what they cost. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {
  // figures/matrices.ts
  "{0}·{1}, in one place": "{0}·{1}，单处计算",
  "each rank's own rows of {0}": "每个 rank 各自的 {0} 的行",
  "each rank's partial sum of all of {0}": "每个 rank 对整个 {0} 的部分和",

  // figures/block.ts
  "↓ forward": "↓ 前向",
  "↑ backward": "↑ 反向",
  "{0}: {1}, {2}": "{0}：{1}，{2}",

  // details/matrix-table.ts

  // details/tensor-parallel.ts
  "First element of y": "y 的第一个元素",
  "Each rank has summed its own columns of W; the all-reduce adds the partial sums.":
    "每个 rank 对自己那几列 W 求和，再由 all-reduce 把部分和加起来。",
  "Rank 0 holds the whole first row of W and needs nobody else for it.": "rank 0 持有 W 完整的第一行，不需要其他 rank。",
  "x is on every rank already; backward, its gradient is all-reduced.": "每个 rank 上本来就有 x；反向时它的梯度要做 all-reduce。",
  "∂y is on every rank, and each gives the rows of ∂x that belong to its own inputs.":
    "每个 rank 上都有 ∂y，各自给出 ∂x 中对应自己输入的那几行。",
  "S is {0}: {1} numbers of 8 bytes. Chunks are whole numbers: forgotten, none was sent.":
    "S 是 {0}：{1} 个 8 字节的数。分块 (chunk) 由整个的数组成：这里忘了 all-reduce，一个也没有发送。",
  "S is {0}: {1} numbers of 8 bytes. Chunks are whole numbers: the busiest rank sent {2} B. Split by rows, this is the one collective of the layer.":
    "S 是 {0}：{1} 个 8 字节的数。分块 (chunk) 由整个的数组成：最忙的 rank 发送了 {2} B。按行切分时，这是该层唯一的集合通信。",
  "S is {0}: {1} numbers of 8 bytes. Chunks are whole numbers: the busiest rank sent {2} B. Split by columns, this is the one collective of the layer.":
    "S 是 {0}：{1} 个 8 字节的数。分块 (chunk) 由整个的数组成：最忙的 rank 发送了 {2} B。按列切分时，这是该层唯一的集合通信。",
  "Weights of the largest shard": "最大分片的权重",
  "⌈out / N⌉ · in · 8 B": "⌈输出 / N⌉ · 输入 · 8 B",
  "out · ⌈in / N⌉ · 8 B": "输出 · ⌈输入 / N⌉ · 8 B",
  "Floating-point operations of a rank": "一个 rank 的浮点运算数",
  "2 · batch · in · out / N": "2 · 批大小 · 输入 · 输出 / N",
  "2 · batch · weights": "2 · 批大小 · 权重数",
  "A multiplication and an addition for each weight and each input of the batch. The additions of an all-reduce are not in it.":
    "每个权重、批中的每个输入，各一次乘法和一次加法。不含 all-reduce 的加法。",
  "A multiplication and an addition for each weight and each input of the batch; of the rank with the largest shard, since N does not divide. The additions of an all-reduce are not in it.":
    "每个权重、批中的每个输入，各一次乘法和一次加法；因为不能被 N 整除，取分片最大的 rank。不含 all-reduce 的加法。",
  Error: "误差",
  "max |y − W·x|": "max |y − W·x|",
  "max |∂x − Wᵀ·∂y|": "max |∂x − Wᵀ·∂y|",
  "W·x is computed in one place, without shards. The numbers are small and whole, so that their sums are exact; the largest relative error is {0}.":
    "W·x 不分片，在一处计算。这些数是小整数，所以求和没有舍入；最大相对误差为 {0}。",
  "Wᵀ·∂y is computed in one place, without shards, from the same whole numbers. W's own gradient needs nobody: each rank has all that its shard's takes.":
    "Wᵀ·∂y 用同样的整数，不分片，在一处计算。W 自己的梯度不需要其他 rank：每个 rank 都有计算自己那个分片的梯度所需的一切。",
  input: "输入",
  "output {0}": "输出 {0}",
  "feature {0}": "特征 {0}",

  // details/tensor-parallel-block.ts
  "Error of the output": "输出的误差",
  "max |sharded − whole| over max |whole|": "max |分片 − 整体| 除以 max |整体|",
  "The lab runs the block once more on one rank. The largest difference is {0}: what is left is the order of the sums.":
    "同一个块又在单个 rank 上运行了一遍。最大差值为 {0}：只剩求和顺序不同带来的舍入。",
  "Error of the worst gradient": "最大的梯度误差",
  "max over x and the weights": "对 x 和各权重取最大",
  "Sent by a rank in one {0}": "一次 {0} 中一个 rank 的发送量",
  "{0} token": "{0} 个 token",
  "S is {0} of {1} features of 8 bytes. f and g are each other's mirror: one passes on where the other reduces.":
    "S 是 {0}，每个有 {1} 个 8 字节的特征。f 和 g 互为镜像：一个规约时，另一个只是原样传下去。",
  "S is {0} of {1} features of 8 bytes. A reduce-scatter and an all-gather send together what an all-reduce sends.":
    "S 是 {0}，每个有 {1} 个 8 字节的特征。一次 reduce-scatter 加一次 all-gather 的发送量等于一次 all-reduce。",
  "Sent per rank and token": "每个 rank、每个 token 的发送量",
  "sent in all calls / tokens": "各次调用的发送量之和 / token数",
  "{0} forward and {1} backward, for each micro-batch. It depends on hidden, not on the number of weights.":
    "每个 micro-batch 前向 {0} 次，反向 {1} 次。取决于隐藏维度，与权重数无关。",
  "Once a step: {0}": "每步一次：{0}",
  "What several ranks hold alike, or compute from a part of the tokens, has to be added up before the optimizer's step.":
    "几个 rank 共有的参数，或只用一部分 token 算出的梯度，要在优化器更新之前加起来。",
  "Weights per rank": "每个 rank 的权重",
  "elements · 8 B": "元素数 · 8 B",
  "The matrices in equal parts; LayerNorms, and key and value heads that are fewer than ranks, whole on each rank that needs them.":
    "矩阵均分；LayerNorm 和少于 rank 数的 K/V 头，在每个需要它们的 rank 上各有完整的一份。",
  "Floating-point operations of a rank, forward": "一个 rank 的前向浮点运算数",
  "2 · multiplications": "2 · 乘法次数",
  "Of its matrix products; scores of all pairs of tokens are in it. The backward takes twice as many.":
    "矩阵乘的部分，包括所有 token 对的注意力分数。反向是它的两倍。",
  "Kept for the backward because it was gathered": "因 gather 而为反向多保存的激活值",
  "blocks · S · (N − 1) / N": "块数 · S · (N − 1) / N",
  "Beyond the rank's own part. Not keeping it costs an all-gather more for each block in the backward.":
    "rank 自己那一部分之外的。若不保存，反向时每个块要多做一次 all-gather。",
  "It is gathered again: an all-gather more for each block in the backward.": "重新 gather：反向时每个块多一次 all-gather。",
  "Collectives, in the order of their calls": "按调用顺序排列的集合通信",
  phase: "阶段",
  collective: "集合通信",
  tensor: "张量",
  "bytes of the tensor": "张量字节数",

  // What the core calls collectives, directions and tensors of a block.
  "all-reduce": "all-reduce",
  "all-gather": "all-gather",
  "reduce-scatter": "reduce-scatter",
  forward: "前向",
  "attention output gradient": "注意力的输出梯度",
  "attention input gradient": "注意力的输入梯度",
  "mlp output": "MLP 的输出",
  "mlp output gradient": "MLP 的输出梯度",
  "mlp input gradient": "MLP 的输入梯度",
  "key and value gradients": "K/V 的梯度",
  "norm gradients": "norm 的梯度",

  // details/tensor-parallel-cost.ts
  "A collective's tensor": "一次集合通信的张量",
  "tokens · hidden · 2 B": "token数 · 隐藏维度 · 2 B",
  "Activations of 16 bits. It does not depend on the ranks.": "16 位激活值。与 rank 数无关。",
  "Sent per token and layer": "每个 token、每层的发送量",
  "calls · 2 · S · (N − 1) / N / tokens": "调用次数 · 2 · S · (N − 1) / N / token数",
  "calls · S · (N − 1) / N / tokens": "调用次数 · S · (N − 1) / N / token数",
  "Forward and backward, whatever the weights.": "前向和反向，与权重数无关。",
  "Sent per rank and layer": "每个 rank、每层的发送量",
  "calls · sent in one": "调用次数 · 一次的发送量",
  "calls · (steps · α + sent / β)": "调用次数 · (步数 · α + 发送量 / β)",
  "Each call waits for what comes before it and holds up what comes after: nothing hides it.":
    "每次调用都要等前面的计算，又挡住后面的计算：没有什么能掩盖它。",
  "What the same collectives would take where neighbours in the ring stand in two nodes: the ring is as fast as its slowest link.":
    "若环上相邻的 rank 分处两个节点，同样的集合通信要花的时间：环的快慢取决于最慢的链路。",
  "On links of the node": "走节点内链路",
  "On the network": "走节点间网络",
  "Products of the layer": "该层的矩阵乘",
  "3 · 2 · multiplications / rate": "3 · 2 · 乘法次数 / 算力",
  "The backward takes twice the forward. Scores of all pairs of tokens are in it; a causal kernel does half of them.":
    "反向是前向的两倍。包括所有 token 对的注意力分数；因果注意力的 kernel 只算其中一半。",
  "Share of communication": "通信占比",
  "communication / (communication + products)": "通信 / (通信 + 矩阵乘)",
  "{0}, on links of the node.": "{0}，走节点内链路。",
  "{0}, on the network, since they do not fit into a node.": "{0}，一个节点放不下，所以走节点间网络。",
  "One layer, forward and backward, by ranks": "不同 rank 数下的一层，前向加反向",
  "bytes sent per token": "每个 token 发送的字节数",
  "products, seconds": "矩阵乘，秒",
  "in the node, seconds": "节点内，秒",
  "on the network, seconds": "节点间网络，秒",
  "where it stands, seconds": "按实际所在，秒",

  // routines/tensor-parallel.ts
  Split: "切分方式",
  Column: "按列",
  Row: "按行",
  MLP: "MLP",
  Attention: "注意力",
  "Whole layer": "整层",
  "Megatron's words for Y = X·A; here W is Aᵀ, so a column of A is a row of W.":
    "按 Megatron 对 Y = X·A 的说法；这里的 W 是 Aᵀ，所以 A 的一列是 W 的一行。",
  Direction: "方向",
  Forward: "前向",
  Backward: "反向",
  "Outside of the blocks": "块之外",
  "All tokens": "全部 token",
  Parts: "分段",
  "Parts, kept": "分段并保存",
  "What a rank holds of the sequence. Parts: sequence parallelism, where what f gathers is gathered again in the backward, or kept for it.":
    "每个 rank 持有序列的哪些部分。分段即序列并行：f 所 gather 的内容，反向时重新 gather，或为反向保存下来。",
  Forget: "漏掉",
  "The all-reduce forward": "前向的 all-reduce",
  "The all-reduce backward": "反向的 all-reduce",
  "Columns before rows (MLP)": "先列后行（MLP）",
  "Whole heads (attention)": "完整的头（注意力）",
  "In features": "输入特征数",
  "Out features": "输出特征数",
  Hidden: "隐藏维度",
  Heads: "注意力头数",
  "Key and value heads": "K/V 头数",
  "Left empty, as many as query heads.": "留空则与 Q 头数相同。",
  "MLP features": "MLP 中间维度",
  Activation: "激活函数",
  GELU: "GELU",
  SwiGLU: "SwiGLU",
  Sequence: "序列长度",
  Batch: "批大小",
  "Chooses the numbers: whole ones from −4 to 4 for one matrix, between −1 and 1 for a block.":
    "决定用哪些数：单个矩阵用 −4 到 4 的整数，块用 −1 到 1 之间的数。",
  "Tensor-parallel layers": "张量并行的层",
  "Split by columns, outputs are pieces and nothing is added. Split by rows, they are partial sums, and an all-reduce is needed. Column then row: one all-reduce per MLP.":
    "按列切分，各 rank 的输出是结果的片段，不必相加。按行切分，输出是部分和，需要一次 all-reduce。先列后行：每个 MLP 只要一次 all-reduce。",
  "W is split by rows instead, so that each rank has an output of full size. What makes y of them?":
    "若 W 改为按行切分，每个 rank 都会得到完整大小的输出。怎样由它们得到 y？",
  "An all-gather that joins them": "用 all-gather 拼接",
  "Joining is for pieces, as the split by columns gives. These are sums that miss the other ranks' terms.":
    "拼接适用于片段，即按列切分的结果。这里的是和，缺了其他 rank 的那些项。",
  "Nothing, each is y": "什么也不用做，每个都是 y",
  "Each rank has seen only its own columns of W and rows of x: its output is of the right size and wrong.":
    "每个 rank 只见过自己那几列 W 和那几行 x：输出大小对，数值不对。",
  "An all-reduce that adds them": "用 all-reduce 相加",
  "Each rank's output is a partial sum over its own part of the inner index.": "每个 rank 的输出，是对内积下标中自己那一段求出的部分和。",
  "Split by rows, and see partial sums where pieces were.": "改为按行切分，原来的片段就成了部分和。",

  // routines/tensor-parallel-block.ts
  "{0}: tokens of each sequence": "{0}：每条序列的 token",
  "{0}: the same on every rank": "{0}：每个 rank 都相同",
  all: "全部",
  "{0}: another one on every rank": "{0}：每个 rank 各不相同",
  partial: "部分和",
  up: "up",
  "up and gate": "up 和 gate",
  "{0}, cut by rows: inputs; {1} of partial sums": "{0} 按行切分：输入；对部分和做 {1}",
  "down, whole: of what is no activation of any sum": "完整的 down：其输入不是任何和的激活",
  "{0} by columns, {1}: whole features": "{0} 按列切分，{1}：完整的特征",
  "down by rows: partial sums, from features": "down 按行切分：由各自的特征得到部分和",
  "query, key, value cut as one matrix: rows": "Q、K、V 当作一个矩阵来切：行",
  "output by rows: partial sums, from what was taken for heads": "输出矩阵按行切分：由被当成头的部分得到部分和",
  "key and value heads: each on {0}": "K/V 头：每个在 {0} 上",
  "key and value heads": "K/V 头",
  "query by columns, softmax: whole heads": "Q 按列切分，softmax：完整的头",
  "output by rows: partial sums, from heads": "输出矩阵按行切分：由各自的头得到部分和",
  "{0} a rank": "每个 rank {0}",
  forgotten: "漏掉了",
  "passed on": "原样传下去",
  "x, LayerNorm": "x，LayerNorm",
  "+ x, LayerNorm": "+ x，LayerNorm",
  "By columns, then by rows: the activation meets whole features, and nothing is sent between the two matrices.":
    "先按列、再按行：激活函数面对的是完整的特征，两个矩阵之间不必发送任何数据。",
  "Heads do not need each other until the output's matrix adds them up: its rows follow the heads.":
    "各个头互不依赖，直到输出矩阵把它们加起来：它的行按头切分。",
  "Two blocks, each opened by f and closed by g.": "两个块，各由 f 开头、由 g 结尾。",
  "The all-reduce forward is forgotten: each rank goes on with its own partial sums.":
    "漏掉了前向的 all-reduce：每个 rank 都拿自己的部分和继续算下去。",
  "The all-reduce backward is forgotten: the block's own weights get the right gradients, but what lies below it learns from one rank's part of x's gradient.":
    "漏掉了反向的 all-reduce：这个块自己的权重得到正确的梯度，但它下面的各层只能从单个 rank 那部分 x 的梯度里学习。",
  "Rows come first: each rank activates its own partial sums, and a sum of activations is no activation of the sum.":
    "先按行切分：每个 rank 对自己的部分和做激活，而激活之和不等于和的激活。",
  "Query, key and value are cut as one matrix: a rank takes rows of other heads, or keys, for its queries.":
    "Q、K、V 当作一个矩阵来切：rank 会把别的头的行，甚至 K 的行，当成自己的 Q。",
  no: "0",
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  "All-reduces: {0} forward, {1} backward.": "all-reduce：前向 {0} 次，反向 {1} 次。",
  "All-gathers and reduce-scatters: {0} forward, {1} backward.": "all-gather 和 reduce-scatter：前向 {0} 次，反向 {1} 次。",
  "On one rank nothing is sharded, and nothing is sent.": "只有一个 rank 时，什么也不分片，什么也不发送。",
  "{0} {1} Output and gradients are those of the whole block.": "{0}{1}输出和梯度与不切分的块相同。",
  "{0} Nothing fails, and numbers are off by up to {1} of the largest. {2}": "{0}没有任何报错，数值却最多偏离最大值的 {1}。{2}",
  "In parts of the sequence a block gathers where it opens and scatters where it closes: forward as many bytes as the all-reduce.":
    "序列分段之后，块在开头 gather、在结尾 scatter：前向的字节数与 all-reduce 相同。",
  "Column then row: one all-reduce forward, one backward.": "先列后行：前向一次 all-reduce，反向一次。",
  "Whole heads by columns, the output by rows: one all-reduce forward, one backward.":
    "按列切出完整的头，输出矩阵按行切分：前向一次 all-reduce，反向一次。",
  "A layer waits for two all-reduces forward and for two backward.": "一层在前向要等两次 all-reduce，反向也要等两次。",
  "A block over {0}. {1}": "切分到 {0} 上的块。{1}",
  "Forget the all-reduce forward: nothing fails, and the numbers are wrong.": "漏掉前向的 all-reduce：没有任何报错，数值却错了。",
  "{0} Drawn up to {1} ranks.": "{0}最多画 {1} 个 rank。",
  "Collectives, forward and backward": "集合通信次数，前向加反向",
  "FLOPs per rank, forward": "每个 rank 的前向 FLOPs",

  // routines/tensor-parallel-cost.ts
  "be a whole number of at least {0}": "是不小于 {0} 的整数",
  "{0} on {1} nodes": "{0}，跨 {1} 节点",
  "One rank holds the layer and sends nothing.": "一个 rank 就持有整层，不发送任何数据。",
  "{0} ranks in one node call {1} collectives of {2} a layer, and each waits for them.":
    "同一节点内的 {0} 个 rank，每层要调用 {1} 次 {2} 的集合通信，每个 rank 都得等。",
  "{0} ranks on {1} nodes call {2} collectives of {3} a layer, and each waits for them.":
    "{1} 个节点上的 {0} 个 rank，每层要调用 {2} 次 {3} 的集合通信，每个 rank 都得等。",
  "{0} At {1} they take {2}, at the network's {3} {4}; the layer's products take {5}. That keeps tensor parallelism inside a node.":
    "{0}在 {1} 的链路上要 {2}，在 {3} 的网络上要 {4}；该层的矩阵乘要 {5}。所以张量并行留在节点内。",
  products: "矩阵乘",
  "collectives and their share": "集合通信及其占比",
  "Time of one layer, forward and backward. {0}.": "一层的时间，前向加反向。{0}。",
  Layer: "层",
  "config.json": "config.json",
  "SwiGLU, with three matrices.": "SwiGLU，有三个矩阵。",
  "A Hugging Face config.json": "Hugging Face 的 config.json",
  "Of a dense model. It is not sent anywhere.": "稠密模型的配置。不会发送到任何地方。",
  "Micro-batch": "micro-batch 大小",
  "Sequence parallelism": "序列并行",
  "Link in the node, one way": "节点内链路，单向",
  "Its latency": "链路延迟",
  "Network, one way": "节点间网络，单向",
  "Computing, FLOP/s": "算力，FLOP/s",
  "What a rank reaches on the layer's products, not what its card is sold with.": "一个 rank 在该层矩阵乘上实际达到的算力，不是显卡的标称值。",
  "Tensor parallelism, priced": "张量并行的代价",
  "A layer waits for its all-reduces four times. Links inside a node are fast enough for that; a network between nodes is not.":
    "一层要等四次 all-reduce。节点内的链路够快，撑得住；节点间的网络则不行。",
  "Take 16 ranks: the group leaves its node, and communication takes most of the time.":
    "改成 16 个 rank：一个节点容不下这一组，大部分时间花在通信上。",

  // routines/tensor-parallel-linear.ts
  "keep every matrix within {0}\u202f{1}\u202f{2} numbers and the product within {3}²⁷ multiplications on this page":
    "在本页上让每个矩阵不超过 {0}\u202f{1}\u202f{2} 个数，乘积不超过 {3}²⁷ 次乘法",
  "Split by columns: each of {0} computes its own rows of y, and nothing is sent. That is so forward, and because x is on every rank: backward, each rank has a partial sum of x's gradient, which takes an all-reduce.":
    "按列切分：{0} 各自算出 y 中自己的那几行，不发送任何数据。前向如此，是因为每个 rank 上都有 x；反向时，每个 rank 只有 x 梯度的部分和，需要一次 all-reduce。",
  "Split by columns, backward: each of {0} computes Wᵀ·∂y over its own rows of W, a partial sum of all of ∂x. An all-reduce adds them: the forward that needed nobody is paid for here (Megatron's f).":
    "按列切分，反向：{0} 各自用自己那几行 W 计算 Wᵀ·∂y，得到整个 ∂x 的部分和，再由 all-reduce 相加：前向谁也不需要，代价在这里补上（Megatron 的 f）。",
  "Split by rows: each of {0} computes a partial sum of all of y, of full size and wrong by itself. An all-reduce adds them, and every rank has y.":
    "按行切分：{0} 各自算出整个 y 的部分和，大小完整，但单独看是错的。all-reduce 把它们加起来，每个 rank 就都有了 y。",
  "Split by rows, backward: each of {0} computes the rows of ∂x that belong to its own inputs, from the whole of ∂y. Nothing is sent (Megatron's g passes ∂y on).":
    "按行切分，反向：{0} 各自用完整的 ∂y 算出 ∂x 中对应自己输入的那几行。不发送任何数据（Megatron 的 g 把 ∂y 原样传下去）。",
  "The all-reduce is forgotten: rank 0 takes its own partial sum for the whole, and is off by up to {0}. Nothing fails; the numbers are wrong.":
    "漏掉了 all-reduce：rank 0 把自己的部分和当成了总和，最多偏离 {0}。没有任何报错，数值却是错的。",
  "{0} What is forgotten is the other direction's.": "{0}漏掉的是另一个方向的。",
  alone: "单独一个",
  "nothing to join": "无需拼接",
  "rows of y": "y 的行",
  "rows of ∂x": "∂x 的行",
  "nothing is sent": "不发送数据",
  "rank 0's own": "rank 0 自己的",
  "{0} per rank": "每个 rank {0}",
  "W times x over {0}. {1}": "切分到 {0} 上的 W 乘 x。{1}",
  "The gradient of x over {0}. {1}": "切分到 {0} 上的 x 的梯度。{1}",
  "Drawn up to {0} features, {1} inputs in a batch and {2} ranks.": "最多画 {0} 个特征、一批 {1} 个输入和 {2} 个 rank。",
  "FLOPs per rank": "每个 rank 的 FLOPs",
  "Error against W·x": "与 W·x 的误差",
  "Error against Wᵀ·∂y": "与 Wᵀ·∂y 的误差",

  // presets/tensor-parallel.ts
  "Split by columns: pieces, and nothing to add": "按列切分：得到片段，不必相加",
  "Split by rows: partial sums, and an all-reduce": "按行切分：得到部分和，需要 all-reduce",
  "Columns, backward: there an all-reduce is needed": "按列切分的反向：这时需要 all-reduce",
  "An MLP without its all-reduce: nothing fails, and the numbers are wrong": "漏掉 all-reduce 的 MLP：没有报错，数值却错了",
  "An MLP cut by rows first: the activation of partial sums": "先按行切分的 MLP：对部分和做激活",
  "A whole layer, in parts of the sequence": "整层，序列分段",

  // presets/tensor-parallel-cost.ts
  "A layer of Llama 3 70B in one node of eight": "Llama 3 70B 的一层，在一个八卡节点内",
  "Sixteen ranks: the group leaves its node": "16 个 rank：一个节点容不下",
  "Sequences of 128 tokens: latency is felt": "序列长 128 个 token：延迟开始显现",
  "Eight ranks on links of 25 GB/s": "8 个 rank，链路为 25 GB/s",
};

export default texts;
