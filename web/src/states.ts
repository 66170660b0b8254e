/** What a style sheet may ask of an element, as in `:state(playing)`. */

export class States {
  private readonly internals: ElementInternals | undefined;

  constructor(host: HTMLElement) {
    this.internals = host.attachInternals?.();
  }

  /** Browsers that know no such states, or want other names for them, do without. */
  show(states: Readonly<Record<string, boolean>>): void {
    try {
      for (const [name, holds] of Object.entries(states)) {
        if (holds) this.internals?.states.add(name);
        else this.internals?.states.delete(name);
      }
    } catch {
      // Nothing else depends on them.
    }
  }
}
