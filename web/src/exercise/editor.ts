/** The editor of the exercise: CodeMirror, in colours of the page. It is loaded when it is first needed. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec, RangeSetBuilder, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, lineNumbers, type DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface EditorEvents {
  changed(): void;
  /** the keys for it were pressed */
  run(): void;
}

/** The line that an error names, or none. */
const errorLine = StateEffect.define<number | undefined>();
const errorLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, { effects, docChanged, state }) {
    for (const effect of effects) if (effect.is(errorLine)) return decorated(state, effect.value);
    return docChanged ? Decoration.none : lines;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorated({ doc }: EditorState, line: number | undefined): DecorationSet {
  if (line === undefined || line < 1 || line > doc.lines) return Decoration.none;
  const builder = new RangeSetBuilder<Decoration>();
  const { from } = doc.line(line);
  builder.add(from, from, Decoration.line({ class: "error-line" }));
  return builder.finish();
}

/**
 * Typing over several lines. Chromium would join what is left of them itself, and keep their looks by style attributes,
 * which the page's policy forbids.
 */
const typingOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event;
    if (inputType !== "insertText" || data === null || isComposing || view.state.selection.main.empty) return false;
    view.dispatch(view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true }));
    return true;
  },
});

const theme = EditorView.theme({
  "&": { backgroundColor: "var(--paper)", color: "var(--ink)", fontSize: "14px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)", minHeight: "300px", padding: "10px 0" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", border: "none" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 26%, transparent)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--edge)" },
  ".error-line": { boxShadow: "inset 3px 0 0 var(--bad)", backgroundColor: "color-mix(in srgb, var(--bad) 9%, transparent)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--accent)" },
  { tag: [tags.comment], color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--forward-ink)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--backward-ink)" },
  { tag: [tags.function(tags.definition(tags.variableName))], fontWeight: "600" },
]);

export class Editor {
  private readonly view: EditorView;
  /** of each document, so that undo stays within it */
  private readonly states = new Map<string, EditorState>();
  private shown = "";

  constructor(
    parent: HTMLElement,
    root: ShadowRoot,
    private readonly events: EditorEvents,
  ) {
    this.view = new EditorView({ parent, root });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /**
   * Shows a document. One that was shown before comes back as it was left, unless its text is another now.
   * @param attributes of the element in which it is written
   */
  show(id: string, text: string, attributes: Record<string, string>): void {
    if (this.shown !== "") this.states.set(this.shown, this.view.state);
    const known = this.states.get(id);
    this.shown = id;
    this.view.setState(known?.doc.toString() === text ? known : EditorState.create({ doc: text, extensions: this.extensions(attributes) }));
  }

  /** Puts a text in place of what is shown, so that it can be undone. */
  replace(text: string): void {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  markLine(line: number | undefined): void {
    this.view.dispatch({ effects: errorLine.of(line) });
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }

  private extensions(attributes: Record<string, string>): Extension {
    const run = () => {
      this.events.run();
      return true;
    };
    return [
      Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
      lineNumbers(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      typingOver,
      javascriptLanguage,
      syntaxHighlighting(colours),
      EditorView.lineWrapping,
      errorLines,
      theme,
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of(attributes),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) this.events.changed();
      }),
    ];
  }
}
