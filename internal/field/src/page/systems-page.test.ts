import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { knownKinds } from '@policy-machinery/known-kinds';
import { describe, expect, it } from 'vitest';
import { systemsPage } from './systems-page.ts';
import { testData } from './test-data.ts';

describe('docs/systems.md', () => {
  it('is as the tables say: npm run docs:systems writes it again', () => {
    const file = fileURLToPath(new URL('../../../../docs/systems.md', import.meta.url));
    expect(readFileSync(file, 'utf8')).toBe(systemsPage());
  });

  it('has each kind in the section of its system, with its group and source', () => {
    const sections = systemsPage().split(/^## /m);
    expect(knownKinds).not.toEqual([]);
    for (const { system, group, kind, source } of knownKinds) {
      const section = sections.find((it) => it.startsWith(`${system}\n`));
      expect(section).toMatch(new RegExp(`(?:^(?:\\| )?|, )\`${kind}\``, 'm'));
      expect(section).toContain(`\`${group}\``);
      expect(section).toContain(`<${source}>`);
    }
  });

  it('names the test data of each system', () => {
    expect(Object.keys(testData).sort()).toEqual([...new Set(knownKinds.map(({ system }) => system))].sort());
    for (const data of Object.values(testData).flat()) expect(systemsPage()).toContain(data);
  });

  it('states a fact that all kinds of a system have in common once', () => {
    const [, section = ''] = systemsPage().split('\n## Airlock Microgateway\n');
    const [sentence = '', table = ''] = section.split('\n|---|');
    expect(sentence).toContain('All kinds: group: `microgateway.airlock.com`;');
    expect(table.split('\n## ')[0]).not.toContain('microgateway.airlock.com');
  });
});
