export default {
  title: "Course notes",
  head: [["script", { type: "module", src: "https://example.org/shardlab/v1/widgets/pipeline.js" }]],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("shardlab-") } } },
};
