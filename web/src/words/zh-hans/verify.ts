/** Published tables, computed again. What the tables themselves say stands in English, as their sources do. */

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

  // presets/verify.ts
  "All published tables": "所有已发表的表",
  "The ZeRO paper's table of memory": "ZeRO 论文的内存表",
  "The tables with numbers that are not got": "含有算不出的数字的表",
  "A published bubble rate, and what one more dependency makes of it": "一个已发表的气泡率，以及多一条依赖后的结果",
  "NCCL's double tree of 14 ranks, rank by rank": "14 个 rank 的 NCCL 双树，逐个 rank",
  "PyTorch's DualPipeV, operation by operation": "PyTorch 的 DualPipeV，逐个操作",
};

export default texts;
