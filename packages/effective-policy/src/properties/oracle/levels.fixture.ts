/** Which stanzas of a path are merged, in which order, and who chooses the strategy where two of them meet. */
import { type Choice, modeAnnotation, type Rules } from '../rules.fixture.ts';
import { isDoc } from './documents.fixture.ts';
import type { Attached, Stanza } from './layers.fixture.ts';
import type { Target } from './paths.fixture.ts';

/** A stanza in its place on a path. */
export interface Layer extends Stanza {
  readonly level: string;
  readonly target: Target;
  /** The stanza whose strategy it follows on its level: its own, or that of the oldest (C-05). */
  readonly follows: Choice;
  /** It is no policy's, but what the target says itself. */
  readonly isOwn: boolean;
}

/** Sorts the established one first. */
export function byOrder({ order }: Pick<Rules, 'order'>) {
  return (a: Stanza, b: Stanza): number => {
    if (order === 'by weight, then age' && a.weight !== b.weight) return b.weight - a.weight; // G-12
    if (a.seconds !== b.seconds) return a.seconds < b.seconds ? -1 : 1; // C-02
    return a.policy < b.policy ? -1 : Number(a.policy > b.policy); // C-03
  };
}

/** Returns the layers of a level, the first one to be merged first. */
export function layersOn({ key, target, stanzas }: Attached, rules: Rules): readonly Layer[] {
  const placed = admitted([...stanzas].sort(byOrder(rules)), rules).map((stanza): Layer => {
    return { ...stanza, level: key, target, follows: stanza, isOwn: false };
  });
  const newestFirst = [...placed].sort((a, b) => byOrder(rules)(b, a));
  if (rules.sameLevel === 'established-challenger') return newestFirst;
  const yields = ({ stanza }: Choice): boolean => (rules.withinObject?.stanza ?? stanza) === 'defaults';
  const defaults = placed.filter(yields);
  const [oldest] = defaults;
  return [
    ...defaults.map((layer) => (layer.policy === oldest?.policy ? layer : { ...layer, follows: oldest ?? layer })),
    ...newestFirst.filter((layer) => !yields(layer)),
  ];
}

/** Those that may stay on their level, established first. */
function admitted(stanzas: readonly Stanza[], { sameLevel }: Rules): readonly Stanza[] {
  if (sameLevel === 'reject-newer') return stanzas.filter(({ policy }) => policy === stanzas[0]?.policy);
  if (sameLevel !== 'coexist') return stanzas;
  const staying: Stanza[] = [];
  for (const policy of new Set(stanzas.map((stanza) => stanza.policy))) {
    const own = stanzas.filter((stanza) => stanza.policy === policy);
    if (!own.some(({ spec }) => staying.some((other) => overlap(other.spec, spec)))) staying.push(...own);
  }
  return staying;
}

/** Returns whether two values set the same field, or one a part of what the other sets (C-14). An object without fields sets none. */
function overlap(a: unknown, b: unknown): boolean {
  if ([a, b].some((value) => isDoc(value) && Object.keys(value).length === 0)) return false;
  if (!isDoc(a) || !isDoc(b)) return true;
  return Object.keys(a).some((key) => Object.hasOwn(b, key) && overlap(a[key], b[key]));
}

/** Returns the strategy by which a layer meets what was merged last below it. */
export function choiceBetween(established: Layer, challenger: Layer, { withinObject, strategyChooser }: Rules): Choice {
  if (established.isOwn) return established;
  if (withinObject !== undefined && objectOf(established) === objectOf(challenger)) return withinObject;
  if (established.level === challenger.level) return established.follows;
  if (strategyChooser.by === 'established') return established.follows;
  if (strategyChooser.by === 'challenger') return challenger.isOwn ? established.follows : challenger; // M-13
  if (strategyChooser.by === 'configuration') return strategyChooser.choice;
  return strategyChooser.values[established.target.annotations[modeAnnotation] ?? ''] ?? strategyChooser.otherwise;
}

export function objectOf({ isOwn, target }: Layer): string {
  return isOwn ? 'what the target says itself' : target.object;
}

/** Those that are merged among themselves before they meet what lies below them. */
export function groupsOf(
  layers: readonly Layer[],
  { withinObject, strategyChooser }: Rules,
): readonly (readonly Layer[])[] {
  const groups: Layer[][] = [];
  for (const layer of layers) {
    const below = groups.at(-1)?.[0];
    const isTogether =
      below !== undefined &&
      (withinObject !== undefined
        ? objectOf(layer) === objectOf(below)
        : strategyChooser.by !== 'established' && layer.level === below.level);
    if (isTogether) groups.at(-1)?.push(layer);
    else groups.push([layer]);
  }
  return groups;
}

/**
 * A policy that is met twice counts once: where it is most specific if it yields there, and where it is least specific if it
 * prevails, whoever says which of the two it is (docs/semantics.md).
 */
export function onceEach(met: readonly Layer[], rules: Rules): readonly Layer[] {
  const groups = groupsOf(met, rules);
  const last = (index: number): Layer | undefined => groups[index]?.at(-1);
  const groupOf = (layer: Layer): number => groups.findIndex((group) => group.includes(layer));
  const prevails = (layer: Layer, counting: Layer): boolean => {
    const index = groupOf(layer);
    if (index === groupOf(counting)) return rules.withinObject?.stanza === 'overrides';
    return choiceBetween(last(index) as Layer, last(index - 1) as Layer, rules).stanza === 'overrides';
  };
  const counting = met.map((layer) => {
    const places = met.filter(({ policy, pointer }) => policy === layer.policy && pointer === layer.pointer);
    return places.reduce((where, place) => (prevails(place, where) ? place : where));
  });
  return met.filter((layer) => counting.includes(layer));
}
