import { anyHostname, narrower, type ReadHostname } from './hostname.ts';

/** Up to this number, the limit of Gateway API for a route, comparing hostnames one by one is faster than a lookup. */
const few = 16;

/** Returns whether a hostname shares a host with some others. */
export type HostnameTest = (hostname: ReadHostname) => boolean;

/**
 * Returns a test of hostnames against some others.
 *
 * @param hostnames The others, as they were read.
 * @returns The test: O(labels of the hostname), however many the others are.
 */
export function hostnameTest(hostnames: readonly ReadHostname[]): HostnameTest {
  if (hostnames.length <= few) {
    return (sought) => {
      for (const hostname of hostnames) if (narrower(sought, hostname) !== undefined) return true;
      return false;
    };
  }
  const known = new Set(hostnames.filter((hostname) => hostname !== undefined));
  /** The endings of the hostnames, from each dot on. */
  const endings = new Set<string>();
  for (const hostname of known) for (const ending of endingsOf(hostname)) endings.add(ending);
  return (sought) => {
    if (sought === undefined) return false;
    if (sought === anyHostname) return known.size > 0;
    if (known.has(anyHostname) || known.has(sought)) return true;
    if (sought.startsWith('*') && endings.has(sought.slice(1))) return true;
    for (const ending of endingsOf(sought)) if (known.has(`*${ending}`)) return true;
    return false;
  };
}

/** Returns the endings of a hostname: of `a.b.c`, `.b.c` and `.c`; of `*.b.c`, `.c` alone, for `.b.c` is all of it. */
function* endingsOf(hostname: string): Iterable<string> {
  for (
    let dot = hostname.indexOf('.', hostname.startsWith('*') ? 2 : 1);
    dot >= 0;
    dot = hostname.indexOf('.', dot + 1)
  ) {
    yield hostname.slice(dot);
  }
}
