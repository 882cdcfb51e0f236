import type { Issue } from '@policy-machinery/resource';
import type { ResolvedReference } from '../model/resolved-reference.ts';
import type { TargetNode } from '../model/target-node.ts';
import { isSameList } from '../support/is-same-list.ts';
import { none } from '../support/nothing.ts';

/** Returns the references that dangle, at least in part: usually none. */
export function danglingAmong<Resolved extends ResolvedReference>(
  references: readonly Resolved[],
): readonly Resolved[] {
  const isWhole = ({ missing, refusals }: Resolved): boolean => missing === undefined && refusals.length === 0;
  return references.every(isWhole) ? none : references.filter((reference) => !isWhole(reference));
}

/** Returns whether two references dangle for the same reasons. */
export function danglesAlike(some: ResolvedReference, other: ResolvedReference): boolean {
  return (
    some.reference.pointer === other.reference.pointer &&
    some.missing === other.missing &&
    isSameList(
      some.refusals,
      other.refusals,
      (a, b) => a.to === b.to && a.reason === b.reason && a.message === b.message,
    )
  );
}

/** The maximum number of refusals in a message. */
const maxListed = 3;

/**
 * Returns the issues of references that all of their ends refuse for certain. There is none if one end admits the reference: a reference to all
 * sections of a target seldom needs each.
 */
export function refusalIssues(from: TargetNode, references: readonly ResolvedReference[]): readonly Issue[] {
  const refused = references.filter(
    ({ ends, refusals, isUndecided }) => ends.length === 0 && refusals.length > 0 && !isUndecided,
  );
  return refused.map((it) => refusalIssue(from, it));
}

function refusalIssue(from: TargetNode, { reference, refusals }: ResolvedReference): Issue {
  const { pointer, to } = reference;
  const listed = refusals.slice(0, maxListed).map(({ to: end, message }) => `${nameOf(end, to.kind)} (${message})`);
  const more = refusals.length > maxListed ? ` and ${refusals.length - maxListed} more` : '';
  const message = `reference to ${listed.join(', ')}${more} was refused; allow it there, or correct the reference`;
  return { code: 'refused-reference', severity: 'warning', message, resource: from.object.locator, pointer };
}

/** Returns the name of a locator's target for people, in the spelling of its kind: `Gateway infra/public#https`. */
function nameOf(locator: string, kind: string): string {
  const name = locator.slice(locator.indexOf(':') + 1);
  return name === '?' ? `any ${kind}` : `${kind} ${name}`;
}
