/** How the layers of a path become one spec. */
import type { Choice, Rules } from '../rules.fixture.ts';
import { type Doc, fieldOf, gone, holdsRemoval, isDoc, visible } from './documents.fixture.ts';
import { applyOperations } from './json-patch.fixture.ts';
import { byOrder, choiceBetween, groupsOf, type Layer, objectOf } from './levels.fixture.ts';
import { mergeFunctions, settled } from './merge-functions.fixture.ts';

/** Two layers that met, and the strategy by which they were merged. */
export interface Meeting {
  readonly established: Layer;
  readonly challenger: Layer;
  readonly choice: Choice;
}

/** What layers have come to. */
interface Part {
  readonly doc: Doc;
  /** The layer that was merged last; `undefined` where there was none yet. */
  readonly last: Layer | undefined;
  readonly unset: readonly Unset[];
}

/** A field of defaults above that a policy does not want. */
interface Unset {
  readonly name: string;
  readonly policy: string;
}

const nothing: Part = { doc: {}, last: undefined, unset: [] };

/** Merges the layers of one path, the most specific one first; says what met, for who wants to know. */
export class Fold {
  readonly #rules: Rules;
  readonly #onMeeting: (meeting: Meeting) => void;
  /** What would apply without a layer that has a condition on that. */
  readonly #without = new Map<Layer, Doc>();

  constructor(rules: Rules, onMeeting: (meeting: Meeting) => void) {
    this.#rules = rules;
    this.#onMeeting = onMeeting;
  }

  /** The effective spec. */
  of(layers: readonly Layer[]): Doc {
    const { dialect, fold } = this.#rules;
    if (dialect.unselected === 'none') return this.#oneOf(layers);
    const reduce = (some: readonly Layer[]): Part =>
      fold === 'gep-stack' ? this.#stacked(some) : this.#bottomUp(some);
    for (const [place, layer] of layers.entries()) {
      if (layer.whenResult === undefined) continue;
      const below = layers.slice(0, place);
      const defaultsAbove = layers.slice(place + 1).filter(({ stanza }) => stanza === 'defaults');
      this.#without.set(layer, reduce([...below, ...defaultsAbove]).doc);
    }
    return visible(reduce(layers).doc);
  }

  /** None: on each object a section's policy before one for the whole, else the oldest; of these the oldest. */
  #oneOf(layers: readonly Layer[]): Doc {
    const established = byOrder(this.#rules);
    const policies = layers.filter(({ isOwn }) => !isOwn);
    const kept = [...new Set(policies.map(objectOf))].map((object) => {
      const rivals = policies.filter((layer) => objectOf(layer) === object);
      const onSection = rivals.filter(({ target }) => target.locator.includes('#'));
      return [...(onSection.length > 0 ? onSection : rivals)].sort(established)[0] as Layer;
    });
    return (kept.sort(established)[0] as Layer).spec;
  }

  /** Each group, merged among itself, over all that lies below it. */
  #bottomUp(layers: readonly Layer[]): Part {
    return groupsOf(layers, this.#rules).reduce((below, group) => {
      if (below.last === undefined) return group.reduce((inner, layer) => this.#over(inner, layer), below);
      const applying = group.filter((layer) => this.#holds(layer, below.doc));
      const rest = withUnsetOf(
        below,
        group.filter((layer) => !applying.includes(layer)),
      );
      const [first, ...later] = applying.map(partOf);
      if (first === undefined) return rest;
      const merged = later.reduce((inner, part) => this.#merge(part, inner), first);
      return this.#merge(merged, rest);
    }, nothing);
  }

  /** A layer over what lies below it, if its condition holds there. */
  #over(below: Part, layer: Layer): Part {
    if (!this.#holds(layer, below.doc)) return withUnsetOf(below, [layer]);
    return below.last === undefined ? alone(layer, below.unset) : this.#merge(partOf(layer), below);
  }

  /** Established over challenger, by the strategy that the rules choose. */
  #merge(established: Part, challenger: Part, choice = this.#choice(established, challenger)): Part {
    const [last, below] = [established.last as Layer, challenger.last as Layer];
    this.#onMeeting({ established: last, challenger: below, choice });
    const { strategy, stanza } = choice;
    const left = stanza === 'defaults' ? without(established.doc, challenger.unset, last) : established.doc;
    const isEmpty =
      Object.keys(challenger.doc).length === 0 || (strategy === 'atomic' && this.#hasNoRules(challenger.doc));
    const yields = this.#rules.emptyChallenger === 'yields' && stanza === 'defaults' && isEmpty;
    const doc = yields ? left : mergeFunctions[strategy](left, challenger.doc, stanza);
    return { doc, last, unset: [...challenger.unset, ...established.unset] };
  }

  /** K-08: named rules that are none, and phases that are not there at all; what is removed counts as said. */
  #hasNoRules(doc: Doc): boolean {
    const { emptyWithout } = this.#rules;
    const isLacking = (path: string): boolean => {
      const [field = '', phases] = path.split('.');
      const there = fieldOf(doc, field);
      return there === undefined || (phases === undefined && isDoc(there) && Object.keys(there).length === 0);
    };
    return emptyWithout?.every(isLacking) === true && !holdsRemoval(doc);
  }

