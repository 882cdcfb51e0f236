import { type MergeStrategy, patch } from '@policy-machinery/merge';
import { bareSpec, definePolicyKind } from '@policy-machinery/policy-kind';
import { createTopology } from '@policy-machinery/topology';
import { lineage } from '@policy-machinery/topology/testing';
import { describe, expect, it } from 'vitest';
import { anySpec, colorPolicy, specsByPath } from '../conformance/policies.fixture.ts';
import { effectivePolicies } from './effective-policies.ts';
import type { Verdict } from './levels/verdict.ts';
import { createTrial } from './trial.ts';

const { kind, kinds, resources } = lineage('g1 > r1', 'g1 > r2', 'g2 > r2');
const locatorOf = (name: string) => `${name.charAt(0)}.lineage.example.com:default/${name}`;
const named = (name: string) => `colorpolicy.colors.example.com:default/${name}`;

const definition = {
  group: 'colors.example.com',
  version: 'v1',
  kind: 'ColorPolicy',
  targets: [kind('g'), kind('r')],
  effectiveTargets: [kind('r')],
  stanzas: bareSpec({ strategies: { patch } }),
  spec: anySpec,
} as const;
const Colors = definePolicyKind(definition);
/** The specs where no policy applies. */
const noSpecs = { 'g1>r1': null, 'g1>r2': null, 'g2>r2': null };

const outer = colorPolicy('outer', 'g1', { color: 'grey', shade: 'dark' }, 1);
const inner = colorPolicy('inner', 'r1', { color: 'red' }, 2);

function world() {
  const verdicts: Record<string, Verdict> = {};
  const topology = createTopology({ targetKinds: kinds, policyKinds: [Colors] });
  topology.apply({ upsert: [...resources, outer, inner] });
  const effective = effectivePolicies(topology, Colors, { verdict: ({ name }) => verdicts[name] });
  return { topology, effective, verdicts };
}

