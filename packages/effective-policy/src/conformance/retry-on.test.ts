import { patch } from '@policy-machinery/merge';
import { defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { lineage, lineageRef } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import vectors from '../../vectors/retry-on.json' with { type: 'json' };
import { anySpec, at, compute, listIn } from './policies.fixture.ts';

const Namespace = defineTargetKind({ group: '', kind: 'Namespace', scope: 'Cluster' });
const { kinds, kind, resources } = lineage('g1 > r1');
const namespace: KubernetesObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } };

/** The kind of seed 000: a namespace counts above its Gateways, and the route has a value of its own (M-13, M-14). */
const RetryOnPolicy = definePolicyKind({
  group: 'networking.example.io',
  version: 'v1alpha1',
  kind: 'RetryOnPolicy',
  targets: [Namespace, kind('g'), kind('r')],
  effectiveTargets: [kind('r')],
  spec: anySpec,
  stanzas: defaultsAndOverrides({ strategies: { patch }, spelling: 'either', together: 'defaults-and-overrides' }),
  namespaceLevels: [kind('g')],
  ownValue: ({ resource }) => {
    const retryOn = listIn(resource, 'retryOn');
    return retryOn === undefined ? undefined : { retryOn };
  },
});

const targets: Record<string, object> = {
  Namespace: { group: '', kind: 'Namespace', name: 'default' },
  Gateway: lineageRef('g1'),
  HTTPRoute: lineageRef('r1'),
};

describe('effectivePolicies on the RetryOn tables of GEP-713', () => {
  const tables = [...new Set(vectors.map(({ table }) => table))];
  it.each(tables)('%s', (name) => {
    const cells = vectors.filter(({ table }) => table === name);
    const results = cells.map(({ id, objectValue, policies }) => {
      const route = resources.map((resource) =>
        resource.kind === 'R'
          ? { ...resource, spec: { ...(resource.spec as object), retryOn: [objectValue] } }
          : resource,
      );
      const declared = policies.map((policy): KubernetesObject => {
        return {
          apiVersion: 'networking.example.io/v1alpha1',
          kind: 'RetryOnPolicy',
          metadata: {
            name: policy.id.toLowerCase(),
            namespace: 'default',
            creationTimestamp: at(policy.older ? 0 : 1),
          },
          spec: { targetRefs: [targets[policy.level]], [policy.stanza]: { retryOn: [policy.id] } },
        };
      });
      const { topology, effective } = compute(
        RetryOnPolicy,
        [Namespace, ...kinds],
        [namespace, ...(objectValue === null ? resources : route), ...declared],
      );
      expect([...topology.issues, ...effective.issues]).toEqual([]);
      const [policy] = effective.of('r.lineage.example.com:default/r1');
      const retryOn = policy === undefined ? objectValue : (policy.spec.retryOn as string[])[0];
      return [id, retryOn ?? '-'];
    });
    expect(results).toEqual(cells.map(({ id, expect: expected }) => [id, expected]));
  });
});
