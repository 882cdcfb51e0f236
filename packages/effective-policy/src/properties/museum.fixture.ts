import { type JsonObject, type KubernetesObject, objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import { defineTargetKind, type Reference, type SectionDefinition, type TargetKind } from '@policy-machinery/topology';

export const group = 'museum.example.com';

/** The policies of the random worlds. */
export const carePolicy = { group: 'care.example.com', kind: 'CarePolicy' } as const;

/** From the top down: a reference leads from a kind to one further down, or up. */
export const ranks = ['City', 'Museum', 'Exhibition', 'Artwork'] as const;
export type Rank = (typeof ranks)[number];

/**
 * Returns a kind whose resources, and their named parts, say freely what they are linked to:
 * `refs: [{ kind, namespace, name, sections? }]`, each to a kind further up or further down. Their parts may name policies:
 * `policies: [name]`.
 */
function museumKind(kind: Rank, scope: 'Cluster' | 'Namespaced', section: string, needsParent = false): TargetKind {
  const references = function* (holder: JsonObject): Iterable<Reference> {
    for (const ref of objectsIn(holder.refs)) {
      const [to, name, namespace] = [stringIn(ref.kind) ?? '', stringIn(ref.name) ?? '', stringIn(ref.namespace)];
      const { sections } = ref;
      yield {
        direction: ranks.indexOf(to as Rank) < ranks.indexOf(kind) ? 'up' : 'down',
        to: { group, kind: to, name, ...(namespace === undefined ? {} : { namespace }) },
        pointer: '/spec/refs',
        ...(Array.isArray(sections) ? { toSections: (part: { name: string }) => sections.includes(part.name) } : {}),
      };
    }
  };
  const parts: SectionDefinition = {
    list: (resource) => objectsIn(specOf(resource).sections).map((value) => ({ name: String(value.name), value })),
    references: ({ value }) => references(value),
    policyRefs: function* ({ value }) {
      const named = Array.isArray(value.policies) ? value.policies : [];
      for (const name of named) yield { ...carePolicy, name: String(name), pointer: '/spec/sections' };
    },
  };
  return defineTargetKind<string>({
    group,
    kind,
    scope,
    sections: { [section]: parts },
    references: (resource) => references(specOf(resource)),
    needsParent,
  });
}

export const Namespace = defineTargetKind({ group: '', kind: 'Namespace', scope: 'Cluster' });
const definitions = [
  ['City', 'Cluster', 'district'],
  ['Museum', 'Namespaced', 'wing'],
  ['Exhibition', 'Namespaced', 'room'],
  ['Artwork', 'Namespaced', 'side'],
] as const;

/** These kinds, of which some are in force only below a parent. */
export function museumKindsOf(needParent: readonly Rank[]): readonly [TargetKind, TargetKind, TargetKind, TargetKind] {
  return definitions.map(([kind, scope, section]) =>
    museumKind(kind, scope, section, needParent.includes(kind)),
  ) as unknown as ReturnType<typeof museumKindsOf>;
}

export const [City, Museum, Exhibition, Artwork] = museumKindsOf([]);

export const museumKinds: readonly TargetKind[] = [Namespace, City, Museum, Exhibition, Artwork];

/** Makes a resource of one of these kinds. */
export function museumResource(kind: Rank, name: string, namespace: string, spec: object): KubernetesObject {
  return {
    apiVersion: `${group}/v1`,
    kind,
    metadata: kind === 'City' ? { name } : { name, namespace },
    spec,
  };
}
