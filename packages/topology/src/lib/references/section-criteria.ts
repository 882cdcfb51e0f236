import type { NamedSection, Reference } from '../model/reference.ts';

/**
 * Returns whether a reference means a section of its target.
 *
 * @param toSections The sections that the reference means. Default: all, because the reference means the whole target.
 */
export function meansSection(toSections: Reference['toSections'], section: NamedSection): boolean {
  if (typeof toSections === 'function') return toSections(section);
  const { name = section.name, field: [key, wanted] = [] } = toSections ?? {};
  return name === section.name && (key === undefined || section.value[key] === wanted);
}
