import {
  append,
  atomic,
  customStrategy,
  fieldWise,
  type MergeStrategy,
  namedRules,
  patch,
} from '@policy-machinery/merge';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Bed, Garden } from '../kinds.fixture.ts';
import { envoyGateway } from '../profiles/envoy-gateway.ts';
import { gep713Experimental, kuadrant, type Profile } from '../profiles/profiles.ts';
import { additiveSpec } from '../stanzas/additive-spec.ts';
import { bareSpec } from '../stanzas/bare-spec.ts';
import { definePolicyKind } from './policy-kind.ts';

const Hose = z.object({ name: z.string(), litres: z.number().optional() });
const spec = z
  .object({
    hoses: z.array(Hose),
    limits: z.record(z.string(), z.object({ litres: z.number() })),
    soil: z.object({ kind: z.string(), labels: z.record(z.string(), z.string()) }).partial(),
    either: z.union([z.object({ sun: z.number() }), z.object({ shade: z.number() })]),
    any: z.unknown(),
    more: z.looseObject({}),
  })
  .partial();

function kindOf(schema: z.ZodType, profile: Pick<Profile, 'stanzas'>) {
  const names = { group: 'garden.example.com', version: 'v1', kind: 'WaterPolicy' };
  return definePolicyKind({ ...names, targets: [Garden, Bed], spec: schema, ...profile });
}

const merging = (strategy: MergeStrategy, schema: z.ZodType = spec) =>
  kindOf(schema, { stanzas: bareSpec({ strategies: { merge: strategy } }) });

describe('the rules of strategies', () => {
  it.each<[string, () => unknown, string]>([
    [
      'a field that the schema does not have',
      () => merging(namedRules('/limit')),
      'has a rule for /limit, which is not in the schema; the fields of the spec are hoses, limits, soil, either, any, more',
    ],
    [
      'a field within another one',
      () => merging(fieldWise({ at: { '/soil/label': 'replace' } })),
      'has a rule for /soil/label, which is not in the schema; the fields of /soil are kind, labels',
    ],
    [
      'a field of a scalar',
      () => merging(fieldWise({ at: { '/soil/kind/name': 'replace' } })),
      'has a rule for /soil/kind/name, which is not in the schema; /soil/kind does not have fields',
    ],
    [
      'a key that items lack',
      () => merging(fieldWise({ at: { '/hoses': { keys: ['nam'] } } })),
      'merges the items of /hoses by nam, which they do not have; use one of name, litres',
    ],
  ])('are refused for %s', (_, declare, fault) => {
    const message = `The strategy merge of WaterPolicy ${fault}`;
    expect(declare).toThrow(expect.objectContaining({ code: 'invalid-policy-kind', message }));
  });

  it.each<[string, MergeStrategy]>([
    [
      'fields, items and keys of the schema',
      fieldWise({ at: { '/hoses': { keys: ['name'] }, '/hoses/*/litres': 'replace' } }),
    ],
    ['any key of a map', fieldWise({ at: { '/limits/*': 'replace', '/soil/labels/app': append } })],
    ['fields of any branch of a union', fieldWise({ at: { '/either/sun': 'replace', '/either/shade': 'replace' } })],
    [
      'values that the schema does not describe',
      fieldWise({ at: { '/any/at/all': 'replace', '/more/fields': 'merge' } }),
    ],
  ])('may name %s', (_, strategy) => {
    expect(merging(strategy).issues).toEqual([]);
  });

  it('may name the fields of a schema that contains itself', () => {
    const Plot: z.ZodType = z.object({ name: z.string().optional(), parts: z.lazy(() => z.array(Plot)).optional() });
    const at = { '/parts': { keys: ['name'] }, '/parts/*/parts': { keys: ['name'] } } as const;
    expect(merging(fieldWise({ at }), Plot).issues).toEqual([]);
    expect(() => merging(namedRules('/part'), Plot)).toThrow('/part, which is not in the schema');
  });

  it('are checked as users write them, not as profiles do', () => {
    expect(kindOf(spec, envoyGateway()).kind).toBe('WaterPolicy');
    expect(() => kindOf(spec, envoyGateway({ mergeKeys: { '/hose': { keys: ['name'] } } }))).toThrow('/hose');
    expect(() => kindOf(spec, kuadrant({ rules: ['/limit'] }))).toThrow('/limit');
    expect(() => kindOf(spec, gep713Experimental({ maps: ['/label'] }))).toThrow('/label');
  });

  it('are not checked against a schema that does not declare its fields', () => {
    expect(merging(namedRules('/limit'), z.any()).issues).toEqual([]);
  });
});

describe('the issues of a kind', () => {
  const required = z.object({ litres: z.number(), place: z.string().optional() });
  const filled = z.object({ soil: z.object({ depth: z.number().default(3) }).optional() });
  const codesOf = ({ issues }: { readonly issues: readonly { readonly code: string }[] }) =>
    issues.map(({ code }) => code);

  it('name each field that is merged although every policy must set it', () => {
    expect(merging(patch, required).issues).toEqual([
      {
        code: 'required-field',
        severity: 'warning',
        message: 'each policy must set /litres, so no policy inherits it; make it optional in the schema',
        resource: 'WaterPolicy',
      },
    ]);
  });

  it('name each default of a field that is merged', () => {
    expect(merging(fieldWise(), filled).issues).toEqual([
      {
        code: 'unused-default',
        severity: 'warning',
        message:
          'no policy gets the default of /soil/depth, because it would count as set; remove the default from the schema',
        resource: 'WaterPolicy',
      },
    ]);
  });

  it.each<[string, z.ZodType, Pick<Profile, 'stanzas'>]>([
    ['specs that are taken whole', required, { stanzas: bareSpec({ strategies: { atomic } }) }],
    ['policies that all count', required, { stanzas: additiveSpec({ groups: ['DENY'] }) }],
    [
      'recipes',
      required,
      { stanzas: bareSpec({ strategies: { own: customStrategy({ defaults: (draft) => draft }) } }) },
    ],
    [
      'named rules that are taken whole',
      z.object({ limits: z.record(z.string(), z.object({ litres: z.number().default(3) })) }),
      kuadrant({ rules: ['/limits'] }),
    ],
    ['parts that are taken whole', filled, { stanzas: bareSpec({ strategies: { shallow: fieldWise({ depth: 1 }) } }) }],
    [
      'a union, which needs a field to tell its branches apart',
      z.union([required, z.object({ soil: z.string() })]),
      { stanzas: bareSpec({ strategies: { patch } }) },
    ],
  ])('do not name fields of %s', (_, schema, profile) => {
    expect(codesOf(kindOf(schema, profile))).toEqual([]);
  });
});
