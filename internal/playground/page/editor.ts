import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { StateEffect } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Finding } from '../src/answer.ts';

/** The editor of the manifests. */
export interface Editor {
  readonly text: string;
  /** Replaces the text. */
  replace(text: string): void;
  /** Underlines the findings at their lines. */
  mark(findings: readonly Finding[]): void;
  /** Moves to a line. */
  goTo(line: number): void;
}

/** Colours with enough contrast, on a light and on a dark ground. */
const colours = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: 'light-dark(#0b4f9c, #8ab8ff)' },
  { tag: tags.string, color: 'light-dark(#a0300f, #ffab8f)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#0a6b34, #86d7a4)' },
  { tag: [tags.comment, tags.separator, tags.meta], color: 'light-dark(#5a6068, #a5adb7)' },
]);

const isDark = matchMedia('(prefers-color-scheme: dark)').matches;

/**
 * Makes the editor. It is in a shadow root, where its styles are objects of scripts: the page's policy allows no others.
 *
 * @param onChange Called after each edit.
 */
export function createEditor(host: HTMLElement, onChange: () => void): Editor {
  const root = host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    parent: root as unknown as Element,
    root,
    extensions: [
      lineNumbers(),
      history(),
      // Tab moves on, as elsewhere on the page.
      keymap.of([...defaultKeymap, ...historyKeymap]),
      yaml(),
      syntaxHighlighting(colours),
      lintGutter(),
      EditorView.contentAttributes.of({ 'aria-label': 'Manifests', tabindex: '0' }),
      EditorView.theme(
        {
          '&': { height: '100%' },
          '.cm-scroller': { overflow: 'auto' },
          '.cm-gutters': { background: 'none', color: 'inherit' },
        },
        { dark: isDark },
      ),
      EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
    ],
  });
  // Completion is loaded when somebody begins to edit.
  view.contentDOM.addEventListener(
    'focus',
    async () => {
      const { completion } = await import('./completion.ts');
      view.dispatch({ effects: StateEffect.appendConfig.of(completion) });
    },
    { once: true },
  );
  return {
    get text() {
      return view.state.doc.toString();
    },
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    mark(findings) {
      const { doc } = view.state;
      const diagnostics = findings.map(({ line, column, severity, message }) => {
        const { from, to } = doc.line(Math.min(line, doc.lines));
        return { from: Math.min(from + column - 1, to), to, severity, message };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo(line) {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
  };
}
