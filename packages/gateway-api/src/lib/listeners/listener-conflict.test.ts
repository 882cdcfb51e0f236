import type { JsonObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { type ListenerConflict, listenerConflicts } from './listener-conflict.ts';

const at = (protocol: string, hostname?: string, port = 443): JsonObject => ({
  port,
  protocol,
  ...(hostname === undefined ? {} : { hostname }),
});

/** Returns the conflict of each listener; `-` for one that is distinct. */
const judged = (...owners: readonly (readonly JsonObject[])[]): readonly string[] => {
  const listeners = owners.map((values) => values.map((value) => ({ value })));
  const conflicts = listenerConflicts(listeners);
  return listeners.flat().map((listener) => conflicts.get(listener) ?? '-');
};

describe('listenerConflicts', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    ['another port', at('HTTPS'), at('HTTPS', undefined, 8443), '-'],
    ['another hostname', at('HTTPS', 'a.com'), at('HTTPS', 'b.com'), '-'],
    ['a hostname below a wildcard', at('HTTPS', '*.com'), at('HTTPS', 'a.com'), '-'],
    ['a hostname beside none', at('HTTPS'), at('HTTPS', 'a.com'), '-'],
    ['the same hostname', at('HTTPS', 'a.com'), at('HTTPS', 'a.com'), 'hostname conflict'],
    ['the same hostname in another case', at('HTTPS', 'a.com'), at('https', 'A.com'), 'hostname conflict'],
    ['no hostname either', at('HTTP'), at('HTTP', ''), 'hostname conflict'],
    ['TLS with the same server name', at('HTTPS', 'a.com'), at('TLS', 'a.com'), 'hostname conflict'],
    ['TLS with another server name', at('HTTPS', 'a.com'), at('TLS', 'b.com'), '-'],
    ['TLS where there is HTTP without', at('HTTP', 'a.com'), at('HTTPS', 'b.com'), 'protocol conflict'],
    ['TLS where there is HTTP without, and the same hostname', at('HTTP'), at('HTTPS'), 'protocol conflict'],
    ['TCP where there is HTTP', at('HTTP', 'a.com'), at('TCP'), 'protocol conflict'],
    ['TCP where there is TLS', at('TLS', 'a.com'), at('TCP'), 'protocol conflict'],
    ['TCP twice, hostnames being of no account', at('TCP', 'a.com'), at('TCP', 'b.com'), 'hostname conflict'],
    ['UDP twice, hostnames being of no account', at('UDP', 'a.com'), at('UDP', 'b.com'), 'hostname conflict'],
    ['UDP where there is TCP', at('TCP'), at('UDP'), '-'],
    ["a vendor's protocol where there is HTTP", at('HTTP'), at('example.com/quic'), '-'],
    ["a vendor's protocol twice", at('example.com/quic'), at('example.com/quic'), 'hostname conflict'],
    ["another vendor's protocol", at('example.com/quic'), at('example.org/quic'), '-'],
    ['an unknown protocol', at('HTTP'), at('QUIC'), '-'],
    ['a hostname that is none', at('HTTP', '-'), at('HTTP', '-'), '-'],
  ])('judges the listener of a ListenerSet with %s', (_, ofGateway, ofSet, expected) => {
    expect(judged([ofGateway], [ofSet])).toEqual(['-', expected]);
    expect(judged([ofGateway], [], [ofSet])).toEqual(['-', expected]);
    expect(judged([ofGateway, ofSet])).toEqual([expected, expected]);
  });

  it('lets the Gateway go before its ListenerSets, and those by their order', () => {
    const [a, b] = [at('HTTPS', 'a.com'), at('HTTPS', 'b.com')];
    expect(judged([a], [a, b], [b])).toEqual(['-', 'hostname conflict', '-', 'hostname conflict']);
  });

  it('lets a ListenerSet lose to listeners of the Gateway that are themselves in conflict', () => {
    const a = at('HTTPS', 'a.com');
    expect(judged([a, a], [a])).toEqual(['hostname conflict', 'hostname conflict', 'hostname conflict']);
  });

  it('does not let a listener that has lost to another owner take anything from its siblings or later listeners', () => {
    const [ofGateway, ofSet, tcp] = [
      at('HTTP', 'gateway.com', 80),
      at('HTTP', 'set.com', 80),
      at('TCP', undefined, 80),
    ];
    expect(judged([ofGateway], [ofSet, tcp])).toEqual(['-', '-', 'protocol conflict']);
    expect(judged([ofGateway], [tcp], [ofSet])).toEqual(['-', 'protocol conflict', '-']);
    expect(judged([ofGateway], [tcp, tcp], [ofSet, ofSet])).toEqual([
      '-',
      'protocol conflict',
      'protocol conflict',
      'hostname conflict',
      'hostname conflict',
    ]);
  });

  it('withholds a claim of two listeners of one owner from later listeners, though neither gets it', () => {
    const [http, tcp] = [at('HTTP', 'a.com', 80), at('TCP', undefined, 80)];
    expect(judged([http, tcp], [at('HTTP', 'b.com', 80)])).toEqual(Array(3).fill('protocol conflict'));
  });

  const conflicting = (name: string) => at('HTTP', `${name}.com`, 80);
  const [gateway, set1, set2, withGateway, withSet] = ['gateway', 'set-1', 'set-2', 'with-gateway', 'with-set'].map(
    conflicting,
  ) as [JsonObject, JsonObject, JsonObject, JsonObject, JsonObject];

  it.each<[string, JsonObject, JsonObject, ListenerConflict]>([
    ['protocol', at('TCP', undefined, 80), at('TCP', undefined, 80), 'protocol conflict'],
    ['hostname', withGateway, withSet, 'hostname conflict'],
  ])('judges a Gateway with four ListenerSets as the conformance test of the %s does', (_, first, second, lost) => {
    const sets = [[set1, first, withSet], [first], [set2, second], [second]];
    expect(judged([gateway, withGateway], ...sets)).toEqual(['-', '-', '-', lost, '-', lost, '-', lost, lost]);
  });

  it('distinguishes listeners that are the same object', () => {
    const shared = at('HTTP');
    expect(judged([shared], [shared])).toEqual(['-', 'hostname conflict']);
  });

  it('takes listeners with anything in them', () => {
    const odd = [
      {},
      { port: {}, protocol: 'HTTP' },
      { port: 80, protocol: 5 },
      { port: 80, protocol: 'HTTP', hostname: {} },
    ];
    expect(judged(odd)).toEqual(odd.map(() => '-'));
  });
});
