/** What an author copies, made by the page's own source. */

import { source } from "./sources.mjs";

/** Where the notes in hosts/ expect the lab. */
export const published = "https://example.org/shardlab/v1/";

const { hosts } = await source("embed-dialog/snippets.ts");
export const { frameHeight } = await source("room.ts");

/** As the widget says it; the dialog's test holds them to that. */
const pipeline = {
  id: "pipeline",
  title: "Pipeline schedule",
  claim: "More micro-batches shrink the bubble; more stages do not. Nor does 1F1B: what it shrinks is memory.",
};

export const hostNames = hosts.map(({ id }) => id);

/** The pipeline for a host, by the host's name. */
export function snippet(host, { base = published, attributes = {}, width, height = frameHeight(pipeline.id, width) } = {}) {
  const choice = { ...pipeline, base, attributes: new Map(Object.entries(attributes)), width, height };
  return hosts.find((one) => one.id === host).snippet(choice);
}
