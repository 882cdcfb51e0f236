import type { KubernetesObject } from '@policy-machinery/resource';
import { readTargetRefs, readTargetSelectors } from '@policy-machinery/target-ref';
import { describe, expect, it } from 'vitest';
import { defineTargetKind, withCreations } from '../model/define-target-kind.ts';
import type { AttachableKind } from '../model/policy-node.ts';
import { createTopology } from '../topology.ts';
import { formatUnseen, unseenIn } from '../unseen.ts';

const group = 'park.example.com';
const Park = defineTargetKind({ group, kind: 'Park' });
const Path = defineTargetKind({
  group,
  kind: 'Path',
  references: ({ spec }) => [{ direction: 'up', to: { group, kind: 'Park', name: String(spec) }, pointer: '/spec' }],
});
/** A plan by which a controller lays paths. */
const Plan = withCreations(Path, ({ metadata: { name }, spec }) => {
  if (spec === 'broken') throw new Error('no plan');
  return [
    { group, kind: 'Path', name },
    { group, kind: 'Path', name: `${name}-*` },
  ];
});
const plan = { ...Plan, kind: 'Plan' };
const Maze = defineTargetKind({ group, kind: 'Maze', isOpaque: true, references: Path.references });
const SignPolicy: AttachableKind = {
  group,
  kind: 'SignPolicy',
  scope: 'Namespaced',
  targets: [Path],
  crossNamespace: 'refuse',
  targetRefs: (policy) => ('targetRefs' in (policy.spec as object) ? readTargetRefs(policy) : { refs: [], issues: [] }),
  targetSelectors: readTargetSelectors,
};

const object = (kind: string, name: string, spec: unknown = 'green', namespace = 'town'): KubernetesObject =>
  ({ apiVersion: `${group}/v1`, kind, metadata: { name, namespace }, spec }) as KubernetesObject;
const sign = (name: string) => object('SignPolicy', 'sign', { targetRefs: [{ group, kind: 'Path', name }] });
const selecting = object('SignPolicy', 'sign', { targetSelectors: [{ group, kind: 'Path', matchLabels: {} }] });

const topologyOf = (isWhole: boolean, ...upsert: readonly KubernetesObject[]) => {
  const targetKinds = [Park, Path, plan, Maze];
  const topology = createTopology({ targetKinds, policyKinds: [SignPolicy], isComplete: () => isWhole });
  topology.apply({ upsert });
  return topology;
};
const outcomesIn = (topology: ReturnType<typeof topologyOf>) =>
  topology.policies().flatMap(({ attachments }) => attachments.map(({ outcome }) => outcome));

describe('a policy on a created target', () => {
  it.each(['new', 'new-1', 'new-'])('is undecided by the name %s, and is not reported', (name) => {
    const topology = topologyOf(true, object('Plan', 'new'), sign(name));
    expect(outcomesIn(topology)).toEqual(['Undecided']);
    const [attachment] = topology.policies()[0]?.attachments ?? [];
    expect(attachment?.message).toBe(`targets Path town/${name}, which a controller creates for Plan town/new`);
    expect(attachment?.creator?.ref.name).toBe('new');
    expect(topology.issues).toEqual([]);
  });

  it.each([
    ['of another name', object('Plan', 'old')],
    ['in another namespace', object('Plan', 'new', 'green', 'sea')],
    ['that cannot be read', object('Plan', 'new', 'broken')],
  ])('is not undecided because of a creator %s', (_, creator) => {
    expect(outcomesIn(topologyOf(true, creator, sign('new')))).toEqual(['TargetNotFound']);
  });

  it('is decided again when its creator is created or deleted', () => {
    const topology = topologyOf(true, sign('new'));
    const creator = object('Plan', 'new');
    const outcomes = [outcomesIn(topology)];
    topology.apply({ upsert: [creator] });
    outcomes.push(outcomesIn(topology));
    topology.apply({ upsert: [object('Path', 'new')] });
    outcomes.push(outcomesIn(topology));
    topology.apply({ remove: [object('Path', 'new'), creator] });
    expect([...outcomes, outcomesIn(topology)].flat()).toEqual([
      'TargetNotFound',
      'Undecided',
      'Attached',
      'TargetNotFound',
    ]);
  });

  it('is undecided by a selector that may select it', () => {
    expect(outcomesIn(topologyOf(true, selecting))).toEqual(['NothingSelected']);
    expect(outcomesIn(topologyOf(true, object('Plan', 'new'), selecting))).toEqual(['Undecided']);
  });
});

describe('unseen resources', () => {
  const unseen = (isWhole: boolean, ...upsert: readonly KubernetesObject[]) =>
    unseenIn(topologyOf(isWhole, ...upsert)).map((it) => {
      const below = it.below && [...it.below].map(({ ref: { name } }) => name);
      return `${formatUnseen(it)}, below ${below}`;
    });

  it('are created by controllers, until the topology holds them', () => {
    const given = [object('Park', 'green'), object('Plan', 'new')];
    const one = 'Path town/new, which a controller creates for Plan town/new, is not in this input, below green';
    const some = 'Path town/new-*, which a controller creates for Plan town/new, is not in this input, below green';
    expect(unseen(false, ...given)).toEqual([one, some]);
    expect(unseen(true, ...given)).toEqual([one]);
    expect(unseen(false, ...given, object('Path', 'new'), object('Path', 'new-3'))).toEqual([]);
  });

  it('are the rules of opaque targets below a parent', () => {
    const maze = object('Maze', 'm');
    expect(unseen(true, object('Park', 'green'), maze)).toEqual([
      'the effect of Maze town/m on requests is not known, below green',
    ]);
  });
});
