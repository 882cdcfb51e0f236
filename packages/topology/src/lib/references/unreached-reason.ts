import { PolicyMachineryError, parseLocator } from '@policy-machinery/resource';
import { formatRef, formatTarget } from '../model/format.ts';
import type { ResolvedReference } from '../model/resolved-reference.ts';
import type { TargetNode } from '../model/target-node.ts';
import type { Topology } from '../model/topology.ts';

/** How many refusals a sentence names; the others are counted. */
const mostRefusals = 2;

/** Returns why nothing leads to a target, as a sentence without a full stop; `undefined` if something does, such as a Gateway of another controller. */
export function unreachedReason({ object }: TargetNode, topology: Topology): string | undefined {
  if (topology.parents(object).length > 0) return undefined;
  const parents = topology.referencesOf(object).filter(({ reference }) => reference.direction === 'up');
  const refusals = parents.flatMap(({ refusals: some }) => some);
  if (refusals.length > 0) {
    const named = refusals.slice(0, mostRefusals).map(({ to, message, isUndecided }) => {
      return `${nameOf(to, topology)} ${isUndecided ? 'may refuse' : 'refuses'} it: ${message}`;
    });
    const more = refusals.length - named.length;
    return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  }
  const [missing] = parents.filter((parent) => parent.missing !== undefined);
  if (missing === undefined) return 'it does not name a parent, and nothing refers to it';
  return `${nameOfMissing(missing, topology)} ${missing.isUndecided ? 'is not in this input' : 'does not exist'}`;
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
