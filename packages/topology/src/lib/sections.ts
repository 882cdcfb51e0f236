import type { Issue, JsonObject, KubernetesObject } from '@policy-machinery/resource';
import type { SectionKind } from './target-kind.ts';

/** A section under the name that it got. */
export interface PlacedSection {
  readonly kind: SectionKind;
  readonly name: string;
  readonly index: number;
  readonly value: JsonObject;
  /** Whether policies can target it by its name. */
  readonly targetable: boolean;
}

type Listed = Omit<PlacedSection, 'name' | 'targetable'> & { readonly name: string | undefined };

/**
 * Names the sections of a resource. Names in the resource go first; a section without one is named by its place, and where
 * that name is taken it gets a suffix. Sections that share a name in the resource all stay, but none can be targeted:
 * nobody can tell which is meant (T-13).
 */
export function nameSections(
  kinds: Iterable<SectionKind>,
  resource: KubernetesObject,
  report: (issue: Pick<Issue, 'code' | 'severity' | 'message'>) => void,
): readonly PlacedSection[] {
  const all: Listed[] = [];
  const given = new Map<string, number>();
  for (const kind of kinds) {
    for (const [index, { name, value }] of kind.list(resource).entries()) {
      all.push({ kind, name: name === '' ? undefined : name, value, index });
      if (name !== undefined && name !== '') given.set(name, (given.get(name) ?? 0) + 1);
    }
  }
  const taken = new Set(given.keys());
  const used = new Set<string>();
  const free = (name: string): string => {
    let candidate = name;
    for (let suffix = 2; taken.has(candidate); suffix += 1) candidate = `${name}-${suffix}`;
    taken.add(candidate);
    return candidate;
  };

  return all.map(({ kind, name: givenName, value, index }) => {
    if (givenName === undefined) {
      const byPlace = kind.nameOf(index, value);
      const name = free(byPlace);
      if (name !== byPlace) {
        report({
          code: 'section-name-collision',
          severity: 'warning',
          message: `${kind.section} ${index + 1} has no name, and "${byPlace}", its name by place, is taken; no policy can target it as "${name}" until it is given a name`,
        });
      }
      return { kind, name, index, value, targetable: name === byPlace };
    }
    const targetable = given.get(givenName) === 1;
    const isRepeated = used.has(givenName);
    used.add(givenName);
    if (isRepeated) {
      report({
        code: 'section-name-collision',
        severity: 'error',
        message: `more than one section is named "${givenName}", so no policy can target it; rename one`,
      });
    }
    return { kind, name: isRepeated ? free(givenName) : givenName, index, value, targetable };
  });
}
