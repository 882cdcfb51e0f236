import { isJsonObject } from '@policy-machinery/resource';
import { checkControllerName } from '@policy-machinery/resource/inner';
import { ancestorKey, compareParts, type ParentReference, type PolicyAncestorStatus } from './ancestor.ts';
import type { ConditionUpdate } from './condition.ts';
import { type AncestorOverflow, aggregatedType, byPrecedence, type Candidate, overflowRules } from './overflow.ts';
import { isNewer, ownTest, type SetOptions, sameItems, setStatusConditions } from './set-status-conditions.ts';

/** The new status of a policy with respect to one ancestor. */
export interface AncestorUpdate {
  readonly ancestorRef: ParentReference;
  /** The conditions. Without any, the ancestor does not get an entry. */
  readonly conditions: readonly ConditionUpdate[];
}

/** How ancestor statuses are set. */
export interface AncestorOptions extends Omit<SetOptions, 'limit'> {
  /** The name of the controller. Entries of other controllers are not touched. */
  readonly controllerName: string;
  /**
   * Returns whether an entry with the controller's name belongs to this process, where several processes share the controller's ancestors. Other
   * entries stay unchanged. Default: all are.
   */
  readonly isOwn?: ((ancestorRef: ParentReference) => boolean) | undefined;
  /** The namespace of the policy, which is the default of references. Default: none, for cluster-scoped policies. */
  readonly namespace?: string | undefined;
  /** The maximal number of entries, including entries of other controllers. Default 16, the limit of Gateway API. */
  readonly limit?: number | undefined;
  /** How to handle more entries. Default: `refuse-and-signal`. */
  readonly overflow?: AncestorOverflow | undefined;
}

/** An ancestor or conditions that do not fit in the status. */
export interface RefusedAncestor extends AncestorUpdate {
  /** `ancestors`: the ancestor does not have an entry, so signal that on the ancestor. `conditions`: its entry lacks these conditions. */
  readonly limit: 'ancestors' | 'conditions';
}

/** A list of ancestor statuses, and the entries that do not fit in it. */
export interface AncestorResult {
  /** The identical list if nothing has changed. */
  readonly ancestors: readonly PolicyAncestorStatus[];
  readonly refused: readonly RefusedAncestor[];
}

/** An entry of the new list: of another controller, or the controller's own, new or existing. */
type NewEntry =
  | { readonly entry: PolicyAncestorStatus; readonly wanted?: undefined }
  | { readonly entry?: PolicyAncestorStatus; readonly wanted: Wanted };

interface Wanted extends Candidate, AncestorUpdate {}

/**
 * Sets a controller's entries in the `status.ancestors` of a policy, keyed by ancestor and controller.
 *
 * Entries of other controllers keep their content and order. The controller's own entries keep their positions, new
 * entries are appended in a stable order, and entries of other ancestors are removed. If an own entry has
 * observed a newer generation of the policy, the controller's copy is outdated, and nothing changes.
 *
 * @param existing The entries in the status. Anything other than a list counts as empty; entries that are not ancestor statuses
 * are kept.
 * @param updates All ancestors that the controller reports on. If one occurs twice, the last one counts.
 * @param options The controller, the generation, the time, the own condition types, and the limit.
 * @returns The new list. O(n log n) in the number of entries and updates.
 * @throws {PolicyMachineryError} `invalid-time`, if `now` is not a date in RFC 3339; `invalid-controller-name`, if a status
 * could not hold the name of the controller.
 */
export function setAncestorStatuses(
  existing: unknown,
  updates: readonly AncestorUpdate[],
  options: AncestorOptions,
): AncestorResult {
  const { controllerName, namespace = '', limit = 16, overflow = 'refuse-and-signal' } = options;
  checkControllerName(controllerName);
  const stored: readonly PolicyAncestorStatus[] = Array.isArray(existing) ? existing : [];
  const ownEntries = stored.filter((entry) => isOwnEntry(entry, options));
  const keys = new Map(ownEntries.map((entry) => [entry, ancestorKey(entry.ancestorRef, namespace)?.text]));
  const owned = options.owned === 'all' ? 'all' : [...(options.owned ?? []), aggregatedType];
  const isOwnCondition = ownTest(
    owned,
    updates.flatMap(({ conditions }) => conditions.map(({ type }) => type)),
  );
  if (ownEntries.some(({ conditions }) => isNewer(conditions, isOwnCondition, options.observedGeneration))) {
    return { ancestors: stored, refused: [] };
  }

  const candidates = byPrecedence(overflow, wantedIn(updates, namespace, new Set(keys.values())));
  const room = Math.max(0, limit - (stored.length - ownEntries.length));
  const surplus = [...candidates.slice(room)].sort((a, b) => compareParts(a.key.parts, b.key.parts));
  const entries = newEntries(stored, keys, candidates.slice(0, room));
  const { signals, onLast } = overflowRules[overflow];
  const last = surplus.length > 0 ? entries.findLast(({ wanted }) => wanted !== undefined) : undefined;
  const refused = (signals || last === undefined ? surplus : []).map(
    ({ ancestorRef, conditions }): RefusedAncestor => ({ ancestorRef, conditions, limit: 'ancestors' }),
  );
  const ancestors = entries.map((each) => {
    const { entry, wanted } = each;
    if (wanted === undefined) return entry;
    const { ancestorRef } = wanted;
    const updated = each === last ? [...wanted.conditions, ...onLast] : wanted.conditions;
    const result = setStatusConditions(entry?.conditions, updated, {
      now: options.now,
      observedGeneration: options.observedGeneration,
      owned,
    });
    if (result.refused.length > 0) refused.push({ ancestorRef, conditions: result.refused, limit: 'conditions' });
    const { conditions } = result;
    return conditions === entry?.conditions ? entry : { ancestorRef, controllerName, ...entry, conditions };
  });
  return { ancestors: sameItems(stored, ancestors) ? stored : ancestors, refused };
}

/** Returns whether an entry is of the controller, and of this process, which may change only such entries. */
function isOwnEntry(entry: PolicyAncestorStatus, options: AncestorOptions): boolean {
  const { controllerName, namespace = '', isOwn = () => true } = options;
  if (!isJsonObject(entry) || entry.controllerName !== controllerName) return false;
  return ancestorKey(entry.ancestorRef, namespace) === undefined || isOwn(entry.ancestorRef);
}

function wantedIn(
  updates: readonly AncestorUpdate[],
  namespace: string,
  present: ReadonlySet<string | undefined>,
): readonly Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { ancestorRef, conditions } of updates) {
    const key = ancestorKey(ancestorRef, namespace);
    if (key === undefined || conditions.length === 0) continue;
    wanted.set(key.text, { key, isPresent: present.has(key.text), ancestorRef, conditions });
  }
  return [...wanted.values()];
}

/** Returns the entries that stay, in their positions, and then the new ones. */
function newEntries(
  stored: readonly PolicyAncestorStatus[],
  keys: ReadonlyMap<PolicyAncestorStatus, string | undefined>,
  chosen: readonly Wanted[],
): readonly NewEntry[] {
  const unplaced = new Map(chosen.map((wanted) => [wanted.key.text, wanted]));
  const kept = stored.flatMap((entry): NewEntry[] => {
    if (!keys.has(entry)) return [{ entry }];
    const key = keys.get(entry) ?? '';
    const wanted = unplaced.get(key);
    unplaced.delete(key);
    return wanted === undefined ? [] : [{ entry, wanted }];
  });
  return [...kept, ...[...unplaced.values()].map((wanted): NewEntry => ({ wanted }))];
}
