import { type KubernetesObject, specOf } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { Bed, Garden, policy, waterPolicy } from '../kinds.fixture.ts';
import type { TargetReading } from './read-targets.ts';

const group = 'garden.example.com';

/** Policies with `garden: kitchen` and `beds: { matchLabels: … }` in place of Gateway API's references. */
function readSubject(resource: KubernetesObject): TargetReading {
  const { garden, beds, within } = specOf(resource) as { garden?: string; beds?: object; within?: object };
  if (garden === 'secret') throw new Error('the hedge is closed');
  const pointer = '/spec/beds';
  const namespaces =
    within === undefined ? ({ from: 'Same' } as const) : ({ from: 'Selector', selector: within } as const);
  return {
    refs: garden === undefined ? [] : [{ group, kind: 'Garden', name: garden, pointer: '/spec/garden' }],
    selectors: beds === undefined ? [] : [{ ...beds, group, kind: 'Bed', namespaces, pointer }],
    issues: garden === '' ? [{ code: 'no-garden', severity: 'error', message: 'which one?', pointer }] : [],
  };
}

const object = (kind: string, name: string, labels = {}): KubernetesObject => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name, namespace: 'south', labels },
});

function attached(spec: object) {
  const kind = waterPolicy({ readTargets: readSubject });
  const topology = createTopology({ targetKinds: [Garden, Bed], policyKinds: [kind] });
  topology.apply({
    upsert: [
      object('Garden', 'kitchen'),
      object('Bed', 'peas', { sun: 'full' }),
      object('Bed', 'mint', { sun: 'half' }),
      policy(spec),
    ],
  });
  const attachments = topology.policies(kind).flatMap((it) => it.attachments);
  return { targets: attachments.flatMap(({ target }) => target?.ref.name ?? []), issues: topology.issues };
}

describe('readTargets', () => {
  it('returns the targets of policies, by name and by label', () => {
    const beds = { matchLabels: { sun: 'half' } };
    expect(attached({ garden: 'kitchen', beds })).toEqual({ targets: ['kitchen', 'mint'], issues: [] });
  });

  it('replaces targetRefs and targetSelectors', () => {
    const targetRefs = [{ group, kind: 'Bed', name: 'peas' }];
    expect(attached({ targetRefs, targetSelectors: [{ group, kind: 'Bed' }] })).toEqual({ targets: [], issues: [] });
  });

  it.each([
    ['what it says is wrong', { garden: '' }, 'no-garden'],
    ['what it throws', { garden: 'secret' }, 'unreadable-resource'],
    ['conditions on labels that mean nothing', { beds: { matchLabels: 'sun' } }, 'invalid-target-selector'],
    ['the same of namespaces', { beds: {}, within: { matchExpressions: [{}] } }, 'invalid-target-selector'],
  ])('makes an issue of the policy of %s', (_, spec, code) => {
    const { targets, issues } = attached(spec);
    expect(issues).toMatchObject([{ code, resource: 'waterpolicy.garden.example.com:south/dry' }]);
    expect(targets).toEqual([]);
  });
});
