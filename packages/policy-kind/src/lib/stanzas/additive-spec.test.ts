import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { definePolicyKind } from '../kind/policy-kind.ts';
import { Garden, policy } from '../kinds.fixture.ts';
import { additiveSpec, isAdditive } from './additive-spec.ts';
import { bareSpec } from './bare-spec.ts';

const groups = ['Forbid', 'Permit'] as const;
const stanzas = additiveSpec({ by: 'action', groups, otherwise: 'Permit', targetFields: ['selector'] });
const spec = z.strictObject({ hours: z.array(z.number()).optional() });
const names = { group: 'garden.example.com', version: 'v1', kind: 'WaterPolicy', targets: [Garden] };
const WaterPolicy = definePolicyKind({ ...names, spec, stanzas });

const specOf = (said: Parameters<typeof policy>[0]) => WaterPolicy.read(policy(said)).policy?.layers[0]?.spec;

describe('additiveSpec', () => {
  it('puts the spec under its group and the name of its policy', () => {
    const { name } = WaterPolicy.read(policy({})).policy ?? {};
    expect(specOf({ action: 'Forbid', hours: [12] })).toEqual({ Forbid: { [String(name)]: { hours: [12] } } });
  });

  it('gives policies that name no group the one for them', () => {
    expect(Object.keys(specOf({ hours: [12] }) ?? {})).toEqual(['Permit']);
    expect(Object.keys(specOf({ action: null }) ?? {})).toEqual(['Permit']);
  });

  it('leaves targets out, in whichever fields they are', () => {
    const said = { targetRefs: [], selector: { matchLabels: {} }, hours: [1] };
    expect(Object.values(specOf(said)?.Permit ?? {})).toEqual([{ hours: [1] }]);
  });

  it('keeps all policies in one group if no field selects one', () => {
    const stanzas = additiveSpec({ groups: ['policies'] });
    const [layer] =
      definePolicyKind({ ...names, spec: z.looseObject({}), stanzas }).read(policy({ action: 'Forbid' })).policy
        ?.layers ?? [];
    expect(Object.values(layer?.spec.policies ?? {})).toEqual([{ action: 'Forbid' }]);
  });

  it.each([['Warn'], [1], [{}], ['toString']])('refuses the group %j', (action) => {
    const { policy: read, issues } = WaterPolicy.read(policy({ action }));
    expect(read).toBeUndefined();
    expect(issues).toMatchObject([
      { code: 'invalid-spec', message: 'action must be one of "Forbid", "Permit"', pointer: '/spec/action' },
    ]);
  });

  it('reports the faults of the schema at their places in the policy', () => {
    const { issues } = WaterPolicy.read(policy({ action: 'Forbid', hours: ['noon'] }));
    expect(issues.map(({ pointer }) => pointer)).toEqual(['/spec/hours/0']);
  });

  it('refuses a group that is given twice', () => {
    expect(() => additiveSpec({ groups: ['a', 'b', 'a'] })).toThrow('The group "a" is given twice; leave one out');
  });

  it('establishes the older policy of a level, so that it comes first', () => {
    expect(WaterPolicy.sameLevel).toBe('established-challenger');
    expect(definePolicyKind({ ...names, spec, stanzas, sameLevel: 'oldest-wins' }).sameLevel).toBe('oldest-wins');
  });

  it('describes the field of the group, for CustomResourceDefinitions', () => {
    expect(stanzas.shape?.fields.action).toMatchObject({ type: 'string', enum: ['Forbid', 'Permit'] });
  });
});

describe('isAdditive', () => {
  it('is true of readers that keep all policies', () => {
    expect([stanzas, bareSpec()].map(isAdditive)).toEqual([true, false]);
  });
});
