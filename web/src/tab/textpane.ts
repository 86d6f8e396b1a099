// The editor of texts: CodeMirror with XML, findings and completion.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { autoCloseTags, xmlLanguage } from "@codemirror/lang-xml";
import { bracketMatching, foldGutter, HighlightStyle, indentOnInput, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { javascript } from "@codemirror/legacy-modes/mode/javascript";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { el } from "../dom";
import { complete } from "./completion";
import { type Finding, offsetOf } from "./report";
import type { Vocabulary } from "./vocabulary";

const COLOURS = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: "var(--accent)" },
  { tag: tags.attributeName, color: "var(--warn)" },
  { tag: [tags.attributeValue, tags.string], color: "var(--good)" },
  { tag: [tags.keyword, tags.definition(tags.variableName)], color: "var(--accent)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--warn)" },
  { tag: [tags.comment, tags.processingInstruction], color: "var(--muted)", fontStyle: "italic" },
]);

const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--raised)", fontSize: "12px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--muted)", border: "0", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent-soft) 45%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "color-mix(in srgb, var(--accent) 28%, transparent)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "5px", boxShadow: "var(--shadow)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--accent)", color: "var(--surface)" },
  ".cm-completionDetail": { opacity: ".75", fontStyle: "normal" },
  ".cm-completionInfo": { maxWidth: "22em", font: "12px/1.45 system-ui, sans-serif", padding: "6px 9px" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", font: "12px/1.45 system-ui, sans-serif" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
});

/** Shows one text at a time. Each text keeps its history and its selection. */
export class TextPane {
  readonly element = el("div", { class: "text" });
  private readonly view: EditorView;
  private readonly states = new Map<string, EditorState>();
  private path = "";
  /** Called with each change of a text. */
  onChange: (path: string, text: string) => void = () => {};
  /** Called by Ctrl+Enter. */
  onRun: () => void = () => {};

  constructor(private readonly vocabulary: Promise<Vocabulary>) {
    // styles of a tree of its own need no permission for styles within the page
    const root = this.element.attachShadow({ mode: "open" });
    this.view = new EditorView({ root, parent: root });
  }

  /** Shows a text, as it was left if it has been shown before. */
  show(path: string, text: string): void {
    if (this.path !== "") this.states.set(this.path, this.view.state);
    this.path = path;
    const known = this.states.get(path);
    this.view.setState(known !== undefined && known.doc.toString() === text ? known : this.newState(path, text));
  }

  /** Forgets all texts. */
  forget(): void {
    this.states.clear();
    this.path = "";
  }

  private newState(path: string, text: string): EditorState {
    const language: Extension = path.endsWith(".js") ? StreamLanguage.define(javascript) : path.endsWith(".xml")
      ? [xmlLanguage, autoCloseTags, autocompletion({ icons: false, override: [(context) => complete(context, this.vocabulary)] })]
      : [];
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(),
        highlightActiveLine(), highlightActiveLineGutter(), syntaxHighlighting(COLOURS), THEME, language,
        EditorView.contentAttributes.of({ "aria-label": `Text of ${path}`, spellcheck: "false" }),
        keymap.of([
          { key: "Mod-Enter", run: () => { this.onRun(); return true; } },
          ...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.onChange(this.path, update.state.doc.toString());
        }),
      ],
    });
  }

  /** Replaces the text as one change, which can be undone. */
  replace(text: string): void {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Marks findings in the text that is shown. */
  mark(findings: readonly Finding[]): void {
    const text = this.view.state.doc.toString();
    const marks = findings.map(({ line, column, end_line, end_column, severity, message, label, notes }): Diagnostic => {
      const from = offsetOf(text, line ?? 1, column ?? 1);
      const to = end_line === null || end_column === null ? from : offsetOf(text, end_line, end_column);
      return { from, to: Math.max(from, to), severity, message: [message, label, ...notes].filter((part) => part !== "").join("\n") };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** Puts the cursor at a position and shows it. */
  goTo(line: number, column: number): void {
    const at = offsetOf(this.view.state.doc.toString(), line, column);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }
}
