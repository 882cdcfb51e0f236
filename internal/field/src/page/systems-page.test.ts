import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { knownKinds } from '@policy-machinery/known-kinds';
import { describe, expect, it } from 'vitest';
import { systemsPage } from './systems-page.ts';

describe('docs/systems.md', () => {
  it('is as the tables say: npm run docs:systems writes it again', () => {
    const file = fileURLToPath(new URL('../../../../docs/systems.md', import.meta.url));
    expect(readFileSync(file, 'utf8')).toBe(systemsPage());
  });

  it('has each kind, with its source', () => {
    const page = systemsPage();
    for (const { group, kind, source } of knownKinds) {
      expect(page).toContain(`| \`${kind}\` of \`${group}\` |`);
      expect(page).toContain(`<${source}>`);
    }
  });
});
