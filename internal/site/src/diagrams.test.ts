import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root } from '../../checks/files.ts';
import { diagramOf, diagramOnPage } from './diagrams.ts';
import { pages } from './pages.ts';

/** The diagrams of all documents, each with the document. */
const diagrams = [...pages.keys()].flatMap((path) =>
  [...readFileSync(root + path, 'utf8').matchAll(/^```mermaid\n([^`]*)^```$/gm)].map(
    ([, text = '']) => [path, text] as const,
  ),
);

describe('a diagram', () => {
  it('is in some documents', () => {
    expect(new Set(diagrams.map(([path]) => path))).toEqual(
      new Set(['docs/concepts.md', 'packages/topology/README.md']),
    );
  });

  it.each(diagrams)('of %s is a picture with all that its text names', (_, text) => {
    const svg = diagramOf(text, 'one');
    const named = [...text.matchAll(/"([^"]*)"/g)].flatMap(([, label = '']) =>
      label.replace('#35;', '#').split('<br/>'),
    );
    expect(named.length).toBeGreaterThan(5);
    const shown = svg
      .replaceAll(/<[^>]*>/g, '\n')
      .split('\n')
      .map((line) => line.trim());
    for (const name of named) expect(shown).toContain(name);
  });

  it.each(diagrams)('of %s loads nothing, and takes its colours from the page', (_, text) => {
    const svg = diagramOf(text, 'one');
    expect(svg.replaceAll('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|@import|<script|<image|href/);
    expect(svg).toContain('--bg:var(--vp-c-bg);--fg:var(--vp-c-text-1)');
    // Every other colour is made from these two.
    expect(svg.match(/(?:fill|stroke)="(?!none|var\()[^"]*"/g)).toBeNull();
  });

  it('has a unique name on its page', () => {
    const [, text = ''] = diagrams[0] ?? [];
    const idsOf = (svg: string) => [...svg.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    const [one, other] = ['one', 'other'].map((id) => idsOf(diagramOf(text, id)));
    expect(one?.length).toBeGreaterThan(0);
    expect(one?.filter((id) => other?.includes(id))).toEqual([]);
  });

  it('is a value in a page that keeps all texts inside', () => {
    const page = diagramOnPage(`graph TD\n  a["it's {{ 1 + 1 }} &amp; more"]\n`, 'one');
    expect(page.match(/'/g)).toHaveLength(2);
    const [, value = ''] = /v-html='([^']*)'/.exec(page) ?? [];
    expect(JSON.parse(value.replaceAll('&#39;', "'").replaceAll('&amp;', '&'))).toBe(
      diagramOf(`graph TD\n  a["it's {{ 1 + 1 }} &amp; more"]\n`, 'one'),
    );
  });
});
