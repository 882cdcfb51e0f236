import type { DeclaredPolicy, EffectivePolicies } from '@policy-machinery/effective-policy';
import { objectWithoutSection } from '@policy-machinery/effective-policy/inner';
import type { ResourceRef } from '@policy-machinery/resource';
import type { Attachment } from '@policy-machinery/topology';
import { type AncestorsOf, ancestorTest, isPartOf } from './ancestor-finder.ts';
import type { NotKnown } from './not-known.ts';

export interface ReportedPolicy {
  /** The effective policies for the traffic that the attachment affects. */
  readonly effective: EffectivePolicies<unknown>;
  /** The policy, as status entries name it. */
  readonly itself: ResourceRef;
  readonly node: DeclaredPolicy<unknown>['node'];
  readonly ancestorsOf: AncestorsOf;
  readonly notKnown: NotKnown;
}

/**
 * Returns the places of an attachment in the status of its policy, as far as the controller manages them: the target if it can be an ancestor, the
 * ancestors above it, and the topmost targets of the paths without one. If no path has one, the place is the target itself. A section that does not
 * exist has the places of its object. O(targets above).
 */
export function placesOf(
  attachment: Attachment,
  { effective, itself, node, ancestorsOf }: ReportedPolicy,
): readonly ResourceRef[] {
  const { target, declared } = attachment;
  const named = target?.ref ?? declaredRef(declared) ?? itself;
  const place = target ?? objectWithoutSection(effective.topology, node, attachment);
  const isAncestor = ancestorTest(effective);
  const ancestors = place === undefined ? [] : ancestorsOf(place);
  if (place === undefined || !ancestors.some(isAncestor)) return [named];
  const others = ancestors.filter((it) => isAncestor(it) || !isPartOf(it, place));
  const ours = others.filter(({ object }) => effective.manages(object));
  const namesSections = effective.kind.ancestorEntries.naming === 'sections';
  // Entries that name sections also name one that does not exist.
  const isNamed = namesSections && target === undefined && ours.some((it) => it === place);
  return isNamed ? [named] : ours.map(({ ref }) => ref);
}

/** Returns the object that a policy names; `undefined` for a selector. */
export function declaredRef(declared: Attachment['declared']): ResourceRef | undefined {
  if (!('name' in declared)) return undefined;
  const { group, kind, namespace, name, sectionName } = declared;
  return {
    group,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(sectionName === undefined ? {} : { section: sectionName }),
  };
}
