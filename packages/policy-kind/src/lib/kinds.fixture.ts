import type { JsonValue, KubernetesObject } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { z } from 'zod';
import { definePolicyKind } from './kind/policy-kind.ts';
import type { PolicyKindDefinition } from './kind/policy-kind-definition.ts';

/** Gardens have beds with plants in them; sections are the rows of a bed. */
const group = 'garden.example.com';
export const Garden = defineTargetKind({ group, kind: 'Garden' });
export const Bed = defineTargetKind({ group, kind: 'Bed', sections: { row: { list: () => [] } } });

export const WaterSpec = z.strictObject({
  litres: z.number().optional(),
  hours: z.array(z.number()).optional(),
  sources: z.record(z.string(), z.object({ order: z.number() })).optional(),
});

/** Returns a policy kind on gardens and beds; the parts under test are given. */
export function waterPolicy(parts: Partial<PolicyKindDefinition<typeof WaterSpec>> = {}) {
  return definePolicyKind({
    group,
    version: 'v1',
    kind: 'WaterPolicy',
    targets: [Garden, Bed],
    spec: WaterSpec,
    ...parts,
  });
}

/** Returns a policy with this spec, as an API server without validation would serve it. */
export function policy(spec?: unknown, metadata: Partial<KubernetesObject['metadata']> = {}): KubernetesObject {
  return {
    apiVersion: `${group}/v1`,
    kind: 'WaterPolicy',
    metadata: { name: 'dry', namespace: 'south', creationTimestamp: '2024-01-01T00:00:00Z', ...metadata },
    ...(spec === undefined ? {} : { spec }),
  };
}

/** Freezes a value and everything in it. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const field of Object.values(value)) deepFreeze(field as JsonValue);
  return Object.freeze(value);
}
