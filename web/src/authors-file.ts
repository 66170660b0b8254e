/** What a widget starts with out of a file, which its page's author names by `src`. */

import type { Parameter, Texts } from "./parameter.js";
import type { Told } from "./words.js";

/** Who starts with it. */
interface Starts {
  parameters(): readonly Parameter[];
  /** there are other texts now */
  read(): void;
  /** it is not, and this is why */
  tell(told: readonly Told[]): void;
}

export class AuthorsFile {
  /** by parameter; none until the file is there */
  texts: Texts = {};
  loading: Promise<void> | undefined;
  private address: string | null = null;

  constructor(private readonly host: Starts) {}

  /** @param address relative to the page; nothing where the author names no file */
  follow(address: string | null): void {
    if (address === this.address) return;
    this.address = address;
    if (Object.keys(this.texts).length > 0) {
      this.texts = {};
      this.host.read();
    }
    if (address !== null && address !== "") this.loading = this.read(address);
  }

  private async read(address: string): Promise<void> {
    const { sourced } = await import("./sourced.js");
    const found = await sourced(address, this.host.parameters());
    if (address !== this.address) return;
    if (typeof found === "function") this.host.tell([found]);
    else {
      this.texts = found;
      this.host.read();
    }
  }
}
