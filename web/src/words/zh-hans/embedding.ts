/** The dialog of those who take a widget to their own pages. */

import type { Catalogue } from "../../words.js";

const texts: Catalogue = {
  // embed-dialog/dialog.ts
  "Embed “{0}”": "嵌入“{0}”",
  Close: "关闭",
  "Host it yourself": "自行托管",
  ": all of the lab as a folder for any web server, and ": "：整个实验台打包成一个目录，可放在任意 Web 服务器上；或者下载",
  "this widget as one file": "只含这个组件的单个文件",
  ".": "。",
  "This copy does not know where the lab is published: put its address in place of {0}.":
    "这份副本不知道实验台发布在哪里：请用它的地址替换 {0}。",
  "These texts lead to this machine and do not work elsewhere. A lab that is published gives ones that do, and so does one that is built with {0}.":
    "这些文本指向本机，在别处不能用。已发布的实验台给出的文本可以，用 {0} 构建的也可以。",
  "It starts as it is now": "以现在的状态开始",
  "What was pasted into it is too long for a page and stays here.": "粘贴进来的内容对页面来说太长，只留在这里。",
  Language: "语言",
  Theme: "主题",
  Width: "宽度",
  "all there is": "占满可用宽度",
  "{0} px": "{0} px",
  "Height of a frame, px": "框架高度，px",
  "Controls are locked": "锁定控件",
  "A question comes first": "先猜一猜",
  "Left out": "不显示",
  "This page shows no other page within it: the preview is in the lab.": "本页不能内嵌其他页面：预览请到实验台查看。",
  Preview: "预览",
  "Where it is to be": "放在哪里",
  "Text to copy": "要复制的文本",
  "Text to copy once": "只需复制一次的文本",
  "Copy: {0}": "复制：{0}",
  Copy: "复制",
  "Copied.": "已复制。",
  "Selected: copy it with the keyboard.": "已选中：请用键盘复制。",
  Title: "标题",
  Claim: "结论",
  Controls: "控件",
  Playback: "播放",
  "What to try": "试一试",
  "as its surroundings": "跟随所在页面",
  light: "浅色",
  dark: "深色",

  // embed-dialog/snippets.ts
  "A page with a Content-Security-Policy has to allow in it:": "使用 Content-Security-Policy 的页面必须在其中允许：",
  "Under a policy without style-src 'unsafe-inline' no room is kept for the widget until it is there.":
    "如果策略中没有 style-src 'unsafe-inline'，组件出现之前不会为它预留位置。",
  "A frame is light or dark as the reader's system is, not as the page around it: choose a theme where they may differ.":
    "框架的深浅跟随读者的系统，而不是所在的页面：两者可能不同时，请选定一个主题。",
  "A picture that leads to the widget, for READMEs and wherever HTML is taken out.":
    "一张链接到组件的图片，用于 README 和其他会去掉 HTML 的地方。",
  "Nothing else is needed. From MkDocs 1.5 on the script can stand in mkdocs.yml instead, once for all pages:":
    "不需要别的。从 MkDocs 1.5 起，脚本也可以改写在 mkdocs.yml 里，一次对所有页面生效：",
  "Keep the <div>: without it Markdown puts the widget into a paragraph.": "保留 <div>：没有它，Markdown 会把组件放进一个段落。",
  "PDF and EPUB leave raw HTML out. In MyST-Parser and Jupyter Book 1 the same stands in a ```{raw} html block.":
    "PDF 和 EPUB 会略去原始 HTML。在 MyST-Parser 和 Jupyter Book 1 中，同样的内容写在 ```{raw} html 块里。",
  "For MyST and Jupyter Book 2 of 2026 or later, where the directive is new.": "适用于 2026 年及以后的 MyST 和 Jupyter Book 2，这个指令是新加的。",
  "Not with embed-resources, which breaks modules and frames: link to the offline file there.":
    "不能与 embed-resources 同用，它会破坏模块和框架：那里请链接到离线文件。",
  "Once, in docusaurus.config.js:": "只需一次，写在 docusaurus.config.js 中：",
  "MDX is not HTML: styles are objects, and every tag is closed.": "MDX 不是 HTML：样式是对象，每个标签都要闭合。",
  "Once, in .vitepress/config.mjs:": "只需一次，写在 .vitepress/config.mjs 中：",
  "Without isCustomElement, Vue looks for a component of that name.": "没有 isCustomElement，Vue 会去找同名的组件。",
  "Keys on a control of the widget are the widget's, elsewhere they move the slides. A slide has room for little more than the figure: leave out the rest.":
    "焦点在组件的控件上时，按键归组件；在别处时，按键翻动幻灯片。一张幻灯片只放得下图和少量内容：其余的请隐藏。",
  "Once, where the notebook runs:": "只需一次，在 notebook 运行的环境中：",
  "A notebook that is only looked at, as on GitHub, shows no widgets.": "只供浏览的 notebook（例如在 GitHub 上）不显示组件。",
  "Paste it into the editor's HTML view. Moodle keeps frames in what teachers write, and takes them out of what students write.":
    "粘贴到编辑器的 HTML 视图中。Moodle 保留教师写的框架，去掉学生写的框架。",
};

export default texts;
