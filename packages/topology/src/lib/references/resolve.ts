// references/: takes references of resources, returns the targets that they lead to. All questions go through the lookup, which records the
// dependents of its answers. A reference dangles if its target is missing or refuses it; a relaying reference depends on values from above.

import { formatLocator, groupKindKey, type ResourceRef } from '@policy-machinery/resource';
import { referenceGrantKind } from '@policy-machinery/target-ref/inner';
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
import { none } from '../support/nothing.ts';
import { SectionTarget, type Target, type WholeTarget } from '../targets/target.ts';
import type { Lookup } from './lookup.ts';
import { meansSection } from './section-criteria.ts';
import { selectTargets } from './select.ts';
import { maxSelecting } from './selection-limits.ts';

/** A reference with the targets that it leads to. */
export interface Resolution extends ResolvedReference {
  readonly ends: readonly Target[];
}

/** The state of resolving the references of one target. */
interface Resolving {
  readonly from: Target;
  readonly lookup: Lookup;
  /** The number of sections that the references of the target may still lead to. */
  sectionsLeft: number;
}

/**
 * The maximum number of sections that the references of one target lead to, apart from references that lead to one section: Gateway API allows a
 * route 32 parents, and a Gateway 64 listeners.
 */
const maxSections = 2048;

const tooManySections = `with it the references lead to more than ${maxSections} sections; name one section`;
const tooManySelecting = `${maxSelecting} older references of the namespace select these already; name one resource`;

/**
 * Resolves the references of a target. The result depends only on the target and the answers of `lookup`.
 *
 * @returns One entry for each reference, in the order of the resource.
 * @throws The errors of functions of the target's kind.
 */
export function resolveReferences(from: Target, lookup: Lookup): readonly Resolution[] {
  const resolving = { from, lookup, sectionsLeft: maxSections };
  return [...referencesOf(from)].map((reference) => {
    const { to } = reference;
    return 'name' in to ? resolveNamed(to, reference, resolving) : resolveSelected(to, reference, resolving);
  });
}

function referencesOf(target: Target): Iterable<Reference> {
  return target instanceof SectionTarget
    ? target.kind.references(target.place, target.resource)
    : target.object.kind.references(target.resource);
}

function resolveNamed(to: NamedTarget, reference: Reference, resolving: Resolving): Resolution {
  const { from, lookup } = resolving;
  const refKind = lookup.kind(to);
  const namespace = refKind?.scope === 'Cluster' ? undefined : (to.namespace ?? from.namespaceName ?? 'default');
  const needsGrant = reference.needsGrant === true && namespace !== from.namespaceName;
  if (needsGrant && !isPermitted(from.ref, { ...to, namespace }, lookup)) {
    const message = `no ReferenceGrant in namespace ${namespace} permits it`;
    const isUndecided = !lookup.isComplete(referenceGrantKind, namespace);
    const refusal = { to: locatorOf(to, namespace, refKind?.prefix), reason: 'RefNotPermitted', message, isUndecided };
    return refused(reference, refusal);
  }
  const object = refKind?.target && lookup.target(refKind, namespace, to.name);
  const isGiven = lookup.isComplete(to, namespace, to.name);
  if (object === undefined) {
    const mayExist = !isGiven || lookup.creatorOf(to, namespace, to.name) !== undefined;
    return missing(reference, locatorOf(to, namespace, refKind?.prefix), mayExist);
  }
  const ends = meantBy(reference, object);
  if (ends.length === 0) return missing(reference, `${object.locator}#?`, false);
  const admission = admittedOf(ends, object, reference, resolving);
  return resolved(reference, admission, { locator: object.locator, mayExist: !isGiven });
}

function refused(reference: Reference, refusal: EndRefusal): Resolution {
  return { reference, ends: none, refusals: [refusal], missing: undefined, isUndecided: refusal.isUndecided };
}

function missing(reference: Reference, locator: string, isUndecided: boolean): Resolution {
  return { reference, ends: none, refusals: none, missing: locator, isUndecided };
}

/**
 * Returns a reference with the answers of its ends.
 *
 * @param absent The missing object if all ends that admit or refuse it answer as if they did not exist.
 */
export function resolved(
  reference: Reference,
  { ends, refusals, isAbsent }: Admission,
  absent: { readonly locator: string; readonly mayExist: boolean },
): Resolution {
  const isUndecided = (isAbsent && absent.mayExist) || refusals.some((refusal) => refusal.isUndecided);
  return { reference, ends, refusals, missing: isAbsent ? absent.locator : undefined, isUndecided };
}

function locatorOf(to: NamedTarget, namespace: string | undefined, prefix: string | undefined): string {
  if (prefix !== undefined) return locatorIn(prefix, namespace, to.name);
  const { group, kind, name } = to;
  return formatLocator({ group, kind, name, ...(namespace === undefined ? {} : { namespace }) });
}

