export default {
  title: "Course notes",
  url: "https://example.org",
  baseUrl: "/",
  scripts: [{ src: "https://example.org/shardlab/v1/widgets/pipeline.js", type: "module" }],
  presets: [["classic", { docs: { routeBasePath: "/" }, blog: false, sitemap: false }]],
  themeConfig: { colorMode: { defaultMode: "light" } },
};
