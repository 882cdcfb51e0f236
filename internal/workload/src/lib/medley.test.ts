import { type AttachmentOutcome, createTopology, type TargetNode } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { medley } from './medley.ts';
import { editNames, randomChanges } from './random-changes.ts';

/** Topologies of medleys, each after some changes. */
const topologies = Array.from({ length: 60 }, (_, seed) => {
  const workload = medley({ seed });
  const changes = randomChanges(workload.resources, { seed, edits: editNames });
  for (let count = 0; count < 40; count += 1) changes.next();
  const topology = createTopology(workload);
  topology.apply({ upsert: changes.resources });
  return topology;
});

const targets = topologies.flatMap((topology) => [...topology.targets]);
const refused = topologies.flatMap((topology) => topology.refused);
const attachments = topologies.flatMap((topology) => topology.policies().flatMap((policy) => policy.attachments));
const kindOf = ({ ref }: TargetNode): string => ref.kind;
const links = targets.flatMap((from) => from.linksTo.map((to) => `${kindOf(from)} > ${kindOf(to)}`));

describe('medley', () => {
  it('is the same for the same seed, and another for another', () => {
    const written = (seed: number) => JSON.stringify(medley({ seed }).resources);
    expect(written(3)).toBe(written(3));
    expect(written(3)).not.toBe(written(4));
  });

  it('has about twenty resources', () => {
    const counts = Array.from({ length: 20 }, (_, seed) => medley({ seed }).resources.length);
    expect(Math.min(...counts)).toBeGreaterThan(15);
    expect(Math.max(...counts)).toBeLessThan(25);
  });

  it.each([
    'Gateway > ListenerSet',
    'ListenerSet > HTTPRoute',
    'HTTPRoute > HTTPRoute',
    'ServiceFrontend > HTTPRoute',
    'HTTPRoute > Service',
  ])('links %s after some changes', (link) => {
    expect(links).toContain(link);
  });

  it.each(['RefNotPermitted', 'NotAllowed', 'NotAllowedByListeners', 'Cycle'])(
    'refuses links after some changes: %s',
    (reason) => {
      expect(refused.map((it) => it.reason)).toContain(reason);
    },
  );

  it.each<AttachmentOutcome>([
    'Attached',
    'TargetNotFound',
    'SectionNotFound',
    'UnsupportedTarget',
    'ReferenceNotPermitted',
    'NothingSelected',
    'ManagedElsewhere',
  ])('has policies after some changes that are %s', (outcome) => {
    expect(attachments.map((it) => it.outcome)).toContain(outcome);
  });

  it.each(['targetRef', 'targetSelector', 'policyRef'] as const)('attaches policies by %s', (via) => {
    const attached = attachments.filter((it) => it.target !== undefined);
    expect(attached.map((it) => it.via)).toContain(via);
  });

  it('has policies for the traffic of one namespace', () => {
    expect(attachments.some(({ consumerNamespace }) => consumerNamespace !== undefined)).toBe(true);
  });
});