function resolveSelected(to: SelectedTargets, reference: Reference, resolving: Resolving): Resolution {
  const { from, lookup } = resolving;
  const namespace = to.namespace ?? from.namespaceName;
  const anyOfKind = `${groupKindKey(to)}:?`;
  if (!lookup.maySelect(from, to, namespace)) {
    const refusal = { to: anyOfKind, reason: 'TooManySelecting', message: tooManySelecting, isUndecided: false };
    return refused(reference, refusal);
  }
  const selected = selectTargets(to, namespace, lookup);
  const isFree = reference.needsGrant !== true;
  const objects = isFree ? selected : selected.filter((object) => isPermitted(from.ref, object.ref, lookup));
  const [first] = objects;
  const mayExist = !isSelectionComplete(to, namespace, isFree, lookup);
  if (first === undefined) return missing(reference, anyOfKind, mayExist);
  if (reference.toSections === undefined && reference.admits === undefined) {
    return { reference, ends: objects, refusals: none, missing: undefined, isUndecided: false };
  }
  const admissions = objects.map((object) => admittedOf(meantBy(reference, object), object, reference, resolving));
  const ends = admissions.flatMap((admission) => admission.ends);
  const refusals = admissions.flatMap((admission) => admission.refusals);
  const isAbsent = admissions.every((admission) => admission.isAbsent);
  const isMeant = ends.length > 0 || refusals.length > 0 || admissions.some((admission) => admission.isAbsent);
  if (!isMeant) return missing(reference, `${first.locator}#?`, mayExist);
  return resolved(reference, { ends, refusals, isAbsent }, { locator: anyOfKind, mayExist });
}

/**
 * Returns whether everything is given that decides a selection: resources of the kind; grants, if they are needed; and Namespaces, if
 * their labels count.
 *
 * @param isFree Whether no grant is needed.
 */
export function isSelectionComplete(
  { group, kind, namespaces: { from } }: SelectedTargets,
  namespace: string | undefined,
  isFree: boolean,
  lookup: Lookup,
): boolean {
  const within = from === 'Same' ? namespace : undefined;
  return (
    lookup.isComplete({ group, kind }, within) &&
    lookup.creatorOf({ group, kind }, within) === undefined &&
    (isFree || from === 'Same' || lookup.isComplete(referenceGrantKind, undefined)) &&
    (from !== 'Selector' || lookup.isComplete(namespaceKind, undefined))
  );
}

const namespaceKind = { group: '', kind: 'Namespace' };

/** Returns whether a resource may refer to another: in its namespace, to or from a cluster-scoped one, or with a grant. */
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

/** Returns the target itself, or the sections that the reference leads to. */
function meantBy({ toSections, orWhole = false }: Reference, object: WholeTarget): readonly Target[] {
  if (toSections === undefined) return [object];
  const sections =
    typeof toSections === 'function' ? sectionsWhere(object.sections, toSections) : sectionsWith(object, toSections);
  return sections.length === 0 && orWhole ? [object] : sections;
}

function sectionsWith(object: WholeTarget, criteria: SectionCriteria): readonly Target[] {
  const sections = object.sectionsWith(criteria);
  if (criteria.field === undefined) return sections; // All sections, or the one with the name.
  return sectionsWhere(sections, (section) => meansSection(criteria, section));
}

/** Like `filter`, but returns the same list if all sections match: lists are kept, and most have one item. */
function sectionsWhere(
  sections: readonly SectionTarget[],
  isMeant: (section: NamedSection) => boolean,
): readonly Target[] {
  const isOf = ({ section }: SectionTarget): boolean => isMeant(section);
  return sections.every(isOf) ? sections : sections.filter(isOf);
}

/** The answers of one resource's ends to a reference. */
export interface Admission {
  /** The ends that admit the reference. */
  readonly ends: readonly Target[];
  readonly refusals: readonly EndRefusal[];
  /** Whether an end answers as if the resource did not exist. */
  readonly isAbsent: boolean;
}

function admittedOf(
  ends: readonly Target[],
  object: WholeTarget,
  { admits }: Reference,
  resolving: Resolving,
): Admission {
  const count = ends.length > 1 ? ends.length : 0;
  if (count > resolving.sectionsLeft) {
    const refusal = { to: object.locator, reason: 'TooManySections', message: tooManySections, isUndecided: false };
    return { ends: none, refusals: [refusal], isAbsent: false };
  }
  resolving.sectionsLeft -= count;
  if (admits === undefined) return { ends: ends, refusals: none, isAbsent: false };
  return admissionOf(ends, admits, resolving.lookup);
}

/** Asks targets and sections whether they admit a reference. */
export function admissionOf(
  ends: readonly Target[],
  admits: NonNullable<Reference['admits']>,
  lookup: Lookup,
): Admission {
  const answers = ends.map((end) => admits(linkEndOf(end), lookup));
  if (answers.every((answer) => answer === undefined)) return { ends: ends, refusals: none, isAbsent: false };
  return {
    ends: ends.filter((_, place) => answers[place] === undefined),
    refusals: ends.flatMap((end, place) => {
      const answer = answers[place];
      if (answer === undefined || answer === 'absent') return none;
      const { reason, message, lacks } = answer;
      const isUndecided = lacks !== undefined && !lookup.isComplete(lacks, lacks.namespace, lacks.name);
      return { to: end.locator, reason, message, isUndecided };
    }),
    isAbsent: answers.includes('absent'),
  };
}

function linkEndOf({ resource, section }: Target): LinkEnd {
  return section === undefined ? { resource } : { resource, section };
}
