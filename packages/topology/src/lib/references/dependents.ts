/** Who asks questions of a topology, and is to be asked again when an answer changes. */
export interface Dependent {
  /** The keys of all that it has asked about, each once. */
  asked: readonly string[];
}

/** Knows who depends on what: for each thing that can be asked about, those who have. */
export class Dependents<Who extends Dependent> {
  /** Usually one, and then without a set. */
  readonly #byKey = new Map<string, Who | Set<Who>>();

  /** Those who have asked about something. */
  of(key: string): Iterable<Who> {
    const there = this.#byKey.get(key);
    return there === undefined ? [] : there instanceof Set ? there : [there];
  }

  /** Records what someone has asked about, instead of all before. O(keys). */
  record(who: Who, keys: readonly string[]): void {
    const { asked } = who;
    if (asked === keys || (asked.length === keys.length && asked.every((key, index) => key === keys[index]))) return;
    for (const key of without(asked, keys)) this.#remove(key, who);
    for (const key of without(keys, asked)) this.#add(key, who);
    who.asked = keys;
  }

  #add(key: string, who: Who): void {
    const there = this.#byKey.get(key);
    if (there === undefined) this.#byKey.set(key, who);
    else if (there instanceof Set) there.add(who);
    else this.#byKey.set(key, new Set([there, who]));
  }

  #remove(key: string, who: Who): void {
    const there = this.#byKey.get(key);
    if (there === who) this.#byKey.delete(key);
    else if (there instanceof Set && there.delete(who) && there.size === 0) this.#byKey.delete(key);
  }
}

function without(keys: readonly string[], others: readonly string[]): readonly string[] {
  if (keys.length === 0 || others.length === 0) return keys;
  const taken = new Set(others);
  return keys.filter((key) => !taken.has(key));
}
