/** What a module asks of a browser as soon as it is imported, where it is imported without one. */

export const HTMLElementOrNone = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);
export const documentOrNone = globalThis.document ?? ({ createTreeWalker: () => undefined } as unknown as Document);
