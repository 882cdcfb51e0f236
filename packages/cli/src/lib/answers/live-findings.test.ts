import {
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  locatorOf,
  objectIn,
  objectsIn,
} from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everything } from '../input/completeness.ts';
import { fillAll } from '../input/fill.ts';
import { findKinds } from '../input/kinds/kinds.ts';
import { noOwnKinds } from '../input/kinds/own-kinds.ts';
import { createWorld } from '../input/world.ts';
import type { ClusterSource, World } from '../model/world.ts';
import { cluster } from '../run.fixture.ts';
import { findingsIn } from './issues.ts';
import { LiveFindings } from './live-findings.ts';

const { resources } = await readManifests(cluster);
const isDefinition = ({ kind }: KubernetesObject): boolean => kind === 'CustomResourceDefinition';
const found = findKinds(resources, noOwnKinds, {});
const objects = resources.filter((object) => !isDefinition(object));
const source: ClusterSource = { kinds: [], gaps: [], servedKinds: () => [], namespace: 'shop', files: [] };

const worldOf = (all: readonly KubernetesObject[]): World =>
  createWorld({ objects: all, found, scope: { namespace: undefined }, source, isComplete: everything });

/** Changes of an object: each returns another one, or `undefined` to delete it. */
const edits: Readonly<Record<string, (object: KubernetesObject, pick: number) => KubernetesObject | undefined>> = {
  delete: () => undefined,
  restore: (object) => object,
  'take the spec of another one': (object, pick) => {
    const others = objects.filter(({ kind }) => kind === object.kind);
    return { ...object, spec: others[pick % others.length]?.spec };
  },
  'refer to what may not exist': (object, pick) => {
    const spec = objectIn(object.spec);
    const renamed = (list: unknown): readonly JsonObject[] =>
      objectsIn(list).map((ref, at) => (at === 0 ? { ...ref, name: ['cart', 'public', 'gone'][pick % 3] ?? '' } : ref));
    return {
      ...object,
      spec: Object.fromEntries(
        Object.entries(spec).map(([name, value]) => [name, /Refs$/.test(name) ? renamed(value) : value]),
      ),
    };
  },
  'let listeners clash': (object) => {
    const spec = objectIn(object.spec);
    const listeners = objectsIn(spec.listeners).map(({ hostname: _, ...listener }) => ({
      ...listener,
      port: 80,
      protocol: 'HTTP',
    }));
    return listeners.length === 0 ? object : { ...object, spec: { ...spec, listeners } };
  },
  'write a status that refuses it': (object, pick) => {
    const conditions = ['Accepted', 'Programmed'].map((type) => ({
      ...{ type, status: 'False', reason: 'Invalid', message: `because of ${pick % 2}`, observedGeneration: pick % 2 },
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }));
    const ancestorRef = { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'public', namespace: 'infra' };
    const ancestors = [{ ancestorRef, controllerName: 'example.com/controller', conditions }];
    return { ...object, metadata: { ...object.metadata, generation: 1 }, status: { conditions, ancestors } };
  },
};

/** Some edits at once, each with its object and a number that it chooses by. */
type Step = readonly (readonly [at: number, edit: string, pick: number])[];

const steps = fc.array(
  fc.array(fc.tuple(fc.nat(objects.length - 1), fc.constantFrom(...Object.keys(edits)), fc.nat(11)), {
    minLength: 1,
    maxLength: 3,
  }),
  { minLength: 1, maxLength: 8 },
);

/** Follows a world through edits, and holds its findings to those of a world made from scratch. Returns the codes of all findings. */
function followed(all: readonly Step[]): ReadonlySet<string> {
  const codes = new Set<string>();
  let world = worldOf(objects);
  const live = new LiveFindings();
  expect(live.of(world)).toEqual(findingsIn(world));
  const present = new Map(objects.map((object) => [locatorOf(object), object]));
  for (const step of all) {
    for (const [at, edit, pick] of step) {
      const [object] = objects.slice(at);
      if (object === undefined) continue;
      const locator = locatorOf(object);
      const next = edits[edit]?.(edit === 'restore' ? object : (present.get(locator) ?? object), pick);
      if (next === undefined) present.delete(locator);
      else present.set(locator, next);
      for (const topology of world.topologies) if (next === undefined) topology.apply({ remove: [locator] });
      if (next !== undefined) fillAll(world.topologies, [next]);
    }
    world = { ...world, objects: [...present.values()] };
    const findings = live.of(world);
    for (const { code } of findings) codes.add(code);
    expect(findings).toEqual(findingsIn(world));
  }
  const afresh = worldOf(world.objects);
  expect(live.of(world)).toEqual(findingsIn({ ...afresh, inputIssues: world.inputIssues }));
  return codes;
}

describe('the findings of a world that changes', () => {
  it('are after any edits those that a world made from scratch has', () => {
    fc.assert(
      fc.property(steps, (all) => {
        followed(all);
      }),
      { numRuns: Math.ceil((300 * Number(process.env.PROPERTY_RUNS ?? 40)) / 500) },
    );
  });

  it('are of each sort that can come and go', () => {
    const codes = Object.keys(edits).flatMap((edit) => [
      ...followed(
        objects.map(
          (_, at): Step => [
            [at, edit, at],
            [(at + 7) % objects.length, 'restore', 0],
          ],
        ),
      ),
    ]);
    expect(codes).toEqual(
      expect.arrayContaining([
        ...['unresolved-reference', 'listener-conflict', 'refused-by-controller', 'not-programmed'],
        ...['status-outdated', 'missing-target'],
      ]),
    );
  });

  it('are looked for again where something has changed alone, however large the world is', () => {
    const policy = objects.find(({ kind }) => kind === 'BackendTrafficPolicy');
    const route = objects.find(({ kind }) => kind === 'HTTPRoute');
    if (policy === undefined || route === undefined) throw new Error('there is no such object');
    const copies = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        [policy, route].map((it) => ({ ...it, metadata: { ...it.metadata, namespace: `copy-${at}` } })),
      ).flat();
    const looked = [10, 200].map((count) => {
      const all = [...objects, ...copies(count)];
      const world = worldOf(all);
      const live = new LiveFindings();
      live.of(world);
      const first = live.looked;
      const spec = isJsonObject(policy.spec) ? { ...policy.spec, timeout: { http: { requestTimeout: '99s' } } } : {};
      fillAll(world.topologies, [{ ...policy, spec }]);
      live.of({ ...world, objects: all });
      return { first, again: live.looked };
    });
    expect(looked[1]?.first).toBeGreaterThan(400);
    expect(looked[1]?.again).toBe(looked[0]?.again);
    expect(looked[1]?.again).toBeLessThan(10);
  });
});
