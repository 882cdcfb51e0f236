import { isJsonObject, type KubernetesObject, objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import { readTargetRefs, type TargetRef } from '@policy-machinery/target-ref';
import { defineTargetKind } from './model/define-target-kind.ts';
import type { Path } from './model/path.ts';
import type { AttachableKind } from './model/policy-node.ts';
import type { Reference } from './model/reference.ts';
import type { SectionEntry, TargetKind } from './model/target-kind.ts';
import type { TargetNode } from './model/target-node.ts';
import type { Topology } from './model/topology.ts';
import { createTopology } from './topology.ts';

/*
 * A made-up world. Exhibitions are shown in museums, or in single wings of them; each room of an exhibition holds artworks,
 * or single sides of them; artworks and their sides have frames. Cities are cluster-scoped.
 *
 *   City → Museum # wing, door → Exhibition # room → Artwork # side → Frame
 */

export const group = 'culture.example.com';

export const Namespace = defineTargetKind({ group: '', kind: 'Namespace', scope: 'Cluster' });

export const City = defineTargetKind({ group, kind: 'City', scope: 'Cluster' });

export const Museum = defineTargetKind({
  group,
  kind: 'Museum',
  sections: {
    wing: { list: sectionsIn('wings'), nameOf: (index) => `wing-${index + 1}` },
    door: { list: sectionsIn('doors') },
  },
  *references(museum) {
    const name = stringIn(specOf(museum).city);
    if (name !== undefined) yield { direction: 'up', to: { group, kind: 'City', name }, pointer: '/spec/city' };
  },
});

/** A kind of the same name in another group. */
export const OtherMuseum = defineTargetKind({ group: 'other.example.com', kind: 'Museum' });

export const Exhibition = defineTargetKind({
  group,
  kind: 'Exhibition',
  sections: {
    room: { list: sectionsIn('rooms'), nameOf: (index) => `room-${index + 1}`, references: artworksOf },
  },
  *references(exhibition) {
    for (const [index, shownIn] of objectsIn(specOf(exhibition).shownIn).entries()) {
      const { namespace, wing } = shownIn;
      yield {
        direction: 'up',
        to: {
          group,
          kind: stringIn(shownIn.kind) ?? 'Museum',
          name: String(shownIn.name),
          ...(typeof namespace === 'string' ? { namespace } : {}),
        },
        pointer: `/spec/shownIn/${index}`,
        ...(wing === undefined ? {} : { toSections: ({ name }) => name === wing }),
      };
    }
  },
});

export const Artwork = defineTargetKind({
  group,
  kind: 'Artwork',
  sections: { side: { list: sectionsIn('sides'), references: ({ value }) => frameOf(value.frame, '/spec/sides') } },
  references: (artwork) => frameOf(specOf(artwork).frame, '/spec/frame'),
});

export const Frame = defineTargetKind({ group, kind: 'Frame' });

export const targetKinds: readonly TargetKind[] = [Namespace, City, Museum, OtherMuseum, Exhibition, Artwork, Frame];

export const TicketPolicy: AttachableKind = {
  group: 'policies.example.com',
  kind: 'TicketPolicy',
  scope: 'Namespaced',
  targets: [Namespace, City, Museum, Museum.sections.wing, Exhibition, Exhibition.sections.room, Artwork, Frame],
  crossNamespace: 'refuse',
  targetRefs: readTargetRefs,
};

export const city = (name: string): KubernetesObject => object('City', name, {}, undefined);
export const namespace = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
});
export const museum = (name: string, spec: object = {}, namespace = 'default') =>
  object('Museum', name, spec, namespace);
export const exhibition = (name: string, spec: object = {}, namespace = 'default') =>
  object('Exhibition', name, spec, namespace);
export const artwork = (name: string, spec: object = {}, namespace = 'default') =>
  object('Artwork', name, spec, namespace);
export const frame = (name: string) => object('Frame', name, {}, 'default');

export function ticketPolicy(name: string, ...refs: readonly Partial<TargetRef>[]): KubernetesObject {
  return {
    apiVersion: 'policies.example.com/v1',
    kind: 'TicketPolicy',
    metadata: { name, namespace: 'default' },
    spec: { targetRefs: refs.map((ref) => ({ group, kind: 'Museum', ...ref })) },
  };
}

/** Returns a topology of this world. */
export function world(...resources: readonly KubernetesObject[]): Topology {
  const topology = createTopology({ targetKinds, policyKinds: [TicketPolicy] });
  topology.apply({ upsert: resources });
  return topology;
}

/** Returns the target of a short name: `Museum louvre#denon`. */
export function target(topology: Topology, name: string): TargetNode {
  const found = [...topology.targets].find((node) => shortName(node) === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

/** Returns the names of targets, without their namespaces. */
export function names(nodes: Iterable<TargetNode>): readonly string[] {
  return [...nodes].map(({ ref }) => (ref.section === undefined ? ref.name : `${ref.name}#${ref.section}`));
}

/** Paths by the names of their targets: `louvre > louvre#denon > vinci`. */
export function written(paths: Iterable<Path>): readonly string[] {
  return [...paths].map((path) => names(path).join(' > '));
}

/** Freezes resources all the way down. */
export function deepFrozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(Object.freeze(value))) deepFrozen(part);
  return value;
}

function shortName({ ref: { kind, name, section } }: TargetNode): string {
  return `${kind} ${name}${section === undefined ? '' : `#${section}`}`;
}

function object(kind: string, name: string, spec: object, namespace: string | undefined): KubernetesObject {
  const metadata = namespace === undefined ? { name } : { name, namespace };
  return { apiVersion: `${group}/v1`, kind, metadata, spec };
}

function sectionsIn(field: string) {
  return (resource: KubernetesObject) =>
    objectsIn(specOf(resource)[field]).map((value) => ({ name: stringIn(value.name), value }));
}

function* artworksOf({ index, value }: SectionEntry): Iterable<Reference> {
  for (const { name, side } of objectsIn(value.artworks)) {
    yield {
      direction: 'down',
      to: { group, kind: 'Artwork', name: String(name) },
      pointer: `/spec/rooms/${index}/artworks`,
      ...(side === undefined ? {} : { toSections: (section) => section.name === side }),
    };
  }
}

function* frameOf(name: unknown, pointer: string): Iterable<Reference> {
  if (isJsonObject(name)) throw new Error('a frame must be named');
  if (typeof name === 'string') yield { direction: 'down', to: { group, kind: 'Frame', name }, pointer };
}
