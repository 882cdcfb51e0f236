import type { ObjectLike } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { feedInformer } from '../../client-node.ts';
import { toDot } from '../drawing/dot.ts';
import { group, museum, world } from '../museum.fixture.ts';
import type { InformerLike } from './feed-informer.ts';

type Verb = 'add' | 'update' | 'delete';

/** Calls back as the informers of client-node do. */
class Informer implements InformerLike<ObjectLike> {
  readonly #callbacks = new Map<string, Set<(object: ObjectLike) => void>>();
  /** What the API server lists; an error if it does not answer. */
  served: readonly ObjectLike[] | Error = [];
  async start(): Promise<void> {
    await Promise.resolve();
    if (this.served instanceof Error) return this.send('error', {});
    for (const object of this.served) this.send('add', object);
  }
  list(): readonly ObjectLike[] {
    return this.served instanceof Error ? [] : this.served;
  }
  on(verb: Verb | 'error', callback: (object: ObjectLike) => void): void {
    this.#callbacks.set(verb, new Set([...(this.#callbacks.get(verb) ?? []), callback]));
  }
  off(verb: Verb | 'error', callback: (object: ObjectLike) => void): void {
    this.#callbacks.get(verb)?.delete(callback);
  }
  send(verb: Verb | 'error', object: ObjectLike): void {
    for (const callback of this.#callbacks.get(verb) ?? []) callback(object);
  }
}

class V1Museum {
  readonly apiVersion = undefined;
  constructor(
    readonly metadata: object,
    readonly spec: object,
  ) {}
}

const museums = { group, kind: 'Museum' };
const { metadata, spec } = museum('louvre', { wings: [{ name: 'denon' }] });
const louvre = new V1Museum({ ...metadata, creationTimestamp: new Date(0) }, spec as object);

describe('feedInformer', () => {
  it('follows additions, updates and deletions, of a kind that the objects do not contain', () => {
    const [topology, informer, changes] = [world(), new Informer(), [] as string[][]];
    feedInformer(topology, informer, museums, {
      onDelta: ({ added, changed, removed }) => changes.push([...added, ...changed, ...removed]),
    });
    informer.send('add', louvre);
    expect(toDot(topology)).toBe(toDot(world(museum('louvre', { wings: [{ name: 'denon' }] }))));
    informer.send('update', museum('louvre'));
    expect(toDot(topology)).toBe(toDot(world(museum('louvre'))));
    informer.send('delete', louvre);
    expect([...topology.targets]).toEqual([]);
    const [whole, wing] = [
      'museum.culture.example.com:default/louvre',
      'museum.culture.example.com:default/louvre#denon',
    ];
    expect(changes).toEqual([[whole, wing], [whole, wing], [whole]]);
  });

  it('keeps the last good version of an object that is refused, and says so until it is good again', () => {
    const [topology, informer, refused] = [world(), new Informer(), [] as string[]];
    const feed = feedInformer(topology, informer, museums, { onRefused: ({ code }) => refused.push(code) });
    informer.send('add', louvre);
    informer.send('update', new V1Museum({ ...metadata, labels: 5 }, {}));
    expect(feed.issues.map(({ pointer }) => pointer)).toEqual(['/metadata/labels']);
    expect(refused).toEqual(['no-kubernetes-object']);
    expect(topology.get('museum.culture.example.com:default/louvre#denon')).toBeDefined();
    informer.send('update', museum('louvre'));
    expect(feed.issues).toEqual([]);
  });

  it('removes deleted objects once all objects are listed, also if the list is empty, and never before', async () => {
    const [topology, informer] = [world(museum('louvre'), museum('prado')), new Informer()];
    const feed = feedInformer(topology, informer, museums);
    const isUnlisted = () => topology.unlistedKinds.some((kind) => kind.group === group && kind.kind === 'Museum');
    const names = () => [...topology.targets].map(({ ref }) => ref.name);
    informer.served = new Error('not reachable');
    expect([await feed.start(), isUnlisted(), names()]).toEqual([false, true, ['louvre', 'prado']]);
    informer.served = [museum('louvre')];
    const starting = feed.start();
    expect([isUnlisted(), names()]).toEqual([true, ['louvre', 'prado']]);
    expect([await starting, isUnlisted(), names()]).toEqual([true, false, ['louvre']]);
    const second = new Informer();
    expect([await feedInformer(topology, second, museums).start(), names()]).toEqual([true, []]);
  });

  it('keeps the version of a refused object that the topology holds from before', async () => {
    const [topology, informer] = [world(museum('louvre', { wings: [{ name: 'denon' }] })), new Informer()];
    informer.served = [new V1Museum({ ...metadata, labels: 5 }, {})];
    const feed = feedInformer(topology, informer, museums);
    await feed.start();
    expect(feed.issues.map(({ pointer }) => pointer)).toEqual(['/metadata/labels']);
    expect(topology.get('museum.culture.example.com:default/louvre#denon')).toBeDefined();
  });

  it('follows no longer once it is stopped, and keeps the existing objects', () => {
    const [topology, informer] = [world(), new Informer()];
    feedInformer(topology, informer, museums).stop();
    informer.send('add', louvre);
    expect([...topology.targets]).toEqual([]);
  });

  it('refuses a kind that the topology does not need', () => {
    expect(() => feedInformer(world(), new Informer(), { group: '', kind: 'Secret' })).toThrow(
      expect.objectContaining({ code: 'unknown-kind' }),
    );
  });
});
