import { Gateway } from '@policy-machinery/gateway-api';
import type { Verdict } from '@policy-machinery/guarantees';
import { knownKinds } from '@policy-machinery/known-kinds';
import { groupKindKey, parseLocator } from '@policy-machinery/resource';
import type { World } from '../model/world.ts';

/** The systems with policies that count at the Gateways of some classes only, by the key of the kind. */
const systems: ReadonlyMap<string, string> = new Map(
  knownKinds.flatMap((kind) => (kind.controllers === undefined ? [] : [[groupKindKey(kind), kind.system]])),
);

/** Returns the systems with policies in a world, among the systems with policies that count at the Gateways of some classes only. */
function systemsIn({ views }: World): readonly string[] {
  const used = views.filter(({ found, effective }) => found.foundBy === 'table' && effective.policies.length > 0);
  return [...new Set(used.flatMap(({ found: { kind } }) => systems.get(groupKindKey(kind)) ?? []))];
}

/** Returns the names of the classes that Gateways have and that are not in the input. */
function missingClasses({ topology }: World): readonly string[] {
  const missing = topology.unresolved.filter(
    ({ from, reference, isUndecided }) =>
      isUndecided && from.ref.kind === Gateway.kind && reference.to.kind === 'GatewayClass',
  );
  return [...new Set(missing.map(({ missing: locator }) => parseLocator(locator).name))].sort();
}

/** The parts of a verdict that name the policies that it depends on. */
export type Asking = Pick<Verdict, 'guarantee' | 'kinds'> & Partial<Pick<Verdict, 'basis'>>;

/** A guarantee about everything that a request meets. */
export const ofAll: Asking = { guarantee: { name: 'request', holds: 'true', about: 'policies' }, kinds: [] };

/** Returns whether a guarantee reads policies of a system that depend on the class of a Gateway. */
function readsSystem({ guarantee, kinds, basis }: Asking, { views }: World): boolean {
  if (guarantee.about === 'policies' || (basis !== undefined && basis.compiled.concerns.length > 0)) return true;
  const named = new Set(kinds.map((name) => name.split('.', 1)[0]));
  return views.some(({ found: { kind } }) => named.has(kind.kind) && systems.has(groupKindKey(kind)));
}

/** Returns the assumptions of a verdict about classes that are not in the input, in clauses: that they belong to the only system with policies. */
export function classAssumptions(verdict: Asking, world: World): readonly string[] {
  const [system, ...others] = systemsIn(world);
  if (system === undefined || others.length > 0 || !readsSystem(verdict, world)) return [];
  return missingClasses(world).map((name) => `that class ${name} belongs to ${system}`);
}

/**
 * Returns the classes that a verdict depends on and that are not in the input, in sentences without a full stop: if
 * policies of several systems are.
 */
export function classesNotKnown(verdict: Asking, world: World): readonly string[] {
  const used = systemsIn(world);
  if (used.length < 2 || !readsSystem(verdict, world)) return [];
  return missingClasses(world).map(
    (name) => `GatewayClass ${name} is not in this input, so it may belong to ${used.join(' or ')}`,
  );
}
