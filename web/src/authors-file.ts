/** What a widget starts with out of a file, which its page's author names by `src`. */

import type { Parameter, Texts } from "./parameter.js";
import { partMissing } from "./part.js";
import type { Told } from "./words.js";

/** Who starts with it. */
interface Starts {
  parameters(): readonly Parameter[];
  /** the texts that it shows now */
  shown(): Texts;
  /**
   * there are other texts now
   * @param then what was shown when they were asked for: what has been changed since is newer
   */
  read(then?: Texts): void;
  /** it is not, and this is why, in place of what was told before */
  tell(told: readonly Told[], before: readonly Told[]): void;
}

export class AuthorsFile {
  /** by parameter; none until the file is there */
  texts: Texts = {};
  loading: Promise<void> | undefined;
  private address: string | null = null;
  private told: readonly Told[] = [];
  private reading: AbortController | undefined;

  constructor(private readonly host: Starts) {}

  /** @param address relative to the page; nothing where the author names no file */
  follow(address: string | null): void {
    if (address === this.address) return;
    this.address = address;
    this.reading?.abort();
    this.tell([]);
    if (Object.keys(this.texts).length > 0) {
      this.texts = {};
      this.host.read();
    }
    if (address !== null && address !== "") this.loading = this.read(address);
  }

  private async read(address: string): Promise<void> {
    const then = this.host.shown();
    const reading = new AbortController();
    this.reading = reading;
    const found = await this.found(address, reading.signal);
    if (reading.signal.aborted) return;
    if (typeof found === "function") this.tell([found]);
    else {
      this.texts = found;
      this.host.read(then);
    }
  }

  private async found(address: string, signal: AbortSignal): Promise<Texts | Told> {
    try {
      const { sourced } = await import("./sourced.js");
      return await sourced(address, this.host.parameters(), signal);
    } catch {
      return partMissing;
    }
  }

  private tell(told: readonly Told[]): void {
    if (told.length > 0 || this.told.length > 0) this.host.tell(told, this.told);
    this.told = told;
  }
}
