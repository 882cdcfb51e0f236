// references/: takes what resources say about others, gives what is meant by it. All questions go through the lookup, which records who
// depends on which answer. A reference dangles where it leads nowhere, or is refused; a relaying one is decided by what arrives from above.

import { formatLocator, groupKindKey, type ResourceRef } from '@policy-machinery/resource';
import { locatorIn } from '../model/kinds.ts';
import type {
  LinkEnd,
  NamedSection,
  NamedTarget,
  Reference,
  SectionCriteria,
  SelectedTargets,
} from '../model/reference.ts';
import type { EndRefusal, ResolvedReference } from '../model/resolved-reference.ts';
import type { Target, WholeTarget } from '../targets/target.ts';
import type { Lookup } from './lookup.ts';
import { maxSections, type SectionAllowance } from './section-allowance.ts';
import { selectTargets } from './select.ts';
import { maxSelecting } from './selection-limits.ts';

/** A reference and what it leads to, as the topology has it. */
export interface Resolution extends ResolvedReference {
  readonly ends: readonly Target[];
}

const none: readonly never[] = [];

const tooManySections = `with it the references lead to more than ${maxSections} sections; name one section`;
const tooManySelecting = `${maxSelecting} older references of the namespace select these already; name one resource`;

/**
 * Resolves one reference. The result depends on its holder, its references before this one, and the answers of `lookup` only.
 *
 * @param allowance What the references of the holder may lead to, all together.
 */
export function resolveReference(
  from: Target,
  reference: Reference,
  lookup: Lookup,
  allowance: SectionAllowance,
): Resolution {
  return 'name' in reference.to
    ? resolveNamed(from, reference.to, reference, lookup, allowance)
    : resolveSelected(from, reference.to, reference, lookup, allowance);
}

function resolveNamed(
  from: Target,
  to: NamedTarget,
  reference: Reference,
  lookup: Lookup,
  allowance: SectionAllowance,
): Resolution {
  const known = lookup.kind(to);
  const namespace = known?.scope === 'Cluster' ? undefined : (to.namespace ?? from.namespaceName ?? 'default');
  const mayLeave = reference.needsGrant !== true || namespace === undefined || namespace === from.namespaceName;
  if (!mayLeave && !isPermitted(from.ref, { ...to, namespace }, lookup)) {
    const message = `no ReferenceGrant in namespace ${namespace} permits it`;
    const refusals = [{ to: locatorOf(to, namespace, known?.prefix), reason: 'RefNotPermitted', message }];
    return { reference, ends: none, refusals, missing: undefined };
  }
  const object = known?.target && lookup.target(known, namespace, to.name);
  if (object === undefined) {
    return { reference, ends: none, refusals: none, missing: locatorOf(to, namespace, known?.prefix) };
  }
  const meant = meantBy(reference, object);
  if (meant.length === 0) return { reference, ends: none, refusals: none, missing: `${object.locator}#?` };
  const { ends, refusals, isAbsent } = admittedOf(meant, object, reference, lookup, allowance);
  return { reference, ends, refusals, missing: isAbsent ? object.locator : undefined };
}

function locatorOf(to: NamedTarget, namespace: string | undefined, prefix: string | undefined): string {
  if (prefix !== undefined) return locatorIn(prefix, namespace, to.name);
  const { group, kind, name } = to;
  return formatLocator({ group, kind, name, ...(namespace === undefined ? {} : { namespace }) });
}

function resolveSelected(
  from: Target,
  to: SelectedTargets,
  reference: Reference,
  lookup: Lookup,
  allowance: SectionAllowance,
): Resolution {
  const { ref } = from;
  if (!lookup.maySelect(from, to, to.namespace ?? ref.namespace)) {
    const refusal = { to: `${groupKindKey(to)}:?`, reason: 'TooManySelecting', message: tooManySelecting };
    return { reference, ends: none, refusals: [refusal], missing: undefined };
  }
  const selected = selectTargets(to, to.namespace ?? ref.namespace, lookup);
  const isFree = reference.needsGrant !== true;
  const objects = isFree ? selected : selected.filter((object) => isPermitted(ref, object.ref, lookup));
  if (reference.toSections === undefined && reference.admits === undefined && objects.length > 0) {
    return { reference, ends: objects, refusals: none, missing: undefined };
  }
  const admissions = objects.map((object) =>
    admittedOf(meantBy(reference, object), object, reference, lookup, allowance),
  );
  const ends = admissions.flatMap((admission) => admission.ends);
  const refusals = admissions.flatMap((admission) => admission.refusals);
  const [first] = objects;
  if (first === undefined || admissions.every(({ isAbsent }) => isAbsent)) {
    return { reference, ends, refusals, missing: `${groupKindKey(to)}:?` };
  }
  const isMeant = ends.length > 0 || refusals.length > 0 || admissions.some(({ isAbsent }) => isAbsent);
  return { reference, ends, refusals, missing: isMeant ? undefined : `${first.locator}#?` };
}

