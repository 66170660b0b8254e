/** Parts of a widget that are loaded when they are first needed. */

import { word, type Told } from "./words.js";

/** What is said where a part cannot be had. */
export const partMissing: Told = () => word("This part of the page could not be loaded. Does its server still answer?");

/** A module that draws what not every reader asks for. */
export class Part<Module> {
  private module: Module | undefined;

  constructor(private readonly load: () => Promise<Module>) {}

  /** @throws Error with a sentence, where it cannot be had */
  async loaded(): Promise<Module> {
    try {
      this.module ??= await this.load();
      return this.module;
    } catch {
      throw new Error(partMissing());
    }
  }

  /** Once it is loaded. */
  get there(): Module {
    return this.module!;
  }
}
