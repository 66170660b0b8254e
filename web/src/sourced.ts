/** A file by its address, as the texts of controls. */

import { largestFile } from "./files.js";
import { refusal, type Parameter, type Texts } from "./parameter.js";
import { say, word, type Told } from "./words.js";

/** Milliseconds after which a server is not waited for any longer. */
const patience = 30_000;

/**
 * @param address relative to the page
 * @param signal that nobody wants it any more
 * @returns the texts that the file stands for: its own, and that of the choice by which its control is there; or why there
 *   are none
 */
export async function sourced(address: string, parameters: readonly Parameter[], signal: AbortSignal): Promise<Texts | Told> {
  const parameter = parameters.find(({ files }) => files !== undefined);
  if (parameter === undefined) return () => word("src names a file, and this widget reads none.");
  const text = await fetched(address, signal);
  if (typeof text === "function") return text;
  const rule = refusal(parameter, text);
  if (rule !== undefined) return () => say`src="${address}" must ${rule()}.`;
  const { name, when } = parameter;
  return { ...(when !== undefined && { [when.parameter]: [when.is].flat()[0]! }), [name]: text };
}

async function fetched(address: string, signal: AbortSignal): Promise<string | Told> {
  const waiting = new AbortController();
  const stop = () => waiting.abort();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const timer = setTimeout(stop, patience);
  try {
    const response = await fetch(new URL(address, document.baseURI), { signal: waiting.signal });
    if (!response.ok) return () => say`src="${address}" could not be read: the server answered ${response.status}.`;
    const text = await response.text();
    return text.length <= largestFile ? text : () => say`src="${address}" is larger than 4 MiB.`;
  } catch {
    return () => say`src="${address}" could not be read: its server does not answer, or does not let this page have it.`;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
