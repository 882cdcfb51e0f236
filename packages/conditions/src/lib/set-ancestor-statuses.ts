import { checkControllerName, isJsonObject } from '@policy-machinery/resource';
import { ancestorKey, compareParts, type ParentReference, type PolicyAncestorStatus } from './ancestor.ts';
import type { ConditionUpdate } from './condition.ts';
import { type AncestorOverflow, aggregatedType, byPrecedence, type Candidate, overflowRules } from './overflow.ts';
import { isNewer, type SetOptions, sameItems, setStatusConditions } from './set-status-conditions.ts';

/** What a policy's status is to say of one ancestor. */
export interface AncestorUpdate {
  readonly ancestorRef: ParentReference;
  /** Without any, there is nothing to say, and no entry. */
  readonly conditions: readonly ConditionUpdate[];
}

/** How ancestor statuses are set. */
export interface AncestorOptions extends Omit<SetOptions, 'limit'> {
  /** The controller's name: entries of others are not touched (S-13). */
  readonly controllerName: string;
  /** The namespace of the policy, which references without one mean. Default: none, for cluster-scoped policies. */
  readonly namespace?: string;
  /** How many entries the list may hold, those of others included. Default 16, the limit of Gateway API (S-10). */
  readonly limit?: number;
  /** What happens with more. Default `refuse-and-signal`. */
  readonly overflow?: AncestorOverflow;
}

/** Something that has no place in the status. */
export interface RefusedAncestor extends AncestorUpdate {
  /** `ancestors`: there is no entry for it; signal that on the ancestor. `conditions`: its entry lacks these conditions. */
  readonly limit: 'ancestors' | 'conditions';
}

/** A list of ancestor statuses, and what has no place in it. */
export interface AncestorResult {
  /** The list that was given if nothing has changed. */
  readonly ancestors: readonly PolicyAncestorStatus[];
  readonly refused: readonly RefusedAncestor[];
}

/** An entry of the new list: another controller's, or an own one, new or not. */
type Place =
  | { readonly entry: PolicyAncestorStatus; readonly wanted?: undefined }
  | { readonly entry?: PolicyAncestorStatus; readonly wanted: Wanted };

interface Wanted extends Candidate, AncestorUpdate {}

/**
 * Sets a controller's entries in the `status.ancestors` of a policy, keyed by ancestor and controller (S-09).
 *
 * Entries of other controllers stay as they are and in their order (S-14); own ones keep their place, new ones are appended
 * in a stable order (S-23), and those of ancestors that are gone are removed (S-13). When an own entry has seen a newer
 * generation of the policy, the controller's copy is outdated, and nothing changes (S-15).
 *
 * @param existing What stands in the status. Anything but a list counts as an empty one; entries that are no ancestor
 * statuses are kept, as those of others.
 * @param updates All ancestors that the controller has something to say of; the last one of each counts.
 * @param options The controller, the generation, the time, the own condition types, and the limit.
 * @returns The new list. O(n log n) in the number of entries and updates.
 * @throws {PolicyMachineryError} `invalid-time`, when `now` is no date that RFC 3339 can write; `invalid-controller-name`, when a status
 * could not hold the name of the controller.
 */
export function setAncestorStatuses(
  existing: unknown,
  updates: readonly AncestorUpdate[],
  options: AncestorOptions,
): AncestorResult {
  const {
    controllerName,
    namespace = '',
    limit = 16,
    overflow = 'refuse-and-signal',
    now,
    observedGeneration,
  } = options;
  checkControllerName(controllerName);
  const { signals, onLast } = overflowRules[overflow];
  const stored: readonly PolicyAncestorStatus[] = Array.isArray(existing) ? existing : [];
  const own = stored.filter((entry) => isJsonObject(entry) && entry.controllerName === controllerName);
  const keys = new Map(own.map((entry) => [entry, ancestorKey(entry.ancestorRef, namespace)?.text]));
  const owned = [...(options.owned ?? []), aggregatedType];
  const ownTypes = new Set([...owned, ...updates.flatMap(({ conditions }) => conditions.map(({ type }) => type))]);
  if (own.some(({ conditions }) => isNewer(conditions, ownTypes, observedGeneration))) {
    return { ancestors: stored, refused: [] };
  }

  const candidates = byPrecedence(overflow, wantedIn(updates, namespace, new Set(keys.values())));
  const room = Math.max(0, limit - (stored.length - own.length));
  const left = [...candidates.slice(room)].sort((a, b) => compareParts(a.key.parts, b.key.parts));
  const places = placesOf(stored, keys, candidates.slice(0, room));
  const last = left.length > 0 ? places.findLast(({ wanted }) => wanted !== undefined) : undefined;

  const refused = (signals || last === undefined ? left : []).map(
    ({ ancestorRef, conditions }): RefusedAncestor => ({ ancestorRef, conditions, limit: 'ancestors' }),
  );
  const ancestors = places.map((place) => {
    const { entry, wanted } = place;
    if (wanted === undefined) return entry;
    const { ancestorRef } = wanted;
    const said = place === last ? [...wanted.conditions, ...onLast] : wanted.conditions;
    const result = setStatusConditions(entry?.conditions, said, { now, observedGeneration, owned });
    if (result.refused.length > 0) refused.push({ ancestorRef, conditions: result.refused, limit: 'conditions' });
    const { conditions } = result;
    return conditions === entry?.conditions ? entry : { ancestorRef, controllerName, ...entry, conditions };
  });
  return { ancestors: sameItems(stored, ancestors) ? stored : ancestors, refused };
}

function wantedIn(
  updates: readonly AncestorUpdate[],
  namespace: string,
  present: ReadonlySet<string | undefined>,
): readonly Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const update of updates) {
    const key = ancestorKey(update.ancestorRef, namespace);
    if (key === undefined || update.conditions.length === 0) continue;
    wanted.set(key.text, { key, isPresent: present.has(key.text), ...update });
  }
  return [...wanted.values()];
}

/** The entries that stay, where they are, and then the new ones. */
function placesOf(
  stored: readonly PolicyAncestorStatus[],
  keys: ReadonlyMap<PolicyAncestorStatus, string | undefined>,
  chosen: readonly Wanted[],
): readonly Place[] {
  const unplaced = new Map(chosen.map((wanted) => [wanted.key.text, wanted]));
  const kept = stored.flatMap((entry): Place[] => {
    if (!keys.has(entry)) return [{ entry }];
    const key = keys.get(entry) ?? '';
    const wanted = unplaced.get(key);
    unplaced.delete(key);
    return wanted === undefined ? [] : [{ entry, wanted }];
  });
  return [...kept, ...[...unplaced.values()].map((wanted): Place => ({ wanted }))];
}
