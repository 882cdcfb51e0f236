import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grant } from '../bank.fixture.ts';
import { toDot } from '../drawing/dot.ts';
import { lineage } from '../lineage.ts';
import type { Topology } from '../model/topology.ts';
import type { TopologyChange } from '../model/topology-change.ts';
import { artwork, exhibition, museum, names, namespace, ticketPolicy, world } from '../museum.fixture.ts';
import { createTopology } from '../topology.ts';

const louvre = museum('louvre');
const prado = museum('prado');
const id = { louvre: 'museum.culture.example.com:default/louvre', prado: 'museum.culture.example.com:default/prado' };
/** A resource of an unknown group that looks like a policy. */
const stranger = { ...ticketPolicy('s'), apiVersion: 'polices.example.com/v1' };

const pool: readonly KubernetesObject[] = [
  ...['a', 'b'].map((name) => museum(name, { wings: [{ name: 'w' }] })),
  ...['a', 'b'].map((name) => museum(name, { city: 'paris', wings: [{ name: 'w' }, { name: 'v' }] })),
  ...['x', 'y'].map((name) => exhibition(name, { shownIn: [{ name: 'a', wing: 'w' }, { name: 'b' }] })),
  exhibition('x', { shownIn: [{ name: 'a' }], rooms: [{ artworks: [{ name: 'x' }, { name: 'gone' }] }] }),
  ...['x', 'y'].map((name) => artwork(name)),
  ...['p', 'q'].map((name) => ticketPolicy(name, { name: 'a' }, { name: 'b', sectionName: 'w' })),
  namespace('default'),
  stranger,
];
const worlds = fc.subarray([...pool]).map((all) => [...new Map(all.map((it) => [locatorOf(it), it])).values()]);
const changes: fc.Arbitrary<TopologyChange> = fc.record({ upsert: worlds, remove: fc.subarray([...pool]) });

const observed = (topology: Topology) => [toDot(topology), topology.issues, topology.unresolved.length];

