import { HTTPRoute } from '@policy-machinery/gateway-api';
import { groupKindKey, type Issue } from '@policy-machinery/resource';
import type { PolicyNode, Topology } from '@policy-machinery/topology';
import type { Unrendered } from '../../model/unrendered.ts';

/** Findings because something else is missing. */
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

/** Findings because the input lacks a route, grant or Gateway that would change them. */
const ofAnyAbsence: ReadonlySet<string> = new Set([
  'reference-not-permitted',
  'refused-reference',
  'unreachable-target',
  'not-in-any-path',
]);

/** Findings because of the other objects on all paths: one more route is one more path. */
const ofAllPaths: ReadonlySet<string> = new Set(['overridden']);

/** The locator of any route. */
const anyRoute = `${groupKindKey(HTTPRoute)}:?`;

/** Findings about one object in relation to others: where these are, and whether they exist. */
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
  /** The locator of the missing object, if that is the verdict. */
  readonly missing?: string;
}

/** The input of grounds: signs of unrendered files, and the topologies with the policies. */
interface Grounds {
  readonly unrendered: Unrendered;
  readonly topologies: readonly Topology[];
}

/**
 * Returns whether a verdict has grounds: whether it holds, whatever a renderer changes and adds.
 *
 * @param world The unrendered input, and the topologies with the policies.
 * @param verdict The code, the object, and the missing object.
 */
export function hasGrounds({ unrendered, topologies }: Grounds, { code, resource, missing }: Claim): boolean {
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

/**
 * Returns the input that must be rendered to decide a verdict about a policy, in a sentence: `HTTPRoute shop/cart may come
 * from HelmRelease shop/cart`.
 *
 * @param world The unrendered input, and the topologies with the policies.
 * @param resource The locator of the policy.
 * @returns The sentence, without a full stop; a general one without a single cause.
 */
export function causeOfDoubt({ unrendered, topologies }: Grounds, resource: string): string {
  const isOfContent = (locator: string) => unrendered.changeOf(locator) === 'content';
  const causeOf = (locators: readonly string[]) => locators.flatMap((locator) => unrendered.causeOf(locator) ?? [])[0];
  const policies = topologies.flatMap((topology) => topology.policy(resource) ?? []);
  const targets = policies.flatMap(({ attachments }) => attachments.flatMap(({ target }) => target?.locator ?? []));
  const [created] = policies.flatMap(missingTargets).filter(unrendered.mayExist);
  const origin = unrendered.originOf(created ?? resource);
  return (
    causeOf([resource].filter(isOfContent)) ??
    (created === undefined || origin === undefined
      ? undefined
      : `${nameOf(created, topologies)} may come from ${origin}`) ??
    causeOf(targets.filter(isOfContent)) ??
    causeOf([resource, ...targets]) ??
    (origin === undefined ? 'a renderer changes its input' : `its routes may come from ${origin}`)
  );
}

/** Returns the name of a missing object as people write it, with the kind as policies write it. */
function nameOf(locator: string, topologies: readonly Topology[]): string {
  const [key = '', name = ''] = locator.split(':', 2);
  const kinds = topologies.flatMap(({ targetKinds }) => [...targetKinds]);
  const kind = kinds.find((each) => groupKindKey(each) === key)?.kind ?? key;
  return name === '?' ? `a selected ${kind}` : `${kind} ${name}`;
}

/** Returns the locators of the targets that a policy names, and that are not there. */
function missingTargets({ attachments }: PolicyNode): readonly string[] {
  return attachments.flatMap(({ target, declared }) => {
    if (target !== undefined || !('kind' in declared)) return [];
    return [`${groupKindKey(declared)}:${'name' in declared ? declared.name : '?'}`];
  });
}
