import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareHostnameSpecificity, hostnameMatches, intersectHostnames } from './hostname.ts';

describe('intersectHostnames', () => {
  it.each<[string, string | undefined, readonly string[] | undefined, readonly string[]]>([
    ['every host, where neither names any', undefined, undefined, ['*']],
    ['every host, where the list is empty', undefined, [], ['*']],
    ['every host, where the name is empty', '', [], ['*']],
    ['those of the route, on a listener for every host', undefined, ['a.com', '*.b.com'], ['a.com', '*.b.com']],
    ['that of the listener, for a route for every host', 'a.com', undefined, ['a.com']],
    ['that of the listener, for a route without an entry', '*.a.com', [], ['*.a.com']],
    ['the same name', 'test.example.com', ['test.example.com'], ['test.example.com']],
    ['an exact name below a wildcard of the listener', '*.example.com', ['test.example.com'], ['test.example.com']],
    ['an exact name of the listener below a wildcard', 'test.example.com', ['*.example.com'], ['test.example.com']],
    ['a name several labels deep', '*.example.com', ['foo.test.example.com'], ['foo.test.example.com']],
    ['the same wildcard', '*.example.com', ['*.example.com'], ['*.example.com']],
    ['the narrower wildcard, of the route', '*.com', ['*.example.com'], ['*.example.com']],
    ['the narrower wildcard, of the listener', '*.example.com', ['*.com'], ['*.example.com']],
    ['what matches, without the rest', '*.example.com', ['a.example.com', 'a.example.net'], ['a.example.com']],
    ['each name once', 'a.example.com', ['a.example.com', '*.example.com', '*.com'], ['a.example.com']],
    ['lower case, whatever was written', '*.Example.COM', ['A.EXAMPLE.com'], ['a.example.com']],
    ['nothing for another name', 'a.com', ['b.com'], []],
    ['nothing for the domain below its own wildcard', '*.example.com', ['example.com'], []],
    ['nothing for a domain that only ends alike', '*.example.com', ['a.badexample.com'], []],
    ['nothing for wildcards side by side', '*.a.example.com', ['*.b.example.com'], []],
    ['nothing for a longer name', 'example.com', ['test.example.com'], []],
  ])('gives %s (W8)', (_, listener, route, expected) => {
    expect(intersectHostnames(listener, route)).toEqual(expected);
  });

  const long = `${'a.'.repeat(126)}com`;

  it.each<unknown>([
    5,
    true,
    {},
    'a_b.com',
    'a..com',
    '.com',
    '*.',
    '*com',
    'a.*.com',
    '**.com',
    '-a.com',
    'a.com.',
    '\u212a.com',
    `${long}m`,
  ])('takes %j for no hostname, rather than for every host', (value) => {
    expect(intersectHostnames(value, undefined)).toEqual([]);
    expect(intersectHostnames(undefined, [value])).toEqual([]);
    expect(intersectHostnames(undefined, [value, 'a.com'])).toEqual(['a.com']);
  });

  it('counts null as missing, and hostnames that are not a list as no hosts', () => {
    expect(intersectHostnames(null, null)).toEqual(['*']);
    expect(intersectHostnames(undefined, {})).toEqual([]);
    expect(intersectHostnames(undefined, 7)).toEqual([]);
    expect(intersectHostnames(undefined, [null])).toEqual([]);
    expect(intersectHostnames(undefined, long)).toEqual([]);
  });

  it('matches exactly the hosts that both sides match', () => {
    fc.assert(
      fc.property(fc.constantFrom(undefined, ...hostnames), fc.subarray(hostnames), (listener, route) => {
        const shared = intersectHostnames(listener, route);
        const wanted = hosts.filter(
          (host) =>
            (listener === undefined || means(listener, host)) &&
            (route.length === 0 || route.some((hostname) => means(hostname, host))),
        );
        expect(hosts.filter((host) => shared.some((hostname) => means(hostname, host)))).toEqual(wanted);
        expect(shared.length > 0).toBe(wanted.length > 0);
        expect(new Set(shared).size).toBe(shared.length);
      }),
    );
  });

  it('is commutative and idempotent', () => {
    fc.assert(
      fc.property(fc.constantFrom(...hostnames), fc.constantFrom(...hostnames), (a, b) => {
        const shared = intersectHostnames(a, [b]);
        expect(intersectHostnames(b, [a])).toEqual(shared);
        if (shared.length > 0) expect(intersectHostnames(a, shared)).toEqual(shared);
      }),
    );
  });
});

describe('hostnameMatches', () => {
  it.each<[string, string, boolean]>([
    ['*', 'anything.example', true],
    ['example.com', 'example.com', true],
    ['example.com', 'EXAMPLE.com:8443', true],
    ['example.com', 'example.com:', true],
    ['Example.com', 'example.com', true],
    ['example.com', 'a.example.com', false],
    ['*.example.com', 'a.example.com', true],
    ['*.example.com', 'a.b.example.com:80', true],
    ['*.example.com', 'example.com', false],
    ['*.example.com', '.example.com', false],
    ['*.example.com', 'badexample.com', false],
    ['example.com', '', false],
  ])('%s and host %s: %s', (hostname, host, expected) => {
    expect(hostnameMatches(hostname, host)).toBe(expected);
  });

  it('agrees with the definition, label by label', () => {
    for (const hostname of hostnames) {
      expect(hosts.filter((host) => hostnameMatches(hostname, host))).toEqual(
        hosts.filter((host) => means(hostname, host)),
      );
    }
  });
});

describe('compareHostnameSpecificity', () => {
  it('puts exact names before wildcards, longer ones before shorter ones, and every host last', () => {
    const sorted = ['foo.example.com', 'example.com', 'a.io', '*.foo.example.com', '*.example.com', '*.com', '*'];
    expect(sorted.toReversed().sort(compareHostnameSpecificity)).toEqual(sorted);
  });

  it('puts hostnames below a wildcard before the wildcard', () => {
    fc.assert(
      fc.property(fc.constantFrom(...hostnames), fc.constantFrom(...hostnames), (a, b) => {
        const inA = hosts.filter((host) => means(a, host));
        const inB = hosts.filter((host) => means(b, host));
        fc.pre(inA.length < inB.length && inA.every((host) => inB.includes(host)));
        expect(compareHostnameSpecificity(a, b)).toBeLessThan(0);
        expect(compareHostnameSpecificity(b, a)).toBeGreaterThan(0);
      }),
    );
  });
});

/** All names of 1 to `depth` labels, each `a` or `bc`. */
function names(depth: number): readonly string[] {
  if (depth === 0) return [];
  const shorter = names(depth - 1);
  return ['a', 'bc', ...shorter.flatMap((name) => [`a.${name}`, `bc.${name}`])];
}

/** One label deeper than the hostnames, so that no wildcard is without hosts. */
const hosts = names(4);
const hostnames = ['*', ...names(3), ...names(3).map((name) => `*.${name}`)];

/** The definition: label by label, from the right. */
function means(hostname: string, host: string): boolean {
  const [first, ...rest] = hostname.split('.');
  const labels = host.split('.');
  if (first !== '*') return hostname === host;
  return (
    labels.length > rest.length && rest.every((label, index) => label === labels[labels.length - rest.length + index])
  );
}
