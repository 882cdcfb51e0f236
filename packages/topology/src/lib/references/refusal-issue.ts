import type { Issue } from '@policy-machinery/resource';
import type { Reference } from '../model/reference.ts';
import type { EndRefusal } from '../model/resolved-reference.ts';
import type { TargetNode } from '../model/target-node.ts';

/** The maximum number of refusals in a message. */
const maxListed = 3;

/**
 * Returns the issue of a reference that all of its ends refuse. There is none if one end admits the reference: a reference to all sections of a
 * target seldom needs each.
 */
export function refusalIssue(
  from: TargetNode,
  { pointer, to: { kind } }: Reference,
  refusals: readonly EndRefusal[],
): Issue {
  const listed = refusals.slice(0, maxListed).map(({ to, message }) => `${nameOf(to, kind)} (${message})`);
  const more = refusals.length > maxListed ? ` and ${refusals.length - maxListed} more` : '';
  const message = `reference to ${listed.join(', ')}${more} was refused; allow it there, or correct the reference`;
  return { code: 'refused-reference', severity: 'warning', message, resource: from.object.locator, pointer };
}

/** Returns the name of a locator's target for people, in the spelling of its kind: `Gateway infra/public#https`. */
function nameOf(locator: string, kind: string): string {
  const name = locator.slice(locator.indexOf(':') + 1);
  return name === '?' ? `any ${kind}` : `${kind} ${name}`;
}
