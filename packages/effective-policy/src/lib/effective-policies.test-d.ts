import { definePolicyKind } from '@policy-machinery/policy-kind';
import { createTopology, defineTargetKind } from '@policy-machinery/topology';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { effectivePolicies } from './effective-policies.ts';

const Museum = defineTargetKind({ group: 'museum.example.com', kind: 'Museum' });
const OpeningPolicy = definePolicyKind({
  group: 'museum.example.com',
  version: 'v1',
  kind: 'OpeningPolicy',
  targets: [Museum],
  spec: z.object({ hours: z.number().optional() }),
});
const effective = effectivePolicies(createTopology({ targetKinds: [Museum] }), OpeningPolicy);

describe('effectivePolicies', () => {
  it('types the effective spec, and the specs of its origins, by the schema of the kind', () => {
    for (const policy of effective) {
      expectTypeOf(policy.spec).toEqualTypeOf<{ hours?: number | undefined }>();
      expectTypeOf(policy.originOf('/hours')?.spec.hours).toEqualTypeOf<number | undefined>();
    }
  });

  it('gives contexts without a policy no spec', () => {
    for (const context of effective.uncovered()) expectTypeOf(context).not.toHaveProperty('spec');
  });
});
