import type { JsonObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Bed, Garden, policy } from '../kinds.fixture.ts';
import { defaultsAndOverrides } from '../stanzas/defaults-and-overrides.ts';
import type { OtherVersion } from './other-version.ts';
import { definePolicyKind } from './policy-kind.ts';

const waterPolicy = (otherVersions: readonly OtherVersion[], more: { readonly storedVersion?: string } = {}) =>
  definePolicyKind({
    group: 'garden.example.com',
    version: 'v1',
    kind: 'WaterPolicy',
    targets: [Garden, Bed],
    spec: z.strictObject({ litres: z.number() }).partial(),
    stanzas: defaultsAndOverrides(),
    otherVersions,
    ...more,
  });

/** A policy of the version `v1beta1`. */
const older = (spec: JsonObject) => ({ ...policy(spec), apiVersion: 'garden.example.com/v1beta1' });

const inMillilitres: OtherVersion = {
  version: 'v1beta1',
  spec: z.strictObject({ millilitres: z.number() }).partial(),
  convert: ({ millilitres }) => ({ litres: Number(millilitres) / 1000 }),
};

describe('a policy kind with several versions', () => {
  it('is read in its own version first, which is stored unless it says otherwise', () => {
    const kind = waterPolicy([{ version: 'v1beta1' }]);
    expect(kind.versions).toEqual(['v1', 'v1beta1']);
    expect(kind.storedVersion).toBe('v1');
    expect(waterPolicy([{ version: 'v1beta1' }], { storedVersion: 'v1beta1' }).storedVersion).toBe('v1beta1');
  });

  it('reads policies of each without a warning', () => {
    const { policy: read, issues } = waterPolicy([{ version: 'v1beta1' }]).read(older({ overrides: { litres: 2 } }));
    expect(issues).toEqual([]);
    expect(read?.layers.map(({ spec }) => spec)).toEqual([{ litres: 2 }]);
  });

  it('converts the fields of another version, in each stanza', () => {
    const kind = waterPolicy([inMillilitres]);
    for (const spec of [
      { millilitres: 500 },
      { defaults: { millilitres: 500 } },
      { overrides: { millilitres: 500 } },
    ]) {
      expect(kind.read(older(spec)).policy?.layers.map((layer) => layer.spec)).toEqual([{ litres: 0.5 }]);
    }
    expect(kind.read(policy({ litres: 1 })).policy?.layers.map(({ spec }) => spec)).toEqual([{ litres: 1 }]);
  });

  it.each<[string, OtherVersion, JsonObject, string]>([
    ['what its version does not have', inMillilitres, { litres: 1 }, 'Unrecognized key: "litres"'],
    [
      'what cannot be converted',
      {
        version: 'v1beta1',
        convert() {
          throw new Error('no unit');
        },
      },
      {},
      'cannot be converted from v1beta1 to v1: no unit',
    ],
    [
      'what becomes no object',
      { version: 'v1beta1', convert: () => [] as never },
      {},
      'cannot be converted from v1beta1 to v1: the result is not a JSON object',
    ],
    [
      'what becomes invalid',
      { version: 'v1beta1', convert: () => ({ litres: 'two' }) },
      {},
      'Invalid input: expected number, received string',
    ],
  ])('leaves out a policy with %s', (_, other, spec, message) => {
    const { policy: read, issues } = waterPolicy([other]).read(older(spec));
    expect(read).toBeUndefined();
    expect(issues.map((it) => it.message)).toEqual([message]);
  });

  it.each([
    ['a version twice', [{ version: 'v1' }], undefined, 'WaterPolicy names the version v1 twice; name it once'],
    ['a name that no version has', [{ version: 'V1' }], undefined, 'V1'],
    ['a stored version that it does not have', [], 'v2', 'WaterPolicy is stored as v2'],
  ])('refuses %s', (_, otherVersions, storedVersion, message) => {
    expect(() => waterPolicy(otherVersions, storedVersion === undefined ? {} : { storedVersion })).toThrow(message);
  });
});
