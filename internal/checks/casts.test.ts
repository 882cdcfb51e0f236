import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesOf, root } from './files.ts';

/**
 * How many casts the sources of each package may have: `value as Type`, but not `as const`, and `value!`. A cast that is wrong is a crash far away, so
 * values of others are checked instead: `objectIn`, `objectsIn` and `stringIn` of the package resource read fields that may hold anything.
 */
const most: Readonly<Record<string, number>> = {
  admission: 3,
  cli: 22,
  cluster: 5,
  conditions: 1,
  conformance: 14,
  controller: 6,
  crd: 8,
  'effective-policy': 62,
  'gateway-api': 23,
  guarantees: 5,
  'known-kinds': 7,
  merge: 28,
  'policy-kind': 7,
  'policy-status': 28,
  report: 4,
  resource: 18,
  'target-ref': 9,
  topology: 56,
};

function castsIn(text: string): number {
  let count = 0;
  const visit = (node: ts.Node): void => {
    const isCast = ts.isAsExpression(node) ? !ts.isConstTypeReference(node.type) : ts.isNonNullExpression(node);
    if (isCast) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.ES2023));
  return count;
}

const counts: Record<string, number> = {};
for (const path of filesOf('packages/*/src/**/*.ts')) {
  if (/\.(?:test|test-d|fixture)\.ts$/.test(path)) continue;
  const name = path.split('/')[1] ?? '';
  counts[name] = (counts[name] ?? 0) + castsIn(readFileSync(root + path, 'utf8'));
}

describe.each(Object.entries(counts))('the sources of %s', (name, count) => {
  it(`have at most ${most[name] ?? 0} casts: check the value, or give it a type`, () => {
    expect(count).toBeLessThanOrEqual(most[name] ?? 0);
  });
});

it('Casts are counted, but not those to a constant', () => {
  expect(castsIn('const a = (b as unknown as C).d!; const e = [1] as const;')).toBe(3);
});
