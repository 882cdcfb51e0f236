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
  const all = [...kinds].flatMap((kind) => kind.list(resource).map((section, index) => ({ kind, section, index })));
  const given = new Map<string, number>();
  for (const { section } of all) {
    if (section.name !== undefined) given.set(section.name, (given.get(section.name) ?? 0) + 1);
  }
  const taken = new Set(given.keys());
  const used = new Set<string>();
  const free = (name: string): string => {
    let candidate = name;
    for (let suffix = 2; taken.has(candidate); suffix += 1) candidate = `${name}-${suffix}`;
    taken.add(candidate);
    return candidate;
  };

  return all.map(({ kind, section, index }) => {
    const { value } = section;
    if (section.name === undefined) {
      const byPlace = kind.nameOf(index, value);
      const name = free(byPlace);
      if (name !== byPlace) {
        report({
          code: 'section-name-collision',
          severity: 'warning',
          message: `${kind.section} ${index + 1} has no name and another ${kind.section} is named "${byPlace}", as this one would be; it goes by "${name}" until it is given a name`,
        });
      }
      return { kind, name, index, value, targetable: name === byPlace };
    }
    const unique = given.get(section.name) === 1;
    if (!unique && used.has(section.name)) {
      report({
        code: 'section-name-collision',
        severity: 'error',
        message: `more than one ${kind.section} is named "${section.name}", so no policy can target it; rename one`,
      });
    }
    const name = used.has(section.name) ? free(section.name) : section.name;
    used.add(section.name);
    return { kind, name, index, value, targetable: unique };
  });
}