describe('createTrial', () => {
  it('answers with the change applied, and names the touched targets', () => {
    const { effective } = world();
    const before = specsByPath(effective);
    const tried = createTrial(effective).of({ remove: [inner] }, ({ effective: after, delta, changes: [change] }) => {
      return {
        specs: specsByPath(after),
        removed: delta.removed,
        targets: change?.targets,
        policies: change?.policies,
      };
    });
    expect(tried).toEqual({
      specs: { ...before, 'g1>r1': { color: 'grey', shade: 'dark' } },
      removed: [named('inner')],
      targets: [locatorOf('r1')],
      policies: expect.arrayContaining([named('inner'), named('outer')]),
    });
    expect(specsByPath(effective)).toEqual(before);
  });

  it('takes a change back after the question, even if that throws', () => {
    const { effective } = world();
    const trial = createTrial(effective);
    const specs = () => trial.of({}, ({ effective: same, changes }) => [specsByPath(same), changes[0]?.targets]);
    const before = [specsByPath(effective), []];
    trial.of({ remove: [outer, locatorOf('g2')] }, () => 0);
    expect(specs()).toEqual(before);
    const fail = () => {
      throw new Error('no answer');
    };
    expect(() => trial.of({ remove: [inner] }, fail)).toThrow('no answer');
    expect(specs()).toEqual(before);
  });

  it('merges no context again when a change is taken back', () => {
    let merges = 0;
    const counted: MergeStrategy = {
      ...patch,
      defaults: (established, challenger) => {
        merges += 1;
        return patch.defaults(established, challenger);
      },
    };
    const kind = definePolicyKind({ ...definition, stanzas: bareSpec({ strategies: { counted } }) });
    const topology = createTopology({ targetKinds: kinds, policyKinds: [kind] });
    topology.apply({ upsert: [...resources, outer, inner] });
    const trial = createTrial(effectivePolicies(topology, kind));
    for (const _ of trial.compute());
    trial.of({ upsert: [colorPolicy('inner', 'r1', { color: 'blue' }, 2)] }, ({ changes }) => changes);
    const tried = merges;
    trial.of({}, ({ effective }) => specsByPath(effective));
    expect(tried).toBeGreaterThan(0);
    expect(merges).toBe(tried);
  });

  it('does not show changes to readers of the live effective policies', () => {
    const { effective } = world();
    const changes = effective.changes();
    createTrial(effective).of({ remove: [outer] }, () => 0);
    const { targets, policies, affectedObjects } = changes.take();
    expect([targets, policies, affectedObjects]).toEqual([[], [], []]);
  });

  it('follows changes and verdicts', () => {
    const { topology, effective, verdicts } = world();
    const trial = createTrial(effective);
    const specs = () => trial.of({}, ({ effective: same }) => specsByPath(same));
    expect(specs()).toEqual(specsByPath(effective));
    topology.apply({ remove: [outer] });
    verdicts['default/inner'] = { message: 'The Secret does not exist.' };
    effective.reconsider([inner].map(() => named('inner')));
    expect(specsByPath(effective)).toEqual(noSpecs);
    expect(specs()).toEqual(noSpecs);
  });

  it('keeps specs and origins that a question returns', () => {
    const { effective } = world();
    const trial = createTrial(effective);
    const changed = colorPolicy('inner', 'r1', { color: 'blue' }, 2);
    const [policy] = trial.of({ upsert: [changed] }, ({ effective: after }) => after.of(locatorOf('r1')));
    expect(policy?.spec).toEqual({ color: 'blue', shade: 'dark' });
    expect(policy?.originOf('/color')?.policy.resource).toBe(changed);
  });

  it('supports several kinds of one topology', () => {
    const Shapes = definePolicyKind({ ...definition, kind: 'ShapePolicy' });
    const topology = createTopology({ targetKinds: kinds, policyKinds: [Colors, Shapes] });
    const views = [effectivePolicies(topology, Colors), effectivePolicies(topology, Shapes)] as const;
    const names = createTrial(views).of({}, ({ effective }) => effective.map((view) => view.kind.kind));
    expect(names).toEqual(['ColorPolicy', 'ShapePolicy']);
    for (const some of [[], [views[0], world().effective]]) {
      expect(() => createTrial(some)).toThrow(expect.objectContaining({ code: 'different-topologies' }));
    }
  });

  it('computes in slices, with changes and trials in between', () => {
    const { topology, effective } = world();
    const trial = createTrial(effective);
    const isUpToDate = [trial.isUpToDate];
    let pieces = 0;
    for (const _ of trial.compute({ size: 1 })) {
      pieces += 1;
      if (pieces === 3) topology.apply({ remove: [inner] });
      if (pieces !== 4) continue;
      expect(trial.of({ remove: [outer] }, ({ effective: after }) => specsByPath(after))).toEqual(noSpecs);
    }
    expect(pieces).toBeGreaterThan(resources.length);
    expect([...isUpToDate, trial.isUpToDate]).toEqual([false, true]);
    expect(trial.of({}, ({ effective: same }) => specsByPath(same))).toEqual(specsByPath(effective));
  });
});

describe('EffectivePolicies.compute', () => {
  it('computes slices of targets, and ends when all are computed', () => {
    const { effective } = world();
    expect([...effective.compute({ size: 1 })].length).toBe(1);
    expect([...effective.compute({ size: 1 })].length).toBe(0);
  });

  it('computes for traffic from each namespace with consumer policies', () => {
    const Consumers = definePolicyKind({ ...definition, crossNamespace: 'consumer' });
    const topology = createTopology({ targetKinds: kinds, policyKinds: [Consumers] });
    const abroad = { ...outer, metadata: { ...outer.metadata, namespace: 'abroad' } };
    const targetRefs = [{ group: 'lineage.example.com', kind: 'G', namespace: 'default', name: 'g1' }];
    topology.apply({ upsert: [...resources, { ...abroad, spec: { color: 'pink', targetRefs } }] });
    const effective = effectivePolicies(topology, Consumers);
    const consumers = new Set(
      effective.policies.flatMap(({ node }) => node.attachments).map((it) => it.consumerNamespace),
    );
    expect([...consumers]).toEqual(['abroad']);
    expect([...effective.compute({ size: 1 })].length).toBe(2);
  });

  it('follows changes in between', () => {
    const { topology, effective } = world();
    const pieces = effective.compute({ size: 1 });
    pieces.next();
    topology.apply({
      remove: [locatorOf('r2')],
      upsert: [{ ...inner, spec: { ...Object(inner.spec), color: 'blue' } }],
    });
    for (const _ of pieces);
    expect(effective.reachInGroups(named('outer')).map(({ share }) => share.outcome)).toEqual(['partly-enforced']);
  });
});
