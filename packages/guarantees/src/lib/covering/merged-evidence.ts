import type { ContextLayer, EffectivePolicy } from '@policy-machinery/effective-policy';
import { describeRule, describeStrategy } from '@policy-machinery/effective-policy/inner';
import type { ConcernName } from '@policy-machinery/policy-kind';
import { objectIn } from '@policy-machinery/resource';
import { authorOf, type Evidence, type KindFacts, weakenerIn } from './author.ts';
import type { Holds } from './conditions.ts';
import { type FieldState, type FieldStates, fieldStates } from './field-states.ts';
import { byStrength } from './strength.ts';

/**
 * Returns the effects of merged policies: the merged spec decides. A protection that a policy lost is lost to its winners, unless the merged spec
 * puts it in force as well.
 *
 * @param facts The effects of the fields of its kind.
 */
export function mergedEvidence(
  effective: EffectivePolicy<unknown>,
  { fields }: KindFacts,
  holds: Holds,
): readonly Evidence[] {
  const merged = fieldStates(fields, objectIn(effective.spec), holds);
  const layers = layersOf(effective).map((layer) => ({
    layer,
    states: isAlone(effective) ? merged : fieldStates(fields, objectIn(layer.spec), holds),
  }));
  const concerns = new Set([merged, ...layers.map(({ states }) => states)].flatMap((states) => [...states.keys()]));
  return [...concerns].flatMap((concern): readonly Evidence[] => {
    const serving = layers.filter(({ states }) => states.get(concern)?.state === 'in-force');
    const state = merged.get(concern);
    if (state === undefined) return serving.slice(-1).map((it) => lostEvidence(effective, concern, it));
    const origins = effective.originsOf(state.pointer);
    const author = deepest(origins);
    if (author === undefined) return [];
    const weakening = deepest(effective.originsOf(state.weakenedBy ?? state.pointer));
    const evidence = { concern, ...state, author: authorOf(author, state.pointer), ...weakenerIn(weakening, state) };
    const others = serving.filter(({ layer }) => layer.layer !== author.layer);
    if (state.state === 'off') return [{ ...evidence, state: others.length > 0 ? 'off' : 'void' }];
    const replaced = others.find(({ layer, states }) => {
      const other = states.get(concern);
      const isStricter = other !== undefined && byStrength(other.strength, state.strength) < 0;
      return (isStricter && !origins.includes(layer)) || lossOf(effective, layer, other) !== undefined;
    });
    return [replaced === undefined ? evidence : { ...evidence, replaces: authorOf(replaced.layer, state.pointer) }];
  });
}

/** Returns the layers of a context, and the layers of policies that conflict with others there. */
function layersOf({ layers, levels }: EffectivePolicy<unknown>): readonly ContextLayer<unknown>[] {
  const rejected = levels.flatMap((level, depth) =>
    level.rejected.map(({ layer }) => ({ ...layer, layer, level, depth, strategyFrom: layer })),
  );
  return [...rejected, ...layers].sort((a, b) => a.depth - b.depth);
}

function isAlone(effective: EffectivePolicy<unknown>): boolean {
  return effective.layers.length === 1 && effective.levels.every(({ rejected }) => rejected.length === 0);
}

function lostEvidence(
  effective: EffectivePolicy<unknown>,
  concern: ConcernName,
  { layer, states }: { readonly layer: ContextLayer<unknown>; readonly states: FieldStates },
): Evidence {
  const state = states.get(concern);
  const author = authorOf(layer, state?.pointer ?? '');
  const loss = lossOf(effective, layer, state);
  const [winner] = loss?.winners ?? [];
  if (loss === undefined || winner === undefined) {
    return { concern, state: 'unknown', strength: 'unknown', author, because: 'a condition decides' };
  }
  const because = `${describeRule(loss)} (${describeStrategy(loss)})`;
  return { concern, state: 'lost', strength: 'full', author, winner: authorOf(winner, ''), because };
}

/** Returns how a layer lost the field that decides about a concern. */
function lossOf(effective: EffectivePolicy<unknown>, { layer }: ContextLayer<unknown>, state: FieldState | undefined) {
  const { pointer = '' } = state ?? {};
  return effective.losses.find((loss) => loss.layer.layer === layer && meets(loss.pointer, pointer));
}

function meets(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

function deepest(layers: readonly ContextLayer<unknown>[]): ContextLayer<unknown> | undefined {
  return layers.reduce<ContextLayer<unknown> | undefined>(
    (a, b) => (a === undefined || b.depth >= a.depth ? b : a),
    undefined,
  );
}
