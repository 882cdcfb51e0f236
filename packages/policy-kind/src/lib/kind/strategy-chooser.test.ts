import { atomic, customStrategy, jsonPatch, none, patch, shallow } from '@policy-machinery/merge';
import { createTopology } from '@policy-machinery/topology';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type AttachedLayer,
  byAnnotation,
  byChallenger,
  byConfiguration,
  byEstablished,
  defaultsAndOverrides,
  definePolicyKind,
  envoyGateway,
  gep713,
  gep713Experimental,
  kgateway,
  kuadrant,
  nginxGatewayFabric,
  type StrategyChoice,
} from '../../index.ts';

const { kinds, kind, resources } = lineage('a1');
const Colors = definePolicyKind({
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  targets: kinds,
  spec: z.record(z.string(), z.unknown()),
  stanzas: defaultsAndOverrides({ strategies: { atomic, patch } }),
});

/** A policy on a1, which has an annotation. */
function attached(spec: object, priority?: string): AttachedLayer {
  const topology = createTopology({ targetKinds: [kind('a')] });
  const annotations: Record<string, string> = priority === undefined ? {} : { 'example.com/priority': priority };
  topology.apply({ upsert: resources.map((it) => ({ ...it, metadata: { ...it.metadata, annotations } })) });
  const resource = { apiVersion: 'colors.example.com/v1', kind: 'ColorPolicy', metadata: { name: 'p' }, spec };
  const [layer] = Colors.read(resource).policy?.layers ?? [];
  const [target] = topology.targets;
  if (layer === undefined || target === undefined) throw new Error('no layer');
  return { layer, target };
}

const established = attached({ overrides: { strategy: 'patch', a: 1 } }, 'parent');
const challenger = attached({ a: 2 }, 'child');
const shown = ({ strategy: { granularity }, stanza, dialectName }: StrategyChoice) => [
  granularity,
  stanza,
  dialectName,
];

describe('the policy that chooses the strategy (X-06, K-09)', () => {
  const preferParent: StrategyChoice = { strategy: shallow, stanza: 'overrides' };
  const byPriority = byAnnotation({ annotation: 'example.com/priority', values: { parent: preferParent } });

  it.each([
    ['the established policy (C-05)', byEstablished, ['Patch', 'overrides', 'patch']],
    ['the challenger (E-01)', byChallenger, ['Atomic', 'defaults', 'atomic']],
    ['the less specific target, by an annotation (G-05)', byPriority, ['Custom', 'overrides', 'parent']],
    ['the configuration (P-08)', byConfiguration(preferParent), ['Custom', 'overrides', undefined]],
  ])('%s', (_who, chooser, expected) => {
    expect(shown(chooser.choose(established, challenger))).toEqual(expected);
  });

  it.each([['unknown'], ['constructor'], [undefined]])('falls back where the annotation says %s', (priority) => {
    expect(shown(byPriority.choose(attached({ a: 1 }, priority), challenger))).toEqual([
      'Atomic',
      'defaults',
      undefined,
    ]);
  });
});

describe('profiles', () => {
  it.each([gep713, gep713Experimental, kuadrant, kgateway, envoyGateway, nginxGatewayFabric])(
    'refuse a declaration that spreads %o without calling it',
    (profile) => {
      const { name } = profile;
      const base = {
        group: 'colors.example.com',
        version: 'v1',
        kind: 'ColorPolicy',
        targets: kinds,
        spec: z.object({}),
      };
      // @ts-expect-error It does not compile either.
      expect(() => definePolicyKind({ ...base, ...profile })).toThrow(
        `ColorPolicy spreads the profile ${name} without calling it; write ...${name}()`,
      );
    },
  );

  it('are values that a declaration may replace field by field', () => {
    const kind = definePolicyKind({
      ...gep713(),
      sameLevel: 'oldest-wins',
      group: 'colors.example.com',
      version: 'v1',
      kind: 'ColorPolicy',
      targets: kinds,
      spec: z.object({}),
    });
    expect([kind.sameLevel, Object.keys(kind.stanzas.strategies)]).toEqual(['oldest-wins', ['atomic', 'patch']]);
  });
});

describe('definePolicyKind', () => {
  it.each([
    [
      'as a default that cannot be selected',
      () => defaultsAndOverrides({ strategies: { atomic }, defaultStrategy: none }),
    ],
    [
      'within objects',
      () =>
        definePolicyKind({
          ...Colors,
          spec: z.object({}),
          withinObject: { strategy: none, stanza: 'defaults' },
        } as never),
    ],
    [
      'of an annotation',
      () =>
        definePolicyKind({
          ...Colors,
          spec: z.object({}),
          strategyChooser: byAnnotation({ annotation: 'a', values: { keep: { strategy: none, stanza: 'defaults' } } }),
        } as never),
    ],
    [
      'of a configuration',
      () =>
        definePolicyKind({
          ...Colors,
          spec: z.object({}),
          strategyChooser: byConfiguration({ strategy: none, stanza: 'defaults' }),
        } as never),
    ],
    [
      "in a reader of one's own",
      () =>
        definePolicyKind({
          ...Colors,
          spec: z.object({}),
          stanzas: { strategies: { none, atomic }, read: () => ({ layers: [], faults: [] }) },
        } as never),
    ],
  ])('refuses None beside other strategies: %s (C-07)', (_where, declare) => {
    expect(declare).toThrow(expect.objectContaining({ code: 'invalid-policy-kind' }));
  });

  it.each([
    ['gep-stack', { fold: 'gep-stack' }],
    ['withinObject', { withinObject: { strategy: patch, stanza: 'defaults' } }],
    ['levels that meet as one', { strategyChooser: byChallenger }],
  ])('refuses JSON Patches, which cannot be combined, besides %s', (_what, options) => {
    const declare = (more: object) =>
      definePolicyKind({
        ...{ ...Colors, order: undefined },
        spec: z.object({}),
        stanzas: defaultsAndOverrides({ strategies: { patch, jsonPatch: jsonPatch() } }),
        ...more,
      } as never);
    expect(() => declare(options)).toThrow(expect.objectContaining({ code: 'invalid-policy-kind' }));
    expect(() => declare({})).not.toThrow();
  });

  it('refuses to choose a strategy for a stanza that it does not support', () => {
    const onlyDefaults = customStrategy({ defaults: () => undefined });
    const strategyChooser = byConfiguration({ strategy: onlyDefaults, stanza: 'overrides' });
    expect(() => definePolicyKind({ ...Colors, spec: z.object({}), strategyChooser } as never)).toThrow(
      'ColorPolicy chooses a strategy for overrides that does not support them',
    );
  });
});
