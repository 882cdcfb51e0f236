import { PolicyMachineryError, parseLocator } from '@policy-machinery/resource';
import {
  formatRef,
  formatTarget,
  type PolicyNode,
  type ResolvedReference,
  type TargetNode,
  type Topology,
} from '@policy-machinery/topology';
import type { Finding } from '../model/answer.ts';
import type { World } from '../model/world.ts';
import type { PolicyState } from './policy-state.ts';

/** How many refusals a sentence names; the others are counted. */
const mostRefusals = 2;

/**
 * Returns states of policies, with the reason why no path leads to the only target of a policy: `Gateway infra/eg#http refuses it: the listener takes
 * routes from namespace "infra" only.` Statuses do not contain the reason, which changes with objects that are on no path.
 */
export function withUnreachedReasons(states: readonly PolicyState[]): readonly PolicyState[] {
  return states.map((state) => {
    if (state.outcome !== unreached) return state;
    return { ...state, message: `${state.message}${reasonOf(state.policy, state.view.effective.topology)}` };
  });
}

/** Returns findings with the reason in those about policies that are not in any path, as {@link withUnreachedReasons} does. */
export function withReasons(
  { topologies }: Pick<World, 'topologies'>,
  findings: readonly Finding[],
): readonly Finding[] {
  return findings.map((finding) => {
    if (finding.code !== unreached) return finding;
    const reasons = topologies.flatMap((topology) => {
      const policy = topology.policy(finding.resource ?? '');
      return policy === undefined ? [] : reasonOf(policy, topology);
    });
    return { ...finding, message: `${finding.message}${reasons[0] ?? ''}` };
  });
}

const unreached = 'not-in-any-path';

/** Returns why no path leads to the only target of a policy, as a sentence after a space; `''` if that is not known. */
function reasonOf({ attachments }: PolicyNode, topology: Topology): string {
  const [target, ...others] = attachments.flatMap((attachment) => attachment.target ?? []);
  const reason = target === undefined || others.length > 0 ? undefined : unreachedReason(target, topology);
  return reason === undefined ? '' : ` ${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** Returns why nothing leads to a target, as a sentence without a full stop; `undefined` if something does, such as a Gateway of another controller. */
export function unreachedReason({ object }: TargetNode, topology: Topology): string | undefined {
  if (topology.parents(object).length > 0) return undefined;
  const parents = topology.referencesOf(object).filter(({ reference }) => reference.direction === 'up');
  const refusals = parents.flatMap(({ refusals: some }) => some);
  if (refusals.length > 0) {
    const named = refusals
      .slice(0, mostRefusals)
      .map(({ to, message }) => `${nameOf(to, topology)} refuses it: ${message}`);
    const more = refusals.length - named.length;
    return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  }
  const [missing] = parents.filter((parent) => parent.missing !== undefined);
  if (missing !== undefined) return `${nameOfMissing(missing, topology)} does not exist`;
  return 'it does not have a parent';
}

/** Returns the name in a reference: the same whether the object is missing or only its section. */
function nameOfMissing({ missing = '', reference: { toSections } }: ResolvedReference, topology: Topology): string {
  const object = nameOf(missing.replace(/#\?$/, ''), topology);
  if (toSections === undefined || typeof toSections === 'function') return object;
  const { name, field } = toSections;
  return `${object}${name === undefined ? '' : `#${name}`}${field === undefined ? '' : ` with ${field.join(' ')}`}`;
}

/** Returns a target that may not exist as people write it. */
function nameOf(locator: string, topology: Topology): string {
  const target = topology.get(locator);
  if (target !== undefined) return formatTarget(target);
  try {
    const ref = parseLocator(locator);
    const kind = [...topology.targetKinds].find(
      (it) => it.kind.toLowerCase() === ref.kind.split('.')[0]?.toLowerCase(),
    )?.kind;
    return formatRef({ ...ref, kind: kind ?? ref.kind });
  } catch (error) {
    if (error instanceof PolicyMachineryError) return locator;
    throw error;
  }
}
