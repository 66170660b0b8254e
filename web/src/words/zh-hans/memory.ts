/** ZeRO, the memory of a rank, and the model that it is of. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {
  // details/memory-launch.ts
  "What asks {0} for this model and layout. It was not run here. Data, learning rate and steps come on top; names: {1}. “Export” has each framework's as a file; “Framework”, under “More settings”, lists another.":
    "让 {0} 按这个模型和布局训练的设置，没有在这里运行过。数据、学习率和步数需另外给出；名称依据：{1}。“导出”中有各框架的文件；在“更多设置”的“框架”中可换一个框架列出。",
  "Settings of {0}": "{0} 的设置",
  setting: "设置项",
  value: "值",
  meaning: "含义",
  "Left out, and why": "没有写入的，以及原因",

  // details/memory-terms.ts
  "A layer": "一层",
  "A layer with experts": "带专家的一层",
  Embedding: "词嵌入",
  Head: "输出头",

  // details/memory.ts
  "none on the card": "卡上没有",
  Weights: "权重",
  Gradients: "梯度",
  "Bytes of a parameter: {0}.": "每个参数的字节数：{0}。",
  "Master weights and moments.": "主权重和动量。",
  "N is the parameters of a rank of this stage: all but routed experts, E of these, which Q ranks share.":
    "N 是这一级的一个 rank 的参数量，不含路由专家；E 是路由专家的参数量，由 Q 个 rank 分担。",
  "N is the parameters of a rank of this stage: all.": "N 是这一级的一个 rank 的全部参数量。",
  "R is the ranks that share what ZeRO shards; a share is rounded up to whole elements.":
    "R 是分担 ZeRO 分片的 rank 数；每一份向上取整到整数个元素。",
  "From stage 2 on a rank's gradients go to the host as they are made (Ren et al., arXiv:2101.06840); before, they stay on the card whole.":
    "从阶段 2 起，rank 的梯度一产生就送到主机 (Ren et al., arXiv:2101.06840)；在此之前，它们完整地留在卡上。",
  "In the host's memory": "放在主机内存中",
  "offloaded states": "卸载的状态",
  "bytes by kind of parameter": "按参数种类计的字节数",
  "Moments of a matrix inside a layer take {0} B an element, those of the rest {1} B; master weights {2} B.":
    "层内矩阵的动量每个元素占 {0} B，其余参数的占 {1} B；主权重占 {2} B。",
  Activations: "激活值",
  "all that is in flight": "所有在途的激活值",
  "Below, what one micro-batch keeps of each kind of layer.": "下面是一个 micro-batch 在每种层中保留的内容。",
  "{0} micro-batch": "{0} 个 micro-batch",
  "{0} in flight at the worst moment of the simulated schedule, and {1} on the stage.":
    "在模拟调度最糟的时刻有 {0} 在途，这一级有 {1}。",
  "{0} in flight at the worst moment of the simulated schedule, {1} that wait for their weight gradients, and {2} on the stage.":
    "在模拟调度最糟的时刻有 {0} 在途，另有 {1} 个在等待权重梯度，这一级有 {2}。",
  Logits: "logits",
  "logits and their gradient": "logits 及其梯度",
  "In 32 bits, those of all micro-batches in flight; and the gradient of one micro-batch's, unless it is left out.":
    "以 32 位存放所有在途 micro-batch 的 logits；再加上一个 micro-batch 的 logits 的梯度，除非不计。",
  "Working set of recomputation": "重计算的工作集",
  "what one backward makes again": "一次反向重新计算出的内容",
  "Of the layers between two kept inputs, what is not kept.": "两个保留的输入之间的各层中没有保留的部分。",
  "Working set of stage 3": "阶段 3 的工作集",
  "weights and gradients gathered": "收集来的权重和梯度",
  "Weights of the layer at work, or of the embedding or head where that is more, and of the layers gathered ahead; and the gradients of the larger of the two. What no other rank shares, and no host memory has, is whole among the states.":
    "正在计算的层的权重（词嵌入或输出头更大时取后者），以及提前收集的层的权重；再加上两者中较大者的梯度。没有其他 rank 分担、也不在主机内存中的部分，已完整地计入状态。",
  "CUDA context": "CUDA 上下文",
  "as set": "按设置",
  "0.92 GiB as measured on an A100 with PyTorch 2.1.1, unless you set another.": "0.92 GiB，在 A100 上用 PyTorch 2.1.1 测得，除非你另行设置。",
  "Communication library": "通信库",
  "Where there is more than one rank. A choice: with the context it takes 1 to 3 GiB.": "在多于一个 rank 时才有。这是一个选定的值：连同上下文共占 1 到 3 GiB。",
  "Gradients on their way to other ranks or the host: two of PyTorch's buckets of 25 MiB, below stage 3.":
    "正送往其他 rank 或主机的梯度：阶段 3 以下是 PyTorch 的两个 25 MiB 的桶。",
  Fragmentation: "碎片",
  "a part of what is allocated": "已分配显存的一部分",
  "A choice: little with expandable segments, up to a third without.": "这是一个选定的值：用可扩展段时很少，不用时可达三分之一。",
  "Most loaded: a rank of stage {0}": "负载最重的：第 {0} 级的一个 rank",
  "the sum of what follows": "以下各项之和",
  "{0} of {1} built in. From {2}.": "{0}，标称容量为 {1}。依据：{2}。",
  Usable: "可用",
  "what a program can have of the card": "程序在这块卡上可用的显存",
  waiting: "等待中",
  weights: "权重",
  activations: "激活值",
  logits: "logits",
  recomputed: "重计算",
  gathered: "收集",
  context: "上下文",
  library: "通信库",
  buckets: "梯度桶",
  fragmentation: "碎片",
  "in host memory": "主机内存中",
  total: "总计",
  "the same": "换算",
  "One rank of each pipeline stage": "流水线每一级的一个 rank",
  stage: "级",

  // details/zero.ts
  "Total at stage {0}": "阶段 {0} 的总量",
  "States only: activations, buffers and the layers that stage 3 has gathered come on top.":
    "只计状态：激活值、缓冲区和阶段 3 收集来的层另计。",
  "A share is rounded up to whole elements.": "每一份向上取整到整数个元素。",
  "Master weights {0} B, moments {1} B a parameter. Recipe: {2}.": "每个参数的主权重占 {0} B，动量占 {1} B。方案：{2}。",
  "Optimizer: master weights and moments": "优化器：主权重和动量",
  "And that for each micro-batch, since nothing whole is kept to add to.": "而且每个 micro-batch 都要一次，因为没有保留完整的梯度可供累加。",
  "A reduce-scatter of gradients and an all-gather of their sums: the bytes of an all-reduce, 2Ψ in the paper, where Ψ is the number of parameters.":
    "梯度的 reduce-scatter 和梯度之和的 all-gather：字节数等于一次 all-reduce，即论文中的 2Ψ，其中 Ψ 是参数量。",
  "A reduce-scatter of gradients and an all-gather of the new weights: the bytes of an all-reduce, 2Ψ in the paper, where Ψ is the number of parameters.":
    "梯度的 reduce-scatter 和新权重的 all-gather：字节数等于一次 all-reduce，即论文中的 2Ψ，其中 Ψ 是参数量。",
  "Weights are gathered once, and stay until their backward.": "权重只收集一次，一直保留到各自的反向。",
  "Weights are gathered for the forward, and once more for the backward, since they are not kept; gradients are reduced to their owner. The paper counts 3Ψ against the 2Ψ of plain data parallelism, where Ψ is the number of parameters: 1.5×. For {0} layers these are {1} all-gathers; one less where the last layer's weights stay for its backward, which follows at once.":
    "权重不保留，所以前向收集一次，反向再收集一次；梯度归约到各自的所有者。论文按 3Ψ 计，普通数据并行是 2Ψ，其中 Ψ 是参数量：即 1.5×。{0} 层共需 {1} 次 all-gather；如果最后一层的权重留给紧接着的反向，则少一次。",
  "Sent by each rank in a step at stage {0}": "阶段 {0} 时每个 rank 每步发送的量",
  "Activations of a micro-batch": "一个 micro-batch 的激活值",
  "kept, computed again, and logits": "保留的、重计算的和 logits",
  "Every rank has its own tokens' activations: there is nothing twice that could be sharded. The widget on memory below has them tensor by tensor.":
    "每个 rank 只有自己的 token 的激活值：没有重复，也就没有可分片的。下面的显存组件逐个张量地列出它们。",
  "With all that comes on top": "加上其他所有开销",
  "the total of the widget on memory": "显存组件的总量",
  "With context, communication library, buckets, gathered layers and what is lost between blocks: by the defaults of the widget on memory, each of which has its source there.":
    "含上下文、通信库、梯度桶、收集来的层和块间碎片：取显存组件的默认值，每一项的来源见那里。",
  "Gathered at stage 3": "阶段 3 收集的量",
  "Weights of the largest layer, or of the embedding where that is more, and of the layer gathered ahead; and the gradients of the larger of the two.":
    "最大一层的权重（词嵌入更大时取词嵌入），以及提前收集的一层的权重；再加上两者中较大者的梯度。",
  "Floor of stage 3": "阶段 3 的下限",
  "activations + gathered + context": "激活值 + 收集 + 上下文",
  "What no number of ranks makes less: the states' share goes to nothing, this stays. Context with the communication library.":
    "无论多少 rank 都不会减少的部分：状态的份额趋近于零，这部分不变。上下文含通信库。",
  Parameters: "参数量",
  "Counted exactly from the configuration.": "由配置精确计出。",
  "stage (ZeRO)": "阶段",
  "One rank: its states, and what it sends in a step": "一个 rank：它的状态，以及每步发送的量",
  "with all on top": "加上其他开销",

  // figures/ladder.ts
  "{0}. {1}": "{0}。{1}",

  // figures/layers.ts

  // memory-allowances.ts
  "0.92 GiB when left empty, as measured on an A100 with PyTorch 2.1.1.": "留空时为 0.92 GiB，在 A100 上用 PyTorch 2.1.1 测得。",
  "1 GiB when left empty, where there is more than one rank. A choice: with the context it takes 1 to 3 GiB.":
    "多于一个 rank 且留空时为 1 GiB。这是一个选定的值：连同上下文共占 1 到 3 GiB。",
  "Gradients on their way": "传输中的梯度",
  "Two buckets of 25 MiB when left empty: one that fills, and one that is sent.": "留空时为两个 25 MiB 的桶：一个在填充，一个在发送。",
  "Layers that stage 3 gathers ahead": "阶段 3 提前收集的层数",
  "1 when left empty.": "留空时为 1。",
  "Lost between blocks": "块间碎片",
  "Part of what is allocated, 0 to 1; 0.02 when left empty. A choice: little with expandable segments, up to a third without.":
    "占已分配显存的比例，0 到 1；留空时为 0.02。这是一个选定的值：用可扩展段时很少，不用时可达三分之一。",
  "Gradient of the logits": "logits 的梯度",
  "As large as they are, and counted unless a fused loss spares it.": "与 logits 一样大；除非用融合的损失函数省去它，否则计入。",
  "A stage's output is kept": "保留流水线级的输出",
  "Once it is sent, Megatron-LM frees it.": "Megatron-LM 在发送之后就释放它。",
  "Cards of a node": "每个节点的卡数",
  "In which changes keep tensor parallelism; 8 when left empty.": "建议的改动把张量并行限制在一个节点内；留空时为 8。",

  // memory-choices.ts
  "Your model": "你的模型",
  "card of your own": "自定的卡",
  "Adam, 16-bit gradients": "Adam，16 位梯度",
  "Adam, 32-bit gradients": "Adam，32 位梯度",
  "Adam, gradients in both": "Adam，两种位宽的梯度",
  "Adam, 8-bit moments": "Adam，8 位动量",
  "SGD with momentum": "带动量的 SGD",
  Muon: "Muon",
  "Adam, all in 32 bits": "Adam，全部 32 位",
  "SGD, all in 32 bits": "SGD，全部 32 位",
  "Adam, all in 16 bits": "Adam，全部 16 位",

  // memory-launch.ts
  "Megatron-LM": "Megatron-LM",
  DeepSpeed: "DeepSpeed",
  torchtitan: "torchtitan",
  FSDP2: "FSDP2",

  // memory-parameters.ts
  Model: "模型",
  "Your config.json": "你的 config.json",
  Card: "卡",
  Another: "其他",
  "Its memory": "它的显存",
  "What a program can have of it.": "程序可用的部分。",
  "Tensor-parallel ranks": "张量并行 rank 数",
  "Pipeline stages": "流水线级数",
  "Data-parallel ranks": "数据并行 rank 数",
  "Context-parallel ranks": "上下文并行 rank 数",
  "Expert-parallel ranks": "专家并行 rank 数",
  "Taken from the data- and context-parallel ranks.": "取自数据并行和上下文并行的 rank。",
  "Optimizer and formats": "优化器与精度",
  "Sequences in a micro-batch": "每个 micro-batch 的序列数",
  "Micro-batches in a step": "每步的 micro-batch 数",
  "Of each data-parallel rank.": "按每个数据并行 rank 计。",
  "Tokens of a sequence": "序列长度 (token)",
  "Fused attention": "融合注意力",
  "Layers for each kept input": "每保留一个输入的层数",
  "Layers of each model part": "各模型段的层数",
  "In the model's order: 19, 20, 20, 21. As even as possible when left empty.": "按模型中的顺序：19, 20, 20, 21。留空时尽量均分。",
  "Ranks that share one set of states": "分担一套状态的 rank 数",
  "Hybrid sharding. At most the data- and context-parallel ranks, and all of them when left empty.":
    "混合分片。至多为数据并行与上下文并行的 rank 数之积，留空时取全部。",
  "+ weights": "+ 权重",
  "States that the card need not hold; from ZeRO stage 2 on the gradients go with them.": "不必放在卡上的状态；从 ZeRO 阶段 2 起梯度也随之移出。",
  Framework: "框架",
  "Whose launch flags are listed below.": "下面列出它的启动参数。",
  Pinned: "已固定",
  "Launch flags": "启动参数",

  // model-parameters.ts
  "Of Llama, GPT, Qwen, Gemma, Mixtral, DeepSeek and others. Shown: the shape of Llama-3-8B.":
    "支持 Llama、GPT、Qwen、Gemma、Mixtral、DeepSeek 等。这里给出的是 Llama-3-8B 的结构。",
  Selective: "选择性",

  // presets/memory.ts
  "Llama 3 70B on 64 cards": "Llama 3 70B，64 块卡",
  "Llama 3 70B on eight cards: does it fit?": "Llama 3 70B，8 块卡：放得下吗？",
  "GPipe in place of 1F1B: every micro-batch is kept": "用 GPipe 代替 1F1B：每个 micro-batch 都要保留",
  "Full recomputation: one input a layer is kept": "完全重计算：每层只保留一个输入",
  "Llama 3 8B on one card: the states alone are too much": "Llama 3 8B，一块卡：仅状态就放不下",
  "Mixtral 8x7B with its experts on eight ranks": "Mixtral 8x7B，专家分布在 8 个 rank 上",

  // presets/zero.ts
  "7 B parameters on eight ranks, stage 1": "70 亿参数，8 个 rank，阶段 1",
  "Stage 3: layer by layer, everything is gathered": "阶段 3：逐层收集全部权重",
  "The paper's 7.5 B parameters on 64 ranks": "论文中的 75 亿参数，64 个 rank",
  "Llama 3 70B on 1024 ranks: what does not go to nothing": "Llama 3 70B，1024 个 rank：哪些不会趋近于零",
  "Gathered weights are kept until their backward": "收集来的权重保留到反向",
  "All in 32 bits, nothing sharded: 16 bytes again": "全部 32 位，不分片：还是 16 字节",

  // routines/memory.ts
  "does not fit": "放不下",
  "Stage {0}: {1}": "第 {0} 级：{1}",
  "{0} usable": "可用 {0}",
  "{0} built in": "标称 {0}",
  "ZeRO stage {0}": "ZeRO 阶段 {0}",
  "{0} on {1} × {2} ({3})": "{0}，{1} × {2}（{3}）",
  "Now: {0}": "现在：{0}",
  "Pinned: {0}": "已固定：{0}",
  "it fits, with {0} to spare": "放得下，余量 {0}",
  "it does not fit, by {0}": "放不下，还差 {0}",
  "Note: {0}.": "注意：{0}。",
  "{0}: a rank of stage {1} holds most, {2} of {3} usable; {4}.": "{0}：第 {1} 级的 rank 占用最多，为 {2}（可用 {3}）；{4}。",
  "{0}: each rank holds {1} of {2} usable; {3}.": "{0}：每个 rank 占用 {1}（可用 {2}）；{3}。",
  "What was pinned cannot be shown: {0}.": "固定的设置无法显示：{0}。",
  "Pinned, {0}: {1}; {2}.": "已固定，{0}：{1}；{2}。",
  "Most loaded rank": "负载最重的 rank",
  "{0} of\u00a0{1}": "{0} /\u00a0{1}",
  "Fits, to spare": "放得下，余量",
  "Does not fit, by": "放不下，还差",
  Cards: "卡数",
  "Pipeline bubble": "流水线气泡",
  "Sent by a rank in a step": "每个 rank 每步发送",
  billion: "十亿",
  cards: "卡数",
  "sent in a step": "每步发送",
  "computed again": "重计算",
  bubble: "气泡",
  "size of a matrix product": "单次矩阵乘的规模",
  "and costs nothing else": "没有其他代价",
  "{0} {1} → {2}": "{0} {1} → {2}",
  "Pin this to compare": "固定现在的设置以便比较",
  "Remove what is pinned": "取消固定",
  "No change of one setting makes it fit.": "只改一项设置无法放下。",
  "What makes it fit, each by itself, and what a step then costs a card:": "单独改动以下任一项即可放下，以及每步由此给每块卡带来的代价：",
  "What does not, and why": "哪些改动不行，以及原因",
  "{0}:": "{0}：",
  "The best leaves {0}.": "最好的情况下仍占 {0}。",
  "Does 70B fit on 8 cards?": "70B 放得进 8 块卡吗？",
  "{0}; {1}.": "{0}；{1}。",
  "tp {0}, pp {1}, dp {2}, ZeRO stage {3}, recomputation {4}": "tp {0}，pp {1}，dp {2}，ZeRO 阶段 {3}，{4}重计算",
  "Fewest cards: {0}": "最少卡数：{0}",
  "with {0}: {1}": "配置为 {0}：{1}",
  "stage {0}: {1}": "第 {0} 级：{1}",
  "What a rank of each pipeline stage holds. {0}. {1}": "流水线每一级的 rank 的显存占用。{0}。{1}",
  "working sets": "工作集",
  "context, buffers, loss": "上下文、缓冲区、碎片",
  "What one card holds": "一块卡上放了什么",
  "Weights, gradients, optimizer and activations, stage by stage, against what a program can have of the card's memory: the most loaded stage decides.":
    "逐级列出权重、梯度、优化器和激活值，与程序可用的显存比较：由负载最重的一级决定。",
  "Llama 3 70B is cut into 4 pipeline stages of 20 layers, under 1F1B. Whose ranks hold most?":
    "Llama 3 70B 切成 4 个流水线级，每级 20 层，用 1F1B 调度。哪一级的 rank 占用最多？",
  "The first stage's": "第一级",
  "It waits longest for its first backward, and keeps the activations of 4 micro-batches until then.":
    "它等第一次反向等得最久，在此之前要保留 4 个 micro-batch 的激活值。",
  "The last stage's": "最后一级",
  "It has the output head and the logits, but runs each backward at once: one micro-batch in flight.":
    "它有输出头和 logits，但每次反向都立刻执行：只有一个 micro-batch 在途。",
  "All the same": "都一样",
  "That counts weights alone: with equal layers, activations in flight still differ from stage to stage.":
    "这只算了权重：即使层数相同，各级在途的激活值仍然不同。",
  "Ask whether 70B fits on 8 cards, and apply one of the changes.": "问一问 70B 放得进 8 块卡吗，然后应用其中一项改动。",

  // routines/zero.ts
  "{0}, before activations and buffers.": "{0}，不含激活值和缓冲区。",
  "{0}. That is within {1}, before activations and buffers.": "{0}。在 {1} 之内，不含激活值和缓冲区。",
  "{0}. That is within {1}.": "{0}。在 {1} 之内。",
  "{0}. That does not fit {1}; no stage does on so few ranks.": "{0}。{1} 放不下；rank 这么少，哪个阶段都放不下。",
  "{0}. That does not fit {1}; stage {2} is the first that does.": "{0}。{1} 放不下；从阶段 {2} 起才放得下。",
  "ZeRO stage {0} on {1}: {2} of states on each at most, since it keeps the weights that it has gathered":
    "ZeRO 阶段 {0}，{1}：每个 rank 的状态最多占 {2}，因为它保留收集来的权重",
  "ZeRO stage {0} on {1}: {2} of states on each": "ZeRO 阶段 {0}，{1}：每个 rank 的状态占 {2}",
  "{0}'s activations add {1} at every stage: with all that comes on top it is {2}.":
    "{0} 的激活值在每个阶段都再占 {1}：加上其他所有开销共 {2}。",
  "{0}'s activations add {1} at every stage: with all that comes on top it is {2}, which fits.":
    "{0} 的激活值在每个阶段都再占 {1}：加上其他所有开销共 {2}，放得下。",
  "{0}'s activations add {1} at every stage: with all that comes on top it is {2}, which does not fit.":
    "{0} 的激活值在每个阶段都再占 {1}：加上其他所有开销共 {2}，放不下。",
  "Of stage 3, {0} are left on any number of ranks.": "阶段 3 中有 {0} 无论多少 rank 都减不掉。",
  "{0} bytes per parameter. Stage 1 shards the {1} of the optimizer, stage 2 also the gradient's {2}, stage 3 also the weight's {3}; {4}.":
    "每个参数 {0} 字节。阶段 1 分片优化器的 {1} 字节，阶段 2 再分片梯度的 {2} 字节，阶段 3 再分片权重的 {3} 字节；{4}。",
  "stages 2 and 3 send anew for every micro-batch": "阶段 2 和 3 对每个 micro-batch 都要重新发送",
  "a stage 3 that keeps what it gathers has the memory and the traffic of stage 2": "阶段 3 如果保留收集来的权重，显存和通信量就与阶段 2 相同",
  "only stage 3 sends more: it gathers each layer's weights, twice": "只有阶段 3 发送得更多：每层的权重要收集两次",
  "stage 3 gathers each layer's weights, twice": "阶段 3 每层的权重要收集两次",
  "Raise the ZeRO stage to 3, and see what each rank sends.": "把 ZeRO 阶段调到 3，看看每个 rank 发送多少。",
  "Compare with stage 2: which of the two holds more, and which sends more?": "与阶段 2 比较：哪个占用更多，哪个发送更多？",
  "Take a published model in place of a number: what is left of stage 3 on 1024 ranks?": "用公开的模型代替参数量：阶段 3 在 1024 个 rank 上还剩多少？",
  "Take 1024 ranks: which parts go to nothing, and which stay?": "改为 1024 个 rank：哪些部分趋近于零，哪些不变？",
  "Accumulate 4 micro-batches: which stages send more, and which do not?": "累积 4 个 micro-batch：哪些阶段发送得更多，哪些不变？",
  "Keep the weights after the forward: what does it save, and what does it cost?": "前向之后保留权重：省下什么，代价是什么？",
  "too much": "放不下",
  "floor of 3": "阶段 3 的下限",
  "weights, {0} B": "权重，{0} B",
  "gradients, {0} B": "梯度，{0} B",
  "optimizer, {0} + {1} B": "优化器，{0} + {1} B",
  "activations, not sharded": "激活值，不分片",
  "gathered layers": "收集来的层",
  "context, library": "上下文、通信库",
  "activations: not in this model": "激活值：这里不计",
  "Sent by each rank in a step": "每个 rank 每步发送",
  "AG: all-gather": "AG：all-gather",
  "RS: reduce-scatter of gradients": "RS：梯度的 reduce-scatter",
  "{0} of a GPU = {1}": "GPU 显存 {0} = {1}",
  "Ψ: all weights once, {0} bytes each": "Ψ：全部权重一次，每个 {0} 字节",
  "Ψ: all weights or all gradients once": "Ψ：全部权重或全部梯度一次",
  "stages (ZeRO)": "阶段",
  "{0} fwd": "{0} 前向",
  "{0} bwd": "{0} 反向",
  "= an": "= 一次",
  "0 B on one rank": "单个 rank：0 B",
  "step (optimizer)": "更新",
  "Stage {0}, layer by layer": "阶段 {0}，逐层",
  "the last of {0} micro-batches": "{0} 个 micro-batch 中的最后一个",
  "each of {0} micro-batches": "{0} 个 micro-batch 的每一个",
  "{0} reduce-scatter": "{0} 次 reduce-scatter",
  "In a step {0}": "每步 {0}",
  "sums gathered once": "梯度之和收集一次",
  "new weights gathered once": "新权重收集一次",
  "{0} all-gather": "{0} 次 all-gather",
  "States per rank": "每个 rank 的状态",
  "Sent in a step": "每步发送",
  "Of a parameter": "每个参数",
  "With all on top": "加上其他开销",
  "Bytes of states on each rank, by ZeRO stage. {0}. {1}. {2}. {3}": "各 ZeRO 阶段下每个 rank 的状态字节数。{0}。{1}。{2}。{3}",
  "ZeRO memory": "ZeRO 显存",
  "16 bytes per parameter. Stage 1 shards the 12 of the optimizer, stage 2 also the gradient's 2, stage 3 also the weight's 2; only stage 3 sends more: it gathers each layer's weights, twice.":
    "每个参数 16 字节。阶段 1 分片优化器的 12 字节，阶段 2 再分片梯度的 2 字节，阶段 3 再分片权重的 2 字节；只有阶段 3 发送得更多：每层的权重要收集两次。",
  "Which is the first stage that sends more than plain data parallelism does?": "从哪个阶段起，发送的量开始多于普通数据并行？",
  "Stage 1": "阶段 1",
  "That counts the all-gather of weights as something new: with the reduce-scatter before it, it is what an all-reduce is made of.":
    "这是把权重的 all-gather 当成了额外的通信：它与之前的 reduce-scatter 合起来正好是一次 all-reduce。",
  "Stage 2": "阶段 2",
  "That takes holding less for sending more: it only keeps less of what the reduce-scatter brings, and the bytes are those of an all-reduce.":
    "这是把存得少当成了发得多：它只是少保留 reduce-scatter 的结果，字节数仍等于一次 all-reduce。",
  "Stage 3": "阶段 3",
  "Weights are gathered for the forward and again for the backward: 3 instead of 2 times the model, 1.5× the traffic.":
    "权重在前向收集一次，在反向再收集一次：是模型大小的 3 倍而不是 2 倍，通信量为 1.5×。",
  "That takes the saving for free: what stage 3 does not hold must be fetched, layer by layer, twice.":
    "这是以为节省没有代价：阶段 3 不存的东西必须逐层取来，而且要取两次。",

  // zero-parameters.ts
  "Those of the recipe when left empty.": "留空时取方案的值。",
  Size: "规模",
  Preset: "预设",
  "Published model": "公开的模型",
  "Weights after the forward": "前向之后的权重",
  Freed: "释放",
  Kept: "保留",
  "Kept until their backward, they are gathered once, and are all there at the same time.": "保留到各自的反向时，只需收集一次，但会同时全部在场。",
  "Memory of a GPU": "GPU 显存",
  "80 GB is the round number of the papers; a card's own may be given as 79.1GiB. Empty: no line.":
    "80 GB 是论文中的整数；具体的卡可以写作 79.1GiB。留空则不画线。",
  "Whose gradients a rank accumulates.": "由 rank 累积它们的梯度。",
  "Which stage 3 gathers one by one.": "阶段 3 逐层收集。",
  "Bytes of a weight": "每个权重的字节数",
  "Bytes of a gradient": "每个梯度的字节数",
  "Bytes of a master weight": "每个主权重的字节数",
  "Bytes of a parameter's moments": "每个参数的动量的字节数",
};

export default texts;
