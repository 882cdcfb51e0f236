import { byAge, byName, byWeight } from '@policy-machinery/conflict';
import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import { type KubernetesObject, locatorOf, type ObjectMeta } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { Exhibition, Museum, museumKinds, museumResource, Namespace } from '../properties/museum.fixture.ts';
import { anySpec, compute } from '../seeds/policies.fixture.ts';

const CarePolicy = definePolicyKind({
  group: 'care.example.com',
  version: 'v1',
  kind: 'CarePolicy',
  targets: [Namespace, Museum, Exhibition],
  effectiveTargets: [Exhibition],
  order: [byWeight('care.example.com/weight'), byAge, byName],
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
  spec: anySpec,
});

/** A policy on its namespace. */
function care(name: string, namespace: string, spec: object, metadata: Partial<ObjectMeta> = {}): KubernetesObject {
  const targetRefs = [{ group: '', kind: 'Namespace', name: namespace }];
  return {
    apiVersion: 'care.example.com/v1',
    kind: 'CarePolicy',
    metadata: { name, namespace, ...metadata },
    spec: { targetRefs, ...spec },
  };
}

const namespaces = ['east', 'west'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
const tate = museumResource('Museum', 'tate', 'east', {
  refs: [{ kind: 'Exhibition', namespace: 'west', name: 'miro' }],
});
const miro = museumResource('Exhibition', 'miro', 'west', {});

describe('EffectivePolicies.refresh', () => {
  const ofEast = care('light', 'east', { light: 'dim', guide: 'east' }, { creationTimestamp: 'yesterday' });
  const ofWest = care('quiet', 'west', { guide: 'west' });

  it.each([
    ['a creation time', care('quiet', 'west', { guide: 'west' }, { creationTimestamp: '2026-01-02T00:00:00Z' })],
    ['a weight', care('quiet', 'west', { guide: 'west' }, { annotations: { 'care.example.com/weight': '1' } })],
  ])('names the objects on which a policy goes before others since it has %s', (_, older) => {
    const { topology, effective } = compute(CarePolicy, museumKinds, [...namespaces, tate, miro, ofEast, ofWest]);
    const namesOnMiro = () => effective.explain(locatorOf(miro)).policies.map(({ name }) => name);
    expect(namesOnMiro()).toEqual(['east/light', 'west/quiet']);
    effective.refresh();
    topology.apply({ upsert: [older] });
    expect(effective.refresh().objects).toEqual([locatorOf(miro), 'namespace:west']);
    expect(namesOnMiro()).toEqual(['west/quiet', 'east/light']);
  });
});
