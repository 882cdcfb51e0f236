import { HTTPRoute } from '@policy-machinery/gateway-api';
import { groupKindKey, type Issue } from '@policy-machinery/resource';
import type { PolicyNode, Topology } from '@policy-machinery/topology';
import type { Unrendered } from '../../model/unrendered.ts';

/** What is told because something else is missing. */
const ofAbsence: ReadonlySet<string> = new Set([
  'missing-target',
  'missing-section',
  'missing-policy',
  'nothing-selected',
  'target-not-found',
  'section-not-found',
  'not-in-input',
  'undecided',
]);

/** What is told because no route, no grant and no Gateway is there that changes it. */
const ofAnyAbsence: ReadonlySet<string> = new Set([
  'reference-not-permitted',
  'refused-reference',
  'unreachable-target',
  'not-in-any-path',
]);

/** What is told because of the other objects on all paths: one more route is one more path. */
const ofAllPaths: ReadonlySet<string> = new Set(['overridden']);

/** The locator of any route. */
const anyRoute = `${groupKindKey(HTTPRoute)}:?`;

/** What is told about one object in relation to others: where these are, and whether they exist. */
const relational: ReadonlySet<string> = new Set([
  ...ofAbsence,
  ...ofAnyAbsence,
  'unresolved-reference',
  'conflicted',
  'overridden',
  'pending',
  'undecided',
  'listener-conflict',
  'duplicate-resource',
  'section-name-collision',
]);

/** A verdict: a finding, or the outcome of a policy. */
export interface Claim extends Pick<Issue, 'code' | 'resource'> {
  /** The locator of what is missing, if that is the verdict. */
  readonly missing?: string;
}

/**
 * Returns whether a verdict has grounds: whether it holds, whatever a renderer changes and adds.
 *
 * @param world What is not rendered, and the topologies with the policies.
 * @param verdict The code, the object, and what is missing.
 */
export function hasGrounds(
  { unrendered, topologies }: { readonly unrendered: Unrendered; readonly topologies: readonly Topology[] },
  { code, resource, missing }: Claim,
): boolean {
  if (unrendered.signs.length === 0 || resource === undefined) return true;
  const change = unrendered.changeOf(resource);
  if (change === 'content' || (change === 'place' && relational.has(code))) return false;
  if (missing !== undefined) return !unrendered.mayExist(missing);
  if (ofAnyAbsence.has(code)) return false;
  if (ofAllPaths.has(code)) return !unrendered.mayExist(anyRoute);
  if (!ofAbsence.has(code)) return true;
  const policies = topologies.flatMap((topology) => topology.policy(resource) ?? []);
  return policies.length === 0 || !policies.some((policy) => missingTargets(policy).some(unrendered.mayExist));
}

/** Returns the locators of the targets that a policy names, and that are not there. */
function missingTargets({ attachments }: PolicyNode): readonly string[] {
  return attachments.flatMap(({ target, declared }) => {
    if (target !== undefined || !('kind' in declared)) return [];
    return [`${groupKindKey(declared)}:${'name' in declared ? declared.name : '?'}`];
  });
}
