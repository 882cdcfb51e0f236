import type { JsonObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { gatewayGroup as group } from '../fields/group.ts';
import { hostnamesOnListener, protocolOf, servesKind } from './listener-protocol.ts';

const kinds = ['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'UDPRoute'];

/** The kinds of routes that a listener can serve. */
function servedBy(listener: JsonObject): readonly string[] {
  const protocol = protocolOf(listener);
  return kinds.filter((kind) => protocol !== undefined && servesKind(protocol, { group, kind }));
}

describe('protocolOf', () => {
  it.each<[JsonObject, readonly string[]]>([
    [{ protocol: 'HTTP' }, ['HTTPRoute', 'GRPCRoute']],
    [{ protocol: 'hTtP' }, ['HTTPRoute', 'GRPCRoute']],
    [{ protocol: 'HTTPS' }, ['HTTPRoute', 'GRPCRoute']],
    [{ protocol: 'HTTPS', tls: { mode: 'Terminate' } }, ['HTTPRoute', 'GRPCRoute']],
    [{ protocol: 'TLS', tls: { mode: 'Passthrough' } }, ['TLSRoute']],
    [{ protocol: 'TLS', tls: { mode: 'Terminate' } }, ['TLSRoute', 'TCPRoute']],
    [{ protocol: 'tls', tls: { mode: null } }, ['TLSRoute', 'TCPRoute']],
    [{ protocol: 'TLS' }, ['TLSRoute', 'TCPRoute']],
    [{ protocol: 'TLS', tls: { mode: 'Sometimes' } }, []],
    [{ protocol: 'TLS', tls: { mode: 5 } }, []],
    [{ protocol: 'TCP' }, ['TCPRoute']],
    [{ protocol: 'UDP' }, ['UDPRoute']],
    [{ protocol: 'example.com/bar' }, kinds],
    [{ protocol: 'QUIC' }, []],
    [{ protocol: 'constructor' }, []],
    [{ protocol: '' }, []],
    [{ protocol: 80 }, []],
    [{}, []],
  ])('%j serves %j', (listener, expected) => {
    expect(servedBy(listener)).toEqual(expected);
  });

  it('serves kinds of other groups with a vendor protocol only', () => {
    const kind = { group: 'example.com', kind: 'HTTPRoute' };
    const serves = (protocol: string) => servesKind(protocolOf({ protocol }) ?? { routeKinds: [] }, kind);
    expect(['HTTP', 'TCP', 'example.com/bar'].filter(serves)).toEqual(['example.com/bar']);
  });
});

describe('hostnamesOnListener', () => {
  const hostnames = ['a.example.com', 'b.example.net'];

  it.each<[string, string, JsonObject, readonly string[]]>([
    ['its own on the listener', 'HTTPRoute', { protocol: 'HTTP', hostname: '*.example.com' }, ['a.example.com']],
    ['its own on the listener', 'GRPCRoute', { protocol: 'HTTPS', hostname: '*.example.com' }, ['a.example.com']],
    ['its own on the listener', 'TLSRoute', { protocol: 'TLS', hostname: '*.example.com' }, ['a.example.com']],
    ['none that fits', 'HTTPRoute', { protocol: 'HTTP', hostname: 'c.example.com' }, []],
    ['those of the listener', 'TCPRoute', { protocol: 'TLS', hostname: 'c.example.com' }, ['c.example.com']],
    ['every host', 'TCPRoute', { protocol: 'TCP', hostname: 'c.example.com' }, ['*']],
    ['every host', 'UDPRoute', { protocol: 'UDP', hostname: 5 }, ['*']],
    ['its own', 'HTTPRoute', { protocol: 'HTTP' }, hostnames],
  ])('gives %s for a %s on %j', (_, kind, listener, expected) => {
    expect(hostnamesOnListener(listener, { groupKind: { group, kind }, hostnames })).toEqual(expected);
  });
});
