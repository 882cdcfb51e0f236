import { atomic, customStrategy, patch } from '@policy-machinery/merge';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { Bed, Garden, policy, waterPolicy } from '../kinds.fixture.ts';
import type { Layer } from '../policies/policy.ts';
import { additiveSpec } from '../stanzas/additive-spec.ts';
import { bareSpec } from '../stanzas/bare-spec.ts';
import { defaultsAndOverrides } from '../stanzas/defaults-and-overrides.ts';
import { withUnset } from '../stanzas/with-unset.ts';
import { definePolicyKind, type PolicyKind } from './policy-kind.ts';
import { byConfiguration } from './strategy-chooser.ts';

const names = { group: 'garden.example.com', version: 'v1', kind: 'WaterPolicy' };

describe('definePolicyKind', () => {
  const kind = definePolicyKind({
    ...names,
    targets: [Garden, Bed.sections.row],
    effectiveTargets: [Bed],
    spec: z.object({ litres: z.number().optional(), place: z.string().transform((place) => place.length) }),
    ownValue: () => ({ place: 'bed' }),
  });
  interface Spec {
    litres?: number | undefined;
    place: string;
  }

  it('infers the spec from the input of the schema', () => {
    expectTypeOf(kind).toEqualTypeOf<PolicyKind<Spec>>();
    expectTypeOf(kind.read(policy({})).policy?.layers[0]).toEqualTypeOf<Layer<Spec> | undefined>();
    expectTypeOf(kind.read(policy({})).policy?.layers[0]?.spec.place).toEqualTypeOf<string | undefined>();
  });

  it('infers that an additive kind has the specs of all policies, by group and name, through wrapped readers too', () => {
    const stanzas = withUnset(additiveSpec({ by: 'action', groups: ['DENY', 'ALLOW'] }));
    const additive = definePolicyKind({ ...names, targets: [Garden], spec: z.object({ litres: z.number() }), stanzas });
    interface Specs {
      readonly [policy: string]: { litres: number };
    }
    expectTypeOf(additive).toEqualTypeOf<PolicyKind<{ readonly DENY?: Specs; readonly ALLOW?: Specs }>>();
    // @ts-expect-error That group is not one of the kind.
    additiveSpec({ groups: ['DENY'], otherwise: 'ALLOW' });
  });

  it('rejects strategies for the spec of another kind, wherever they are named', () => {
    interface Other {
      readonly hours: number;
    }
    const strategy = customStrategy<Other>({ defaults: (draft) => draft });
    const own = customStrategy<{ readonly litres?: number | undefined }>({ defaults: (draft) => draft });
    const spec = z.object({ litres: z.number().optional() });
    const declared = { ...names, targets: [Garden], spec };
    definePolicyKind({ ...declared, stanzas: bareSpec({ strategies: { atomic, own } }) });
    definePolicyKind({ ...declared, strategyChooser: byConfiguration({ strategy: own, stanza: 'defaults' }) });
    // @ts-expect-error Its specs have no hours.
    definePolicyKind({ ...declared, stanzas: bareSpec({ strategies: { atomic, strategy } }) });
    // @ts-expect-error Its specs have no hours.
    definePolicyKind({ ...declared, stanzas: withUnset(defaultsAndOverrides({ strategies: { strategy } })) });
    // @ts-expect-error Its specs have no hours.
    definePolicyKind({ ...declared, strategyChooser: byConfiguration({ strategy, stanza: 'defaults' }) });
    // @ts-expect-error Its specs have no hours.
    definePolicyKind({ ...declared, withinObject: { strategy, stanza: 'defaults' } });
  });

  it('accepts only kinds and sections as targets', () => {
    const spec = z.object({});
    // @ts-expect-error A group and kind do not define a target.
    definePolicyKind({ ...names, targets: [{ group: '', kind: 'Service' }], spec });
    // @ts-expect-error Names of kinds are no targets.
    definePolicyKind({ ...names, targets: ['Garden'], spec });
    // @ts-expect-error Beds have no such section.
    definePolicyKind({ ...names, targets: [Bed.sections.corner], spec });
    // @ts-expect-error Gardens have no sections.
    definePolicyKind({ ...names, targets: [Garden.sections.row], spec });
  });

  it('requires a Standard Schema, and own values that fit it', () => {
    // @ts-expect-error No schema.
    definePolicyKind({ ...names, targets: [Garden], spec: { litres: 'number' } });
    // @ts-expect-error Litres are numbers.
    waterPolicy({ ownValue: () => ({ litres: 'many' }) });
  });

  it('keeps policies and layers read-only', () => {
    const { policy: read } = kind.read(policy({}));
    // @ts-expect-error Policies are not changed.
    if (read) read.name = 'x';
    // @ts-expect-error Layers are not added.
    read?.layers.push();
  });

  it('takes only the name of one of the strategies as the default', () => {
    defaultsAndOverrides({ strategies: { atomic, patch }, defaultStrategy: 'patch' });
    bareSpec({ strategies: { patch }, defaultStrategy: atomic });
    // @ts-expect-error The kind has no strategy of that name.
    defaultsAndOverrides({ strategies: { patch }, defaultStrategy: 'atomic' });
    // @ts-expect-error The kind has no strategy of that name.
    bareSpec({ strategies: { patch }, defaultStrategy: 'atomic' });
  });
});
