import type { Issue, JsonObject } from '@policy-machinery/resource';
import type { Section, SectionKind } from '../model/target-kind.ts';
import type { WholeTarget } from './target.ts';

/** A section with the name that it was given. */
interface PlacedSection {
  readonly kind: SectionKind;
  readonly name: string;
  readonly index: number;
  readonly value: JsonObject;
  /** Whether policies can target the section by its name. */
  readonly targetable: boolean;
}

/**
 * Returns the sections of a resource with names. Names in the resource take precedence; a section without a name is named by its place, with a
 * suffix if that name is taken. If several sections have one name in the resource, all stay, but none can be targeted: it is unclear which one
 * is meant. Of more than {@link maxSections} sections of one kind, only the first count.
 */
export function nameSections(
  kinds: readonly SectionKind[],
  { locator, resource }: Pick<WholeTarget, 'locator' | 'resource'>,
  issues: Issue[],
): readonly PlacedSection[] {
  const report = (issue: Collision): void => {
    issues.push({ ...issue, resource: locator });
  };
  const lists = kinds.map((kind) => firstOf(kind.list(resource), kind, report));
  const { taken, repeated } = namesIn(lists);
  const unmet = repeated && new Set(repeated);
  const free = freeNames(taken);

  const placed = (kind: SectionKind, section: Section, index: number): PlacedSection => {
    const { value } = section;
    const givenName = nameIn(section);
    if (givenName === undefined) {
      const byPlace = kind.nameOf(index, value);
      const name = free(byPlace);
      if (name !== byPlace) report(placeIsTaken(kind, index, byPlace, name));
      return { kind, name, index, value, targetable: name === byPlace };
    }
    const targetable = repeated?.has(givenName) !== true;
    const isRepeated = !targetable && unmet?.delete(givenName) !== true;
    if (isRepeated) report(nameIsRepeated(givenName, kind));
    return { kind, name: isRepeated ? free(givenName) : givenName, index, value, targetable };
  };
  const named = lists.map((list, place) => {
    const kind = kinds[place] as SectionKind;
    return list.map((section, index) => placed(kind, section, index));
  });
  return named.length === 1 ? (named[0] as readonly PlacedSection[]) : named.flat();
}

/**
 * Returns a function that returns a name that is free, and takes it: the name itself, or the name with a suffix.
 *
 * @param taken The names that are taken; those that are given out are added.
 */
function freeNames(taken: Set<string>): (name: string) => string {
  /** The next suffix to try, by name: earlier ones are taken. */
  let suffixes: Map<string, number> | undefined;
  return (name) => {
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
}

function placeIsTaken({ section }: SectionKind, index: number, byPlace: string, name: string): Collision {
  return {
    code: 'section-name-collision',
    severity: 'warning',
    message: `${section} ${index + 1} lacks a name, and "${byPlace}", its name by place, is taken; no policy can target it as "${name}" until it is given a name`,
  };
}

function nameIsRepeated(name: string, { section }: SectionKind): Collision {
  return {
    code: 'section-name-collision',
    severity: 'error',
    message: `more than one ${section} is named "${name}", so no policy can target it; rename one`,
  };
}

/** The maximum number of sections of one kind in a resource: each change of a resource costs O(its sections). */
const maxSections = 5_000;

type Collision = Pick<Issue, 'code' | 'severity' | 'message'>;

function firstOf(
  sections: readonly Section[],
  { section }: SectionKind,
  report: (issue: Collision) => void,
): readonly Section[] {
  if (sections.length <= maxSections) return sections;
  report({
    code: 'too-many-sections',
    severity: 'error',
    message: `a resource may have ${maxSections} sections of the kind ${section}, so the last ${sections.length - maxSections} of this one do not count; split it into several resources`,
  });
  return sections.slice(0, maxSections);
}

/** The maximum length of a name in Kubernetes. A longer name would be repeated in every locator. */
const maxName = 253;

/** Returns the name of a section in the resource; `undefined` if there is none, or one that no API server accepts. */
function nameIn({ name }: Section): string | undefined {
  return name === undefined || name === '' || name.length > maxName ? undefined : name;
}

/** Returns the names of sections in a resource, and the names that occur more than once. */
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
