import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Bed, Garden, policy } from '../kinds.fixture.ts';
import { additiveSpec } from '../stanzas/additive-spec.ts';
import { bareSpec } from '../stanzas/bare-spec.ts';
import { defaultsAndOverrides } from '../stanzas/defaults-and-overrides.ts';
import { guardedRules } from '../stanzas/guarded-rules.ts';
import type { StanzaReader } from '../stanzas/stanza-reader.ts';
import { withConditions } from '../stanzas/with-conditions.ts';
import { withUnset } from '../stanzas/with-unset.ts';
import { definePolicyKind } from './policy-kind.ts';

const always = { compile: () => () => ({ holds: true }) };

function kindWith(field: string, stanzas: StanzaReader) {
  const spec = z.strictObject({ litres: z.number(), [field]: z.string() }).partial();
  const names = { group: 'garden.example.com', version: 'v1', kind: 'WaterPolicy' };
  return definePolicyKind({ ...names, targets: [Garden, Bed], spec, stanzas });
}

describe('a schema with a field of the name that', () => {
  it.each<[string, string, StanzaReader]>([
    ['names targets', 'targetRefs', bareSpec()],
    ['selects a strategy', 'strategy', defaultsAndOverrides()],
    ['selects a strategy by a name of its own', 'mergeType', bareSpec({ strategyField: 'mergeType' })],
    ['holds a stanza', 'defaults', defaultsAndOverrides()],
    ['has a condition', 'when', withConditions(defaultsAndOverrides(), always)],
    ['lists what is unset', 'unset', withUnset(defaultsAndOverrides())],
    ['names the group', 'action', additiveSpec({ by: 'action', groups: ['DENY', 'ALLOW'] })],
  ])('%s is refused, because no policy could set the field', (_, field, stanzas) => {
    const message = `The schema of WaterPolicy never gets ${field}, which its stanza reader takes from specs; rename the field in the schema or in the options of the reader`;
    expect(() => kindWith(field, stanzas)).toThrow(expect.objectContaining({ code: 'invalid-policy-kind', message }));
  });

  it.each<[string, string, StanzaReader]>([
    ['selects a strategy in other kinds', 'strategy', bareSpec({ strategyField: false })],
    ['has a condition under another name', 'when', withConditions(bareSpec(), always, { field: 'onlyIf' })],
    ['guards rules', 'when', guardedRules(bareSpec(), { rules: ['/limits'] })],
  ])('%s is kept, and policies set it', (_, field, stanzas) => {
    const { policy: read } = kindWith(field, stanzas).read(policy({ [field]: 'x' }));
    expect(read?.layers.map(({ spec }) => spec)).toEqual([{ [field]: 'x' }]);
  });
});