  #choice({ last }: Part, below: Part): Choice {
    return choiceBetween(last as Layer, below.last as Layer, this.#rules);
  }

  /** The stack process to the letter (M-10): the least specific two first; the result takes the strategy of the second. */
  #stacked(layers: readonly Layer[]): Part {
    const top = layers.at(-1);
    if (top?.isOwn === true && layers.length > 1) return this.#over(this.#stacked(layers.slice(0, -1)), top);
    const stack: Part[] = [nothing];
    for (const layer of layers) {
      const below = stack.at(-1) as Part;
      if (below.last === undefined || !this.#holds(layer, below.doc)) {
        stack.splice(-1, 1, this.#over(below, layer));
      } else stack.push(partOf(layer));
    }
    while (stack.length > 1) {
      const [a, b] = [stack.pop(), stack.pop()] as [Part, Part];
      const [above, second] = [a.last as Layer, b.last as Layer];
      const choice = { strategy: above.follows.strategy, stanza: above.stanza };
      stack.push({ ...this.#merge(a, b, choice), last: second });
    }
    return stack[0] as Part;
  }

  /** Whether the condition of a layer holds on what lies below (K-06), or on what would apply without it. */
  #holds(layer: Layer, below: Doc): boolean {
    const when = layer.when ?? layer.whenResult;
    if (when === undefined) return true;
    if (when === 'fails') return this.#rules.conditions === 'applies';
    return when !== 'misses' && Object.hasOwn(visible(this.#without.get(layer) ?? below), when);
  }
}

function partOf(layer: Layer): Part {
  return { doc: settled(layer.spec, layer.strategy), last: layer, unset: unsetsOf(layer) };
}

/** A layer with nothing below it, where others unset something all the same. */
function alone(layer: Layer, unset: readonly Unset[]): Part {
  const { strategy, spec, stanza } = layer;
  const doc = strategy === 'jsonPatch' ? applyOperations(spec.operations, {}, 'overrides') : partOf(layer).doc;
  const left = stanza === 'defaults' ? without(doc, unset, layer) : doc;
  return { doc: left, last: layer, unset: [...unset, ...unsetsOf(layer)] };
}

/** A policy unsets what it does whether or not its stanza applies. */
function withUnsetOf(below: Part, layers: readonly Layer[]): Part {
  return { ...below, unset: [...below.unset, ...layers.flatMap(unsetsOf)] };
}

function unsetsOf({ unset, policy }: Layer): readonly Unset[] {
  return unset.map((name) => ({ name, policy }));
}

/** Defaults without the fields that others unset: those whose path ends in a name, the outermost (K-07, X-21). */
function without(doc: Doc, unset: readonly Unset[], { policy }: Layer): Doc {
  const paths = pathsIn(doc, []);
  return [...new Set(unset.filter((it) => it.policy !== policy).map(({ name }) => name))].reduce((left, name) => {
    const named = paths.filter((path) => `.${path.join('.')}`.endsWith(`.${name}`));
    const depth = Math.min(...named.map(({ length }) => length));
    return named.filter(({ length }) => length === depth).reduce(drop, left);
  }, doc);
}

function pathsIn(doc: Doc, path: readonly string[]): readonly (readonly string[])[] {
  return Object.entries(doc).flatMap(([key, value]) => {
    const here = [...path, key];
    return value === gone ? [] : [here, ...(isDoc(value) ? pathsIn(value, here) : [])];
  });
}

function drop(doc: Doc, [key = '', ...rest]: readonly string[]): Doc {
  const inner = doc[key];
  return { ...doc, [key]: rest.length > 0 && isDoc(inner) ? drop(inner, rest) : gone };
}
