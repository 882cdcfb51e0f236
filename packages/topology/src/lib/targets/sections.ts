import type { Issue, JsonObject, KubernetesObject } from '@policy-machinery/resource';
import type { Section, SectionKind } from '../model/target-kind.ts';

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
 * that name is taken it gets a suffix. Sections that share a name in the resource all stay, but none can be targeted: it is unclear which one is meant (T-13). Of more sections than {@link maxSections} of one kind, the first are taken.
 */
export function nameSections(
  kinds: readonly SectionKind[],
  resource: KubernetesObject,
  report: Report,
): readonly PlacedSection[] {
  const lists = kinds.map((kind) => firstOf(kind.list(resource), kind, report));
  const { taken, repeated } = namesIn(lists);
  const unmet = repeated && new Set(repeated);
  /** The suffix to try next, by name: those before it are taken. */
  let suffixes: Map<string, number> | undefined;
  const free = (name: string): string => {
    let candidate = name;
    if (taken.has(name)) {
      suffixes ??= new Map();
      let suffix = suffixes.get(name) ?? 2;
      for (; taken.has(candidate); suffix += 1) candidate = `${name}-${suffix}`;
      suffixes.set(name, suffix);
    }
    taken.add(candidate);
    return candidate;
  };

  const placed = (kind: SectionKind, section: Section, index: number): PlacedSection => {
    const { value } = section;
    const givenName = nameIn(section);
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
    const targetable = repeated?.has(givenName) !== true;
    const isRepeated = !targetable && unmet?.delete(givenName) !== true;
    if (isRepeated) {
      report({
        code: 'section-name-collision',
        severity: 'error',
        message: `more than one section is named "${givenName}", so no policy can target it; rename one`,
      });
    }
    return { kind, name: isRepeated ? free(givenName) : givenName, index, value, targetable };
  };
  const named = lists.map((list, place) => {
    const kind = kinds[place] as SectionKind;
    return list.map((section, index) => placed(kind, section, index));
  });
  return named.length === 1 ? (named[0] as readonly PlacedSection[]) : named.flat();
}

/** How many sections of one kind a resource may have: each change of it costs as much as it has sections. */
const maxSections = 5_000;

type Report = (issue: Pick<Issue, 'code' | 'severity' | 'message'>) => void;

function firstOf(sections: readonly Section[], { section }: SectionKind, report: Report): readonly Section[] {
  if (sections.length <= maxSections) return sections;
  report({
    code: 'too-many-sections',
    severity: 'error',
    message: `a resource may have ${maxSections} sections of the kind ${section}, so the last ${sections.length - maxSections} of this one do not count; split it into several resources`,
  });
  return sections.slice(0, maxSections);
}

/** As long as the API server lets names be: a longer one would be repeated in every locator. */
const maxName = 253;

/** The name that a section is given; `undefined` where it has none, or one that no API server takes. */
function nameIn({ name }: Section): string | undefined {
  return name === undefined || name === '' || name.length > maxName ? undefined : name;
}

/** The names that the resource gives, and those of them that it gives more than once. */
function namesIn(lists: readonly (readonly Section[])[]) {
  const taken = new Set<string>();
  let repeated: Set<string> | undefined;
  for (const list of lists) {
    for (const section of list) {
      const name = nameIn(section);
      if (name === undefined) continue;
      if (taken.has(name)) repeated = (repeated ?? new Set()).add(name);
      else taken.add(name);
    }
  }
  return { taken, repeated };
}