/** Whether a resource may refer to another: within its namespace, to what is in none, or where a grant says so (T-24). */
export function isPermitted(
  from: ResourceRef,
  to: Pick<ResourceRef, 'group' | 'kind' | 'name'> & { readonly namespace?: string | undefined },
  lookup: Lookup,
): boolean {
  if (from.namespace === undefined || to.namespace === undefined || from.namespace === to.namespace) return true;
  const { group, kind, namespace } = from;
  const { group: toGroup, kind: toKind, namespace: toNamespace, name } = to;
  return lookup.permits({
    from: { group, kind, namespace },
    to: { group: toGroup, kind: toKind, namespace: toNamespace, name },
  });
}

/** The target itself, or the sections that the reference means. */
function meantBy({ toSections, orWhole = false }: Reference, object: WholeTarget): readonly Target[] {
  if (toSections === undefined) return [object];
  const sections =
    typeof toSections === 'function' ? sectionsMeant(object.sections, toSections) : sectionsWith(object, toSections);
  return sections.length === 0 && orWhole ? [object] : sections;
}

function sectionsWith(object: WholeTarget, criteria: SectionCriteria): readonly Target[] {
  const { name, field } = criteria;
  const sections = object.sectionsWith(criteria);
  if (field === undefined) return sections; // All of them, or the one that has the name.
  const [key, value] = field;
  let found: Target[] | undefined;
  for (const target of sections) {
    const { section } = target;
    if (section.value[key] !== value || (name !== undefined && section.name !== name)) continue;
    if (found === undefined) found = [target];
    else found.push(target);
  }
  return found ?? none;
}

/** As `filter`, but where all are meant the list itself is handed on: most are lists of one. */
function sectionsMeant(
  sections: WholeTarget['sections'],
  isMeant: (section: NamedSection) => boolean,
): readonly Target[] {
  const only = sections.length === 1 ? sections[0] : undefined;
  if (only !== undefined) return isMeant(only.section) ? sections : none;
  let found: Target[] | undefined;
  for (const target of sections) {
    if (!isMeant(target.section)) continue;
    if (found === undefined) found = [target];
    else found.push(target);
  }
  return found?.length === sections.length ? sections : (found ?? none);
}

/** What the ends that are meant of one resource say of a reference. */
interface Admission {
  /** Those that admit it. */
  readonly ends: readonly Target[];
  readonly refusals: readonly EndRefusal[];
  /** Whether one of them is to count as if the resource did not exist. */
  readonly isAbsent: boolean;
}

function admittedOf(
  meant: readonly Target[],
  object: WholeTarget,
  { admits }: Reference,
  lookup: Lookup,
  allowance: SectionAllowance,
): Admission {
  if (!allowance.take(meant.length)) {
    const refusal = { to: object.locator, reason: 'TooManySections', message: tooManySections };
    return { ends: none, refusals: [refusal], isAbsent: false };
  }
  if (admits === undefined) return { ends: meant, refusals: none, isAbsent: false };
  const refusals: EndRefusal[] = [];
  let ends: Target[] | undefined; // All that are meant, until one refuses.
  let isAbsent = false;
  for (let place = 0; place < meant.length; place += 1) {
    const end = meant[place] as Target;
    const refusal = admits(linkEndOf(end), lookup);
    if (refusal === undefined) {
      ends?.push(end);
      continue;
    }
    ends ??= meant.slice(0, place);
    if (refusal === 'absent') isAbsent = true;
    else refusals.push({ to: end.locator, reason: refusal.reason, message: refusal.message });
  }
  return { ends: ends ?? meant, refusals, isAbsent };
}

function linkEndOf({ resource, section }: Target): LinkEnd {
  return section === undefined ? { resource } : { resource, section };
}
