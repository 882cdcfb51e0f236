import type { Issue } from '@policy-machinery/resource';
import type { Reference } from '../model/reference.ts';
import type { EndRefusal } from '../model/resolved-reference.ts';
import type { TargetNode } from '../model/target-node.ts';

/** How many refusals a message tells. */
const maxTold = 3;

/**
 * The issue of a reference that leads nowhere because all that it leads to refuse it. One of them that admits it is enough:
 * who asks for all sections of a target seldom wants each.
 */
export function refusalIssue(from: TargetNode, { pointer }: Reference, refusals: readonly EndRefusal[]): Issue {
  const told = refusals.slice(0, maxTold).map(({ to, message }) => `${to} (${message})`);
  const more = refusals.length > maxTold ? ` and ${refusals.length - maxTold} more` : '';
  const message = `refers in vain to ${told.join(', ')}${more}; have it let in there, or correct the reference`;
  return { code: 'refused-reference', severity: 'warning', message, resource: from.object.locator, pointer };
}