describe('Topology.trial', () => {
  it('shows a change during the question, and takes it back', () => {
    const topology = world(louvre);
    const trial = topology.trial();
    const seen = trial.of({ upsert: [prado], remove: [louvre] }, (delta) => [delta, names(trial.topology.targets)]);
    expect(seen).toEqual([{ added: [id.prado], removed: [id.louvre], changed: [], ignored: [] }, ['prado']]);
    expect(names(trial.topology.targets)).toEqual(['louvre']);
  });

  it('never shows a change in the topology that it follows', () => {
    const topology = world(louvre);
    const { version } = topology;
    const trial = topology.trial();
    trial.of({ upsert: [prado] }, () => expect(names(topology.targets)).toEqual(['louvre']));
    expect(names(topology.targets)).toEqual(['louvre']);
    expect(topology.version).toBe(version);
  });

  it('equals the topology with the change, and afterwards without, whatever was tried before', () => {
    fc.assert(
      fc.property(worlds, fc.array(fc.tuple(changes, fc.boolean()), { maxLength: 6 }), (before, tried) => {
        const topology = world(...before);
        const trial = topology.trial();
        for (const [change, isApplied] of tried) {
          const expected = topology.with(change);
          trial.of(change, (delta) => {
            expect(delta).toEqual(expected.delta);
            expect(observed(trial.topology)).toEqual(observed(expected.topology));
          });
          expect(observed(trial.topology)).toEqual(observed(topology));
          if (isApplied) topology.apply(change);
        }
      }),
    );
  });

  it('follows the topology before a change is tried', () => {
    const topology = world(louvre);
    const trial = topology.trial();
    const targets = () => trial.of({}, () => names(trial.topology.targets));
    expect([trial.isUpToDate, targets(), trial.isUpToDate]).toEqual([false, ['louvre'], true]);
    topology.apply({ upsert: [prado] });
    expect([trial.isUpToDate, targets()]).toEqual([false, ['louvre', 'prado']]);
    topology.apply({ remove: [louvre, prado], upsert: Array.from({ length: 1200 }, (_, i) => museum(`m-${i}`)) });
    topology.apply({ remove: [museum('m-7')] });
    expect(targets()).toEqual(names(topology.targets)); // More has changed than is kept.
  });

  it('follows in slices, with changes and trials in between', () => {
    const topology = world(louvre, prado, museum('orsay'));
    const trial = topology.trial();
    const slices = trial.followInSlices({ size: 1 });
    slices.next();
    expect([trial.isUpToDate, names(trial.topology.targets)]).toEqual([false, ['louvre']]);
    topology.apply({ upsert: [museum('rodin')], remove: [prado] });
    slices.next();
    expect(trial.of({ remove: [louvre] }, () => names(trial.topology.targets))).toEqual(['orsay', 'rodin']);
    topology.apply({ remove: [museum('rodin')] });
    for (const _ of slices);
    expect([trial.isUpToDate, names(trial.topology.targets)]).toEqual([true, ['louvre', 'orsay']]);
  });

  it('does not restore, in slices, resources that were removed after the first slice', () => {
    const topology = world(louvre, prado, museum('orsay'));
    const trial = topology.trial();
    const slices = trial.followInSlices({ size: 1 });
    slices.next();
    topology.apply({ remove: [prado] });
    trial.of({}, () => 0);
    for (const _ of slices);
    expect(observed(trial.topology)).toEqual(observed(topology));
  });

  it('stays unchanged if a change is refused', () => {
    const { kinds, resources } = lineage('a1 > b1 > a2');
    const topology = createTopology({ targetKinds: kinds });
    topology.apply({ upsert: resources });
    const [cycle] = lineage('a2 > a1').resources.filter(({ metadata }) => metadata.name === 'a1');
    const trial = topology.trial();
    const tryOut = (upsert: readonly unknown[]) => () => trial.of({ upsert: upsert as KubernetesObject[] }, () => 0);
    expect(tryOut([cycle])).toThrow(expect.objectContaining({ code: 'cycle' }));
    expect(tryOut([{ kind: 'A' }])).toThrow(expect.objectContaining({ code: 'invalid-resources' }));
    expect(observed(trial.topology)).toEqual(observed(topology));
  });

  it('stays unchanged if a change fails halfway, or the question throws', () => {
    const topology = world(louvre);
    const trial = topology.trial();
    const fail = (): never => {
      throw new Error('no entry');
    };
    const unreadable = { ...grant('default', {}, {}), spec: { from: new Proxy([{}], { get: fail }), to: [] } };
    const upsert = [prado, unreadable as unknown as KubernetesObject];
    expect(() => trial.of({ upsert }, () => 0)).toThrow(expect.objectContaining({ code: 'invalid-resources' }));
    expect(observed(trial.topology)).toEqual(observed(topology));
    expect(() => trial.of({ upsert: [prado] }, fail)).toThrow('no entry');
    expect(observed(trial.topology)).toEqual(observed(topology));
    expect(trial.of({ upsert: [prado] }, () => names(trial.topology.targets))).toEqual(['louvre', 'prado']);
  });

  it('refuses nested trials, and questions that return promises', () => {
    const trial = world(louvre).trial();
    const nested = () => trial.of({}, () => trial.of({}, () => 0));
    expect(nested).toThrow(expect.objectContaining({ code: 'nested-trial' }));
    expect(() => trial.of({}, async () => 0)).toThrow(expect.objectContaining({ code: 'asynchronous-trial' }));
    expect(trial.of({}, () => 'answered')).toBe('answered');
  });

  it('refuses other changes of its topology', () => {
    const { topology } = world(louvre).trial();
    for (const change of [
      () => topology.apply({}),
      () => topology.applyInSlices({}),
      () => topology.replace(prado as never, []),
      () => topology.replaceInSlices(prado as never, []),
    ]) {
      expect(change).toThrow(expect.objectContaining({ code: 'trial' }));
    }
  });

  it('knows which kinds are listed', () => {
    const topology = world(louvre);
    const trial = topology.trial();
    topology.replace({ group: 'culture.example.com', kind: 'Museum' }, [prado]);
    expect(trial.topology.unlistedKinds).toEqual(topology.unlistedKinds);
  });
});
