/** What real machines measured: traces and runs. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {
  // controls.ts, frame.ts, session.ts, parameter.ts
  "or drop them here. Files stay in your browser.": "或拖到这里。文件只留在你的浏览器里。",
  "Stopped.": "已停止。",
  "Stopped: this is what was shown before.": "已停止：显示的是之前的内容。",
  "be opened from this device": "从本机打开",

  // measure-state.ts
  "be the traces of a job's ranks, or one file with a run": "是同一任务各 rank 的 trace，或一个含有测试运行的文件",
  "be a trace, or a run of at most 4 MiB": "是 trace，或不超过 4 MiB 的测试运行",
  "{0} read.": "已读 {0}。",
  "File {0} of {1}, {2}: {3} read.": "第 {0} 个文件（共 {1} 个），{2}：已读 {3}。",

  // routines/measure.ts, presets/measure.ts
  "Compare with real runs": "与真实运行对照",
  "A trace tells how much of the communication compute hides; a run of all-reduces, which latency and bandwidth your links have.":
    "trace 说明计算掩盖了多少通信；all-reduce 测试说明你的链路有怎样的延迟和带宽。",
  "Look at the runs of nccl-tests with three lines; then open the traces of your own training.":
    "用三条直线看 nccl-tests 的运行；然后打开你自己训练的 trace。",
  "Two ranks of a recommendation model: most communication is exposed": "一个推荐模型的两个 rank：大部分通信没有被掩盖",
  "Eight H100s as nccl-tests measured them, in three lines": "nccl-tests 测得的八块 H100，用三条直线",
  "Text that is pasted: a run of five sizes": "粘贴的文本：五种大小的一次运行",
  "Two ranks of a real training step, a recommendation model on eight V100s. How much of the time that they communicate does compute hide?":
    "一个真实训练步的两个 rank，八块 V100 上的推荐模型。它们的通信时间有多少被计算掩盖？",
  "Nearly all of it": "几乎全部",
  "That takes what can be overlapped for what is. This model's all-to-all hands over what the next layer computes on: there is nothing to compute meanwhile.":
    "这是把可以重叠的当成了已经重叠的。这个模型的 all-to-all 传递的正是下一层要计算的内容：其间没有可以计算的东西。",
  "About half": "大约一半",
  "That would be a good step. Here the kernels that compute are short, and there are far fewer of them than the communication would need.":
    "那会是不错的一步。这里计算的 kernel 很短，远远不够掩盖通信。",
  "Next to nothing": "几乎没有",
  "Three percent. The compute of the whole step is a fraction of the communication; and a third of that is waiting for a rank that came later.":
    "百分之三。整个训练步的计算只是通信的一小部分；而通信有三分之一是在等待后到的 rank。",
  "Traces of two ranks, DLRM on 8 × V100": "两个 rank 的 trace，8 × V100 上的 DLRM",
  "Runs of nccl-tests": "nccl-tests 的运行",
  "My own files": "我自己的文件",
  "Text that I paste": "我粘贴的文本",
  "Open files": "打开文件",
  "Traces of torch.profiler, one for each rank; or one run of nccl-tests or shardlab-mpi.":
    "torch.profiler 的 trace，每个 rank 一个；或 nccl-tests、shardlab-mpi 的一次运行。",
  "What nccl-tests printed or wrote, or a small trace": "nccl-tests 打印或写出的内容，或一个小的 trace",
  "Of traces, show": "对 trace 显示",
  "file {0}": "文件 {0}",
  "{0}, {1} idle": "{0}，空闲 {1}",
  "no size told": "未给出大小",
  "Time of each host": "各主机的时间",
  "Time of each device": "各设备的时间",
  "Collectives by kind": "各类集合通信",
  "Of {0}, {1} is compute, {2} communication that nothing hides, {3} idle.": "{0} 中，计算占 {1}，未被掩盖的通信占 {2}，空闲占 {3}。",
  "There is no communication.": "没有通信。",
  "Compute hides {0} of the communication.": "计算掩盖了 {0} 的通信。",
  "In the collectives that they have with each other, ranks wait {0} for those that come later.":
    "在彼此共有的集合通信中，各 rank 等待后到者共 {0}。",
  "Drawn are {0} of {1} ranks.": "画出 {1} 个 rank 中的 {0} 个。",
  "{0} of {1} used.": "使用了 {1} 中的 {0} 个。",
  "{0} event": "{0} 个事件",
  "A file breaks off, or is no JSON from some place on: what stands before it counts.": "有文件中断，或从某处起不再是 JSON：只计入之前的内容。",
  "Communication exposed": "未掩盖的通信",
  "Communication exposed, in sum": "未掩盖的通信（合计）",
  "{0}, the sum of {1} devices": "{0}（{1} 个设备合计）",
  "{0}, the sum of {1} hosts": "{0}（{1} 台主机合计）",
  "Compute, of the time": "计算占时间",
  "Idle, of the time": "空闲占时间",
  "Collectives": "集合通信",
  "compute": "计算",
  "communication, hidden": "通信，被掩盖",
  "communication, exposed": "通信，未掩盖",
  "copies alone": "仅拷贝",
  "send, receive": "发送、接收",
  "of no known kind": "种类未知",
  "Where the time of a training step went.": "一个训练步的时间用在了哪里。",
  "{0} through {1} is off by {2} at the median size, by {3} at the 90th percentile.": "{0}拟合{1}，误差中位数为 {2}，第 90 百分位为 {3}。",
  "{0} through {1} are off by {2} at the median size, by {3} at the 90th percentile.": "{0}拟合{1}，误差中位数为 {2}，第 90 百分位为 {3}。",
  "One line through half of the sizes predicts the other half to {0} at the median.": "用一半大小拟合的一条直线预测另一半，误差中位数为 {0}。",
  "These times tell no link: they do not grow with the size, or the ranks are not known.":
    "这些时间说明不了链路：它们不随大小增长，或 rank 数未知。",
  "Latency of the smallest sizes": "最小各档的延迟",
  "Bandwidth of the largest sizes": "最大各档的带宽",
  "Off by, where not seen (median)": "未见大小的误差（中位数）",
  "Use this link: ring against tree": "采用这条链路：环与树",
  "Use this link: what an all-reduce costs": "采用这条链路：一次 all-reduce 的代价",
  "Too few all-reduces with a size and ranks to fit a model to: three sizes at least are needed.":
    "带有大小和 rank 数的 all-reduce 太少，无法拟合模型：至少需要三种大小。",
  "Time and bandwidth of measured all-reduces over the tensor's size, and the model that is fitted to them.":
    "实测 all-reduce 的时间和带宽随张量大小的变化，以及拟合它们的模型。",
  "Shown is {0}. The others of the file:": "显示的是 {0}。文件中的其他运行：",
  "No file is open yet: this is the sample.": "尚未打开文件：这是示例。",

  // details/measure.ts
  "Events and lines, used and ignored": "使用和忽略的事件与行",
  "The time, divided": "时间的划分",
  "compute + exposed + copies + idle": "计算 + 未掩盖 + 拷贝 + 空闲",
  "From a device's first activity to its last. Whatever runs at once on several streams counts once; the times of several devices are added up. A kernel that waits for its memory counts as compute: busy is not efficient.":
    "从设备的第一个活动到最后一个。多个流上同时进行的只计一次；多个设备的时间相加。等待显存的 kernel 也算计算：忙碌不等于高效。",
  "Communication that compute hides": "被计算掩盖的通信",
  "both / communication": "两者同时 / 通信",
  "A fraction of the communication, not of the step.": "占通信的比例，而不是占一步的比例。",
  "Waiting for the others": "等待其他 rank",
  "each time − the shortest of the ranks, added up": "各次时间 − 各 rank 中最短的，累加",
  "A collective's kernel runs from when its rank comes until all have been served: the rank that came last did not wait. Clocks of ranks are not aligned, so that only durations are compared. {0} matched, {1} without a counterpart.":
    "集合通信的 kernel 从本 rank 到达起运行，直到全部完成：最后到达的 rank 没有等待。各 rank 的时钟没有对齐，所以只比较时长。匹配 {0} 个，{1} 个没有对应。",
  "With the least mean relative error. Of a size that was measured more than once, the median of runs counts, and the shortest time of a trace.":
    "平均相对误差最小。同一大小多次测量时，运行取中位数，trace 取最短时间。",
  "The link of a ring with these times": "具有这些时间的环的链路",
  "N is {0}. NCCL need not have used a ring: this is the link with which the lab's ring takes as long.":
    "N 为 {0}。NCCL 未必用了环：这是让本实验的环用时相同的链路。",
  "What the model says of sizes that it has not seen": "模型对未见过的大小的预测",
  "One line through every other size, and its error at those between: at the median and the 90th percentile.":
    "隔一个大小取一个拟合一条直线，在其间各大小上的误差：中位数和第 90 百分位。",
  "Measured and fitted": "实测与拟合",
  "The first {0} of {1} collectives": "{1} 个集合通信中的前 {0} 个",
  "Collectives, one by one": "逐个列出的集合通信",
  "of": "所属",
  "kind": "种类",
  "hidden": "被掩盖",
  "bus bandwidth": "总线带宽",
  "{0} used, {1} ignored.": "使用 {0} 行，忽略 {1} 行。",
  "Ignored": "忽略的",
  "reason": "原因",
  "lines": "行数",
  "first": "首行",
  "Not in this table": "不在此表中",
  "lines that became measurements": "成为测量值的行",
  "a file was read up to byte {0}": "有一个文件读到第 {0} 字节为止",
  "{0} of {1} events used.": "使用了 {1} 个事件中的 {0} 个。",
  "events": "事件数",
  "Used, but not just as they stand": "使用了，但并非原样",

  // Why the core ignores events, and what it does to others
  "arrows, marks and names, which take no time": "箭头、标记和名称，不占时间",
  "operations of the host": "主机的操作",
  "annotations of the host": "主机的标注",
  "annotations of a device, which repeat those of the host": "设备的标注，与主机的重复",
  "calls that launch work on a device": "在设备上启动工作的调用",
  "categories that say nothing of a device's time": "与设备时间无关的类别",
  "communications of the host, in a trace of devices": "设备 trace 中的主机通信",
  "waits for a communication, which transfer nothing": "等待通信的记录，不传输数据",
  "entries that are no events": "不是事件的条目",
  "no start": "没有开始时间",
  "a start that is no time, or one too far away": "开始时间不是时间，或相距太远",
  "a start of 0, which cannot be": "开始时间为 0，这不可能",
  "no duration": "没有时长",
  "a negative duration": "时长为负",
  "a duration that is no time, or one over 1e9 seconds": "时长不是时间，或超过 1e9 秒",
  "reached past the next on its stream, and was cut there": "超过了同一流上的下一个，在那里截断",
  "had its time as text, which was read as a number": "时间写成文本，按数读取",
  "is taken to be of all ranks, since the trace names no group": "trace 没有指明组，因此视为所有 rank 的",
  "a row without a size": "没有大小的行",
  "a row with the processor's time alone": "只有处理器时间的行",
  "the end of the JSON, which is missing or breaks its rules": "JSON 的结尾，缺失或不合规则",
  "be a trace of torch.profiler: JSON with a list of events, traceEvents": "是 torch.profiler 的 trace：含有事件列表 traceEvents 的 JSON",
  "an empty text": "空文本",
  "a text that begins no JSON": "开头不是 JSON 的文本",
  "a text that is no JSON, or ends, after {0} bytes": "在 {0} 字节之后不是 JSON 或已结束的文本",
  "JSON of {0} bytes without an event": "{0} 字节的 JSON，没有事件",
  "be gzip that can be unpacked, or no gzip": "是可以解开的 gzip，或不是 gzip",
  "be of version {0}": "是版本 {0}",
  "be one of all_reduce_perf": "是 all_reduce_perf 的运行",
};

export default texts;
