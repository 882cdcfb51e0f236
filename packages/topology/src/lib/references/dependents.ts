import { isSameList } from '../support/is-same-list.ts';

/** A target or policy with a state that depends on answers of the lookup, and is renewed when an answer changes. */
export interface Dependent {
  readonly locator: string;
  /** The keys of the answers, each once. */
  asked: readonly string[];
}

/** The dependents of each answer, by key. */
export class Dependents {
  /** The dependents of each key. Usually there is one, and no set. */
  readonly #byKey = new Map<string, Dependent | Set<Dependent>>();

  of(key: string): Iterable<Dependent> {
    const asking = this.#byKey.get(key);
    return asking === undefined ? [] : asking instanceof Set ? asking : [asking];
  }

  /** Sets the keys that a dependent depends on. O(keys). */
  record(who: Dependent, keys: readonly string[]): void {
    const { asked } = who;
    if (asked === keys || isSameList(asked, keys)) return;
    for (const key of without(asked, keys)) this.#remove(key, who);
    for (const key of without(keys, asked)) this.#add(key, who);
    who.asked = keys;
  }

  #add(key: string, who: Dependent): void {
    const asking = this.#byKey.get(key);
    if (asking === undefined) this.#byKey.set(key, who);
    else if (asking instanceof Set) asking.add(who);
    else this.#byKey.set(key, new Set([asking, who]));
  }

  #remove(key: string, who: Dependent): void {
    const asking = this.#byKey.get(key);
    if (asking === who) this.#byKey.delete(key);
    else if (asking instanceof Set && asking.delete(who) && asking.size === 0) this.#byKey.delete(key);
  }
}

function without(keys: readonly string[], others: readonly string[]): readonly string[] {
  if (keys.length === 0 || others.length === 0) return keys;
  const taken = new Set(others);
  return keys.filter((key) => !taken.has(key));
}
