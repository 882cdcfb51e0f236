import { describe, expect, it } from 'vitest';
import { findingPages } from './finding-pages.ts';

describe('the pages of findings', () => {
  const pages = findingPages();

  it('are one for each code, with the remedy', () => {
    expect(pages.size).toBeGreaterThan(60);
    expect(pages.get('not-in-any-path')).toMatch(
      /^---\ntitle: not-in-any-path\n---\n[\s\S]*\*\*Repair:\*\* Correct the parentRefs/,
    );
  });

  it('link to pages that exist', () => {
    const linked = [...pages.values()].flatMap((text) =>
      [...text.matchAll(/\(\/findings\/([a-z-]+)\)/g)].map(([, name = '']) => name),
    );
    expect(new Set(linked)).toEqual(new Set(pages.keys()));
  });
});
