import { definePolicyKind, gep713 } from '@policy-machinery/policy-kind';
import { objectsIn, specOf } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { z } from 'zod';
import type { Workload } from './workload.ts';
import { createWorld, type SeedOptions } from './world.ts';

const group = 'ladder.example.com';

/** A made-up kind: each step stands below the steps that it names. */
const Step = defineTargetKind({
  group,
  kind: 'Step',
  *references(step) {
    for (const [index, { name }] of objectsIn(specOf(step).above).entries()) {
      yield { direction: 'up', to: { group, kind: 'Step', name: String(name) }, pointer: `/spec/above/${index}` };
    }
  },
});

const StepPolicy = definePolicyKind({
  ...gep713(),
  group,
  version: 'v1',
  kind: 'StepPolicy',
  targets: [Step],
  spec: z.strictObject({ height: z.int(), colors: z.record(z.string(), z.string()) }).partial(),
});

/** How long the ladder is. */
export interface LadderOptions extends SeedOptions {
  /** Default 40. */
  readonly diamonds?: number;
}

/**
 * Returns a chain of diamonds: `joint-0`, two steps below it, `joint-1` below both, and so on. So many diamonds have
 * 2^diamonds paths to the last joint; every path passes the same policies, one on every fourth joint, and so there is one context.
 *
 * @param options How long, and the seed.
 * @returns Steps, and policies, of kinds made up for this.
 */
export function ladder({ diamonds = 40, ...seed }: LadderOptions = {}): Workload {
  const { random, server, state } = createWorld(seed);
  const namespace = 'default';
  const step = (name: string, ...above: readonly string[]): void => {
    state.upsert(server.create(Step, { name, namespace }, { spec: { above: above.map((name) => ({ name })) } }));
  };
  step('joint-0');
  for (let index = 0; index < diamonds; index += 1) {
    step(`left-${index}`, `joint-${index}`);
    step(`right-${index}`, `joint-${index}`);
    step(`joint-${index + 1}`, `left-${index}`, `right-${index}`);
  }
  const stanzas = ['defaults', 'overrides'];
  for (let index = 0; index <= diamonds; index += 4) {
    const proper = { strategy: 'patch', height: index, colors: { [random.pick(['left', 'right'])]: `shade-${index}` } };
    const targetRefs = [{ group, kind: Step.kind, name: `joint-${index}` }];
    const spec = { targetRefs, [random.pick(stanzas)]: proper };
    state.upsert(server.create(StepPolicy, { name: `policy-${index}`, namespace }, { spec }));
  }
  return { targetKinds: [Step], policyKinds: [StepPolicy], resources: state.all };
}
