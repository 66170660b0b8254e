/** The style sheets of a shadow tree: of what is there from the start, and of what is loaded later. */

/** A sheet stays in the document that it was made in. */
const made = new WeakMap<Document, Map<string, CSSStyleSheet>>();
const adopted = new WeakMap<ShadowRoot, Set<string>>();

/** Adds styles behind those that the tree has, each once. */
export function adopt(root: ShadowRoot, ...styles: readonly string[]): void {
  const known = adopted.get(root) ?? new Set();
  const news = styles.filter((text) => !known.has(text));
  if (news.length === 0) return;
  adopted.set(root, new Set([...known, ...news]));
  readopt(root);
}

/** Makes them for the document that the tree is in now. */
export function readopt(root: ShadowRoot): void {
  root.adoptedStyleSheets = [...(adopted.get(root) ?? [])].map((text) => sheetIn(root.ownerDocument, text));
}

function sheetIn(document: Document, text: string): CSSStyleSheet {
  const sheets = made.get(document) ?? new Map<string, CSSStyleSheet>();
  made.set(document, sheets);
  const { CSSStyleSheet: Sheet = CSSStyleSheet } = document.defaultView ?? window;
  const sheet = sheets.get(text) ?? new Sheet();
  if (!sheets.has(text)) sheet.replaceSync(text);
  sheets.set(text, sheet);
  return sheet;
}
