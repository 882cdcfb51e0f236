import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { patch } from '@policy-machinery/merge';
import { additiveSpec, defaultsAndOverrides, definePolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import { z } from 'zod';

const Shelf = defineTargetKind({
  group: 'shop.example.com',
  kind: 'Shelf',
  *references({ spec }) {
    const { rooms = [] } = spec as { readonly rooms?: readonly string[] };
    for (const name of rooms) {
      yield { direction: 'up', to: { group: 'shop.example.com', kind: 'Room', name }, pointer: '/spec/rooms' };
    }
  },
});
const Room = defineTargetKind({ group: 'shop.example.com', kind: 'Room' });

export const PricePolicy = definePolicyKind({
  group: 'policies.example.com',
  version: 'v1',
  kind: 'PricePolicy',
  targets: [Room, Shelf],
  effectiveTargets: [Shelf],
  spec: z.looseObject({}),
  stanzas: defaultsAndOverrides({ strategies: { patch } }),
});

/** Policies that all stay. */
export const AccessPolicy = definePolicyKind({
  group: 'policies.example.com',
  version: 'v1',
  kind: 'AccessPolicy',
  targets: [Room, Shelf],
  effectiveTargets: [Shelf],
  spec: z.looseObject({}),
  stanzas: additiveSpec({ by: 'action', groups: ['DENY', 'ALLOW'], otherwise: 'ALLOW' }),
});

function object(kind: string, name: string, spec: KubernetesObject['spec']): KubernetesObject {
  const group = kind.endsWith('Policy') ? PricePolicy.group : 'shop.example.com';
  return { apiVersion: `${group}/v1`, kind, metadata: { name, namespace: 'shop' }, spec };
}

export const room = (name: string) => object('Room', name, {});
export const shelf = (...rooms: readonly string[]) => object('Shelf', 'toys', { rooms });
export const policy = (name: string, on: string, spec: object, kind = PricePolicy.kind) =>
  object(kind, name, {
    targetRefs: [{ group: 'shop.example.com', kind: on, name: on === 'Room' ? 'hall' : 'toys' }],
    ...spec,
  });

/** Returns the policies that all stay of a shop with some resources. */
export function accessIn(...resources: readonly KubernetesObject[]): EffectivePolicies<unknown> {
  const topology = createTopology({ targetKinds: [Room, Shelf], policyKinds: [AccessPolicy] });
  topology.apply({ upsert: resources });
  return effectivePolicies(topology, AccessPolicy) as EffectivePolicies<unknown>;
}

/** Returns the effective policies of a shop with some resources. */
export function shopWith(...resources: readonly KubernetesObject[]): EffectivePolicies<unknown> {
  const topology = createTopology({ targetKinds: [Room, Shelf], policyKinds: [PricePolicy] });
  topology.apply({ upsert: resources });
  return effectivePolicies(topology, PricePolicy) as EffectivePolicies<unknown>;
}
