import { anyHostname } from '../fields/hostname.ts';

/** Hostnames that some routes claim, with their numbers. */
export class HostnameClaims {
  /** The number of claims to each hostname: a name, a wildcard such as `*.example.com`, or `*`. */
  readonly #claims = new Map<string, number>();
  /** The number of claims below each ending: `a.b.c` is below `.b.c`, `.c` and the empty ending. */
  readonly #below = new Map<string, number>();

  /** Adds claims, or removes them. O(labels). */
  count(hostnames: readonly string[], by: 1 | -1): void {
    for (const hostname of hostnames) {
      add(this.#claims, hostname, by);
      for (const ending of endingsOf(hostname)) add(this.#below, ending, by);
    }
  }

  /** Returns whether some hosts belong to one of these hostnames as well as to a claimed one. O(labels). */
  meets(hostnames: readonly string[]): boolean {
    return this.#claims.size > 0 && hostnames.some((hostname) => this.#isMet(hostname));
  }

  #isMet(hostname: string): boolean {
    if (this.#claims.has(hostname)) return true;
    if (hostname.startsWith(anyHostname) && this.#below.has(hostname.slice(1))) return true;
    return endingsOf(hostname).some((ending) => this.#claims.has(anyHostname + ending));
  }
}

/** Returns the endings that a hostname is below, of itself without a wildcard, from each dot on; the empty one is below none. */
function endingsOf(hostname: string): readonly string[] {
  const name = hostname.startsWith(anyHostname) ? hostname.slice(1) : hostname;
  if (name === '') return [];
  const endings = [''];
  for (let dot = name.indexOf('.', 1); dot >= 0; dot = name.indexOf('.', dot + 1)) endings.push(name.slice(dot));
  return endings;
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
