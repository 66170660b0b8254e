/** What every widget has around its figure. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {
  // author.ts
  'units="{0}" must be iec or si.': 'units="{0}" 必须是 iec 或 si。',
  'preset="{0}" must be one of {1}.': 'preset="{0}" 必须是以下之一：{1}。',
  '{0}="{1}" must {2}; shown is {3}.': '{0}="{1}" 必须{2}；现在显示的是 {3}。',
  '{0}="{1}" names nothing of this widget. It has: {2}.': '{0}="{1}" 不是这个组件的任何部分。它有：{2}。',

  // behind.ts
  "Why?": "为什么？",
  "Data table": "数据表",
  "This part of the page could not be loaded. Does its server still answer?": "页面的这一部分无法加载。服务器还有响应吗？",

  // controls.ts
  "Source:": "来源：",
  "{0}, slider": "{0}，滑块",
  "Open a file": "打开文件",
  "or drop it above. It stays in your browser.": "或拖到上面。文件只留在你的浏览器里。",

  // disclosed.ts
  "Tested by": "对应的测试：",

  // fault.ts
  "{0} must {1}. {2}": "“{0}”必须{1}。{2}",
  "Nothing is given.": "这里没有填写。",
  "It is {0}.": "现在是 {0}。",

  // format.ts
  "{0} and {1}": "{0} 和 {1}",
  ", ": "、",
  "{0} {1}": "{0}{1}",
  "{0}, {1}": "{0}，{1}",
  "{0}; {1}": "{0}；{1}",

  // forms/anywidget.ts
  "The options have names that this widget does not know: {0}.": "选项中有这个组件不认识的名称：{0}。",

  // forms/attempt.ts
  "be a text or a number": "是文字或数字",
  "be an object of texts and numbers, by the keys of an address": "是一个对象，以地址中的键给出文字和数字",

  // forms/address.ts
  "v={0} in the address is left out: it must {1}.": "地址中的 v={0} 已忽略：它必须{1}。",
  "The address is of version {0}; this widget reads version {1}.": "地址的版本是 {0}；这个组件读取的版本是 {1}。",
  "The address has keys that this widget does not know: {0}.": "地址中有这个组件不认识的键：{0}。",

  // frame.ts
  "Interactive figure: {0}. {1} {2}": "交互图：{0}。{1}{2}",
  Dismiss: "知道了",
  "{0}, figure": "{0}，图",
  "The figure waits for your answer.": "回答之后显示图。",
  "Computing …": "正在计算……",
  "The last valid input is shown.": "显示的是上一次有效的输入。",
  "Try: {0}": "试一试：{0}",
  "More settings": "更多设置",
  "More settings, {0} changed": "更多设置，已改动 {0} 项",

  // lab.ts
  "This browser has no WebAssembly, or it is switched off, and the lab needs it.": "实验台需要 WebAssembly，而这个浏览器不支持或已将它关闭。",
  "Please try a current browser.": "请换用较新的浏览器。",
  "This page's security policy blocks WebAssembly, so the lab cannot run here. ({0})": "本页的安全策略禁止 WebAssembly，实验台无法在这里运行。（{0}）",
  "The widget's iframe form brings a policy of its own.": "组件的 iframe 形式自带安全策略。",
  "The lab's WebAssembly could not be loaded. ({0})": "实验台的 WebAssembly 无法加载。（{0}）",
  "Is the file shardlab.wasm beside the lab's scripts, does the server deliver it, and does the page's security policy allow connect-src to it?":
    "shardlab.wasm 是否与实验台的脚本放在一起，服务器是否提供它，页面的安全策略是否允许 connect-src 到它？",

  // link.ts
  "The link has keys that this page does not know: {0}.": "链接中有本页不认识的键：{0}。",
  "The link is of version {0}; this page reads version {1}.": "链接的版本是 {0}；本页读取的版本是 {1}。",
  "{0}={1} in the link is left out: it must {2}.": "链接中的 {0}={1} 已忽略：它必须{2}。",

  // magnify.ts
  Zoom: "缩放",
  "zoom out": "缩小",
  "zoom in": "放大",
  "whole picture": "整幅图",
  Whole: "整幅",
  "move the window back": "窗口后退",
  "move the window on": "窗口前进",
  "on the figure: zoom in, zoom out": "在图上：放大、缩小",
  "on the figure: all of it": "在图上：整幅图",
  "on the figure: the window back, on": "在图上：窗口后退、前进",

  // offers.ts
  "Apply: {0}": "应用：{0}",
  Apply: "应用",

  // parameter.ts
  "have at most {0} lines": "不超过 {0} 行",
  "a text of {0} lines": "{0} 行文本",
  "be one of {0}": "是以下之一：{0}",
  "be a whole number": "是整数",
  On: "开",
  Off: "关",

  // question.ts
  "A question first": "先回答一个问题",
  "Before you look: what do you expect?": "先猜一猜：结果会怎样？",
  "Just show me": "直接看结果",
  "Right.": "答对了。",
  "Not quite.": "不完全对。",
  "You said: {0}.": "你的回答：{0}。",
  "The answer: {0}.": "正确答案：{0}。",

  // said.ts
  "One rank has nobody to add to: no step, nothing sent.": "只有一个 rank，没有可以相加的对象：没有步骤，也不发送任何数据。",
  "all ranks": "所有 rank",
  "{0} of {1} ranks": "{1} 个 rank 中的 {0} 个",
  "rank {0}": "rank {0}",
  "ranks {0}": "rank {0}",
  "its whole tensor": "它的整个张量",
  "chunk {0}": "分块 {0}",
  "chunks {0} and {1}": "分块 {0} 和 {1}",
  "chunks {0} to {1}": "分块 {0} 到 {1}",

  // session.ts
  "Step {0} is beyond {1}, which is shown.": "第 {0} 步超出了范围，现在显示最后一步，即第 {1} 步。",
  "From the link": "来自链接",
  "From this page's author": "来自本页作者",
  "Left out.": "已忽略。",
  "Shown is {0}.": "现在显示的是 {0}。",
  "{0}: {1} {2}": "{0}：{1}{2}",

  // take-away.ts
  "Shardlab: a distributed-training lab. “{0}”. {1}": "Shardlab：分布式训练实验台。“{0}”。{1}",
  "There is no picture: the result is too large to draw, or there is none yet.": "没有图：结果太大画不出来，或者还没有结果。",

  // toolbar.ts
  Tools: "工具",
  Undo: "撤销",
  Redo: "重做",
  Reset: "重置",
  "Open the lab ↗": "打开实验台 ↗",
  "Copy link": "复制链接",
  Embed: "嵌入",
  Keys: "快捷键",
  Export: "导出",
  Cite: "引用",
  undo: "撤销",
  redo: "重做",
  reset: "重置",
  "show or hide this": "显示或隐藏这个列表",
  Space: "空格",
  "play or pause": "播放或暂停",
  "to the start, to the end": "到开头、到结尾",
  "on the scrubber: a step back, a step on": "在进度条上：后退一步、前进一步",

  // transport.ts
  Steps: "步数",
  "to the start": "到开头",
  "one step back": "后退一步",
  Pause: "暂停",
  Play: "播放",
  "one step on": "前进一步",
  Step: "步",
  "step {0} of {1}, {2}": "第 {0} 步，共 {1} 步，{2}",
  "{0} of {1} · {2}": "{0} / {1} · {2}",
  Speed: "速度",

  // units.ts
  billions: "十亿",
  "{0} is read as {1}.": "{0} 按 {1} 理解。",

  // widget.ts
  "The link is copied.": "链接已复制。",
  "The link, to be copied:": "请手动复制链接：",
  "The citation is copied.": "引用格式已复制。",
  "The citation, to be copied:": "请手动复制引用格式：",
  "{0} is larger than 4 MiB; paste a part of it.": "{0} 大于 4 MiB；请粘贴其中一部分。",
  "The numbers wait for your answer.": "回答之后显示数字。",
  "The lab is starting.": "实验台正在启动。",
  "{0} It leaves out what is too long for a link: {1}.": "{0}其中不含对链接来说太长的内容：{1}。",
  "The dialog could not be loaded. Does the lab's server still answer?": "对话框无法加载。实验台的服务器还有响应吗？",

  // sourced.ts
  "src names a file, and this widget reads none.": "src 指定了一个文件，而这个组件不读取文件。",
  'src="{0}" could not be read: the server answered {1}.': "无法读取 src=“{0}”：服务器的回应是 {1}。",
  'src="{0}" must {1}.': "src=“{0}”必须{1}。",
  'src="{0}" is larger than 4 MiB.': "src=“{0}”大于 4 MiB。",
  'src="{0}" could not be read: its server does not answer, or does not let this page have it.':
    "无法读取 src=“{0}”：它的服务器没有回应，或不允许本页读取。",
};

export default texts;
