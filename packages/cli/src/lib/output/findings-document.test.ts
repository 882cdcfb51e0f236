import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesOf, root } from '../../../../../internal/checks/files.ts';
import { explanations } from '../commands/lint.ts';
import { findingCodes } from '../model/finding-codes.ts';
import { findingsDocument } from './findings-document.fixture.ts';
import { sarif } from './sarif.ts';

/** The sources of what `lint` asks. */
const sources = filesOf(
  ...['topology', 'effective-policy', 'known-kinds', 'target-ref'].map((name) => `packages/${name}/src/lib/*.ts`),
  ...['answers', 'commands', 'covering', 'input'].map((name) => `packages/cli/src/lib/${name}/*.ts`),
).filter((path) => !/\.(?:test|fixture)\.ts$/.test(path));

/** Codes of errors that are thrown, and of findings of other commands. */
const others = new Set([
  ...['invalid-kinds', 'invalid-resources', 'invalid-policy-kind', 'invalid-virtual-resource', 'different-topologies'],
  ...[
    'invalid-lineage',
    'invalid-locator',
    'invalid-strategy',
    'duplicate-kind',
    'no-garden',
    'too-many-paths',
    'old-field',
  ],
  ...['missing-creation-timestamp', 'too-many-fields', 'schema-failed', 'invalid-condition', 'invalid-vocabulary'],
]);

describe('the codes of findings', () => {
  it('are documented, all that lint reports', () => {
    const used = sources.flatMap((path) =>
      [...readFileSync(root + path, 'utf8').matchAll(/(?:code: |error\()'([a-z]+(?:-[a-z]+)*)'/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(used.length).toBeGreaterThan(40);
    expect([...new Set(used)].filter((name) => !findingCodes.has(name) && !others.has(name)).sort()).toEqual([]);
  });

  it('have a document, with a section for each', async () => {
    const path = fileURLToPath(new URL('../../../../../docs/findings.md', import.meta.url));
    await expect(findingsDocument()).toMatchFileSnapshot(path);
  });

  it('give their meaning and the remedy in SARIF', () => {
    const { rules } = JSON.parse(sarif([{ code: 'missing-target', severity: 'error', message: 'a' }])).runs[0].tool
      .driver;
    expect(rules).toEqual([
      expect.objectContaining({
        id: 'missing-target',
        shortDescription: { text: 'A policy targets an object that does not exist.' },
        help: { text: expect.stringContaining('Create the object') },
      }),
    ]);
  });

  it('have an address in SARIF once the address of the repository is known', () => {
    const text = sarif(
      [{ code: 'missing-target', severity: 'error', message: 'a' }],
      'git+https://code.example.com/it.git',
    );
    expect(JSON.parse(text).runs[0].tool.driver.rules[0].helpUri).toBe(
      'https://code.example.com/it/blob/HEAD/docs/findings.md#missing-target',
    );
  });

  it('have their addresses in the text of lint', () => {
    const finding = { code: 'missing-target', severity: 'error', message: 'a' } as const;
    const address = 'https://code.example.com/it/blob/HEAD/docs/findings.md#missing-target';
    expect(explanations([finding, finding], 'git+https://code.example.com/it.git')).toEqual([
      `Explained at ${address}`,
    ]);
    expect(explanations([finding], undefined)).toEqual([]);
  });
});
