/** A file by its address, as the texts of controls. */

import { largestFile } from "./files.js";
import type { Parameter, Texts } from "./parameter.js";
import { say, word, type Told } from "./words.js";

/**
 * @param address relative to the page
 * @returns the texts that the file stands for: its own, and that of the choice by which its control is there; or why there
 *   are none
 */
export async function sourced(address: string, parameters: readonly Parameter[]): Promise<Texts | Told> {
  const parameter = parameters.find(({ files }) => files !== undefined);
  if (parameter === undefined) return () => word("src names a file, and this widget reads none.");
  const text = await fetched(address);
  if (typeof text === "function") return text;
  const { name, when } = parameter;
  return { ...(when !== undefined && { [when.parameter]: [when.is].flat()[0]! }), [name]: text };
}

async function fetched(address: string): Promise<string | Told> {
  try {
    const response = await fetch(new URL(address, document.baseURI));
    if (!response.ok) return () => say`src="${address}" could not be read: the server answered ${response.status}.`;
    const text = await response.text();
    return text.length <= largestFile ? text : () => say`src="${address}" is larger than 4 MiB.`;
  } catch {
    return () => say`src="${address}" could not be read: its server does not answer, or does not let this page have it.`;
  }
}
