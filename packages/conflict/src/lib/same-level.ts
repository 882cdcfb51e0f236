import { byAge, byName, type ConflictOrder, type Contender, conflictOrder } from './conflict-order.ts';

/**
 * The rule that decides which policies prevail on one level:
 * - `oldest-wins`: the older policy prevails, for defaults and for overrides; newer policies may add to it.
 * - `established-challenger`: the older policy is established, so its overrides prevail, but its defaults yield to the newer
 *   one.
 * - `reject-newer`: the oldest policy stays, and all others are in conflict with it.
 * - `coexist`: policies are considered from the oldest; a newer one stays if it sets no field that an earlier one sets, and is
 *   in conflict otherwise.
 */
export type SameLevel = 'oldest-wins' | 'established-challenger' | 'reject-newer' | 'coexist';

/** By age, then by name: the order of policies on one level, established first. */
export const sameLevelOrder = conflictOrder<Pick<Contender, 'createdAt' | 'name'>>(byAge, byName);

/** One policy's contribution on a level. */
export interface LevelLayer extends Pick<Contender, 'createdAt' | 'name'> {
  readonly stanza: 'defaults' | 'overrides';
}

/** A layer in the order of merging, with the layer of the same level that provides its strategy. */
export interface OrderedLayer<Layer> {
  readonly layer: Layer;
  /** The layer itself, or the older one that is established over it. */
  readonly strategyFrom: Layer;
}

/**
 * Orders the layers of one level for merging: each layer is established over all layers before it.
 *
 * Under `oldest-wins` the older defaults come first, because defaults yield to existing values, and the older overrides
 * last; newer defaults follow the strategy of the oldest, which is established over them.
 *
 * @param layers The layers of one level. Layers of one policy keep the order of that policy.
 * @param sameLevel The rule that decides which policies prevail. For `reject-newer` and `coexist`, admitted layers are ordered
 * as for `oldest-wins`.
 * @param order The order of the policies, established first. Default: by age, then by name.
 * @returns The layers, in the order of merging.
 */
export function mergeOrder<Layer extends LevelLayer>(
  layers: readonly Layer[],
  sameLevel: SameLevel,
  order: Pick<ConflictOrder<Layer>, 'compare'> = sameLevelOrder,
): readonly OrderedLayer<Layer>[] {
  if (layers.length < 2) return layers.map(byItself); // The usual case.
  const newestFirst = [...layers].sort((a, b) => order.compare(b, a));
  if (sameLevel === 'established-challenger') return newestFirst.map(byItself);

  const defaults = layers.filter((layer) => layer.stanza === 'defaults').sort(order.compare);
  const overrides = newestFirst.filter((layer) => layer.stanza === 'overrides');
  const [oldest] = defaults;
  const chooserOf = (layer: Layer): Layer =>
    oldest === undefined || order.compare(oldest, layer) === 0 ? layer : oldest;
  return [...defaults.map((layer) => ({ layer, strategyFrom: chooserOf(layer) })), ...overrides.map(byItself)];
}

function byItself<Layer>(layer: Layer): OrderedLayer<Layer> {
  return { layer, strategyFrom: layer };
}
