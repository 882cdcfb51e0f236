import type { ConcernField, ConcernName } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonObject, type JsonValue, parsePointer } from '@policy-machinery/resource';
import type { Holds } from './conditions.ts';
import { byStrength, type Strength, weakest } from './strength.ts';

/** The effect of one spec on a concern. */
export interface FieldState {
  readonly state: 'in-force' | 'completes' | 'off' | 'unknown' | 'shapes';
  readonly strength: Strength;
  /** JSON Pointer to the field that decides, up to the first `*`. */
  readonly pointer: string;
  /** JSON Pointer to the field that weakens it. Default: nothing does. */
  readonly weakenedBy?: string;
}

/** The effects of one spec on the concerns of its fields. */
export type FieldStates = ReadonlyMap<ConcernName, FieldState>;

/** The precedence of the states of several fields: a request must pass all of them. */
const precedence = ['in-force', 'unknown', 'off', 'completes', 'shapes'] as const;

/** Returns the effect of a spec on each concern. Of several fields in force, the strictest one counts, because a request must pass all of them. */
export function fieldStates(fields: readonly ConcernField[], spec: JsonObject, holds: Holds): FieldStates {
  const states = new Map<ConcernName, FieldState>();
  for (const field of fields) {
    const state = stateOf(field, spec, holds);
    const known = states.get(field.concern);
    if (state !== undefined && (known === undefined || byPrecedence(state, known) < 0))
      states.set(field.concern, state);
  }
  return states;
}

/** Returns the part of a spec that may decide about a concern: all but the fields that serve other concerns alone. */
export function rulesIn(fields: readonly ConcernField[], spec: JsonObject, concern: ConcernName): JsonObject {
  const keysOf = (those: readonly ConcernField[]) =>
    new Set(those.map(({ pointer }) => parsePointer(pointer)[0] ?? ''));
  const [deciding, serving] = [keysOf(fields.filter((field) => field.concern === concern)), keysOf(fields)];
  return Object.fromEntries(Object.entries(spec).filter(([key]) => deciding.has(key) || !serving.has(key)));
}

/** Compares states of the same concern: negative if `a` counts. */
export function byPrecedence(a: FieldState, b: FieldState): number {
  return precedence.indexOf(a.state) - precedence.indexOf(b.state) || byStrength(a.strength, b.strength);
}

function stateOf(field: ConcernField, spec: JsonObject, holds: Holds): FieldState | undefined {
  const { role = 'serves', off = [], weak = [], inForce, aspect } = field;
  const pointer = staticPart(field.pointer);
  if (role === 'completes') {
    const isComplete = inForce !== undefined && holds(inForce, spec);
    return isComplete ? { state: 'completes', strength: 'full', pointer } : undefined;
  }
  if (role === 'shapes' && isSet(spec, parsePointer(field.pointer)))
    return { state: 'shapes', strength: 'full', pointer };
  if (role !== 'serves' && role !== 'disables') return undefined;
  const switches = off.map(({ when, pointer: at }) => ({ at, holds: holds(when, spec) }));
  const isOff = switches.find((it) => it.holds === true);
  if (isOff !== undefined) return { state: 'off', strength: 'full', pointer: staticPart(isOff.at) };
  const isThere = isSet(spec, parsePointer(field.pointer));
  const isFull = role === 'disables' ? false : inForce === undefined ? isThere : holds(inForce, spec);
  if (isFull === undefined || switches.some((it) => it.holds === undefined)) {
    return { state: 'unknown', strength: 'unknown', pointer };
  }
  if (!isFull && !isThere) return undefined;
  const effects = weak.filter(({ when, pointer: at }) => {
    // A condition that cannot be evaluated may hold.
    return when === undefined ? isSet(spec, parsePointer(at)) : holds(when, spec) !== false;
  });
  if (!isFull && (effects.length === 0 || role === 'disables')) return undefined;
  const external = aspect === 'external' ? (['external'] as const) : [];
  const strength = weakest([...external, ...effects.map(({ effect }) => effect)]);
  const weakener = effects.find(({ effect }) => effect === strength);
  const weakened = weakener === undefined ? {} : { weakenedBy: staticPart(weakener.pointer) };
  return { state: 'in-force', strength, pointer, ...weakened };
}

/** Returns whether a spec has a value at a path with `*` for any item or key. `null`, `false` and empty lists are not values. */
function isSet(value: JsonValue | undefined, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) {
    const isEmpty = Array.isArray(value) && value.length === 0;
    return value !== undefined && value !== null && value !== false && !isEmpty;
  }
  if (key === '*') {
    const items = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    return items.some((item) => isSet(item, rest));
  }
  return isJsonObject(value) && Object.hasOwn(value, key) && isSet(value[key], rest);
}

function staticPart(pointer: string): string {
  return pointer.split('/*')[0] ?? '';
}
