import { describe, expect, it } from 'vitest';
import { runWith } from '../run.fixture.ts';

const routing = 'gateway.networking.k8s.io';
const service = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'shop' } },
  spec: { ports: [{ port: 5432 }] },
});
const gatewayOf = (protocol: string, tls = {}) => ({
  ...{ apiVersion: `${routing}/v1`, kind: 'Gateway', metadata: { name: 'g', namespace: 'shop' } },
  spec: { gatewayClassName: 'c', listeners: [{ name: 'l', port: 5432, protocol, ...tls }] },
});
const routeOf = (kind: string, parent: object) => ({
  ...{ apiVersion: `${routing}/v1`, kind, metadata: { name: 'r', namespace: 'shop' } },
  spec: { parentRefs: [parent], rules: [{ backendRefs: [{ name: 'store', port: 5432 }] }] },
});
const guarantee = {
  ...{ apiVersion: 'verify.policy-machinery/v1alpha1', kind: 'Guarantee', metadata: { name: 'never' } },
  spec: { holds: 'false' },
};

describe('the command that replays a request', () => {
  const [mesh, edge] = [{ group: '', kind: 'Service', name: 'db', port: 5432 }, { name: 'g' }];
  const passthrough = { tls: { mode: 'Passthrough' } };

  it.each([
    ['TCPRoute', mesh, [service('db')], 'tcp://'],
    ['TLSRoute', mesh, [service('db')], 'tls://'],
    ['HTTPRoute', mesh, [service('db')], 'http://'],
    ['TCPRoute', edge, [gatewayOf('TCP')], 'tcp://'],
    ['TLSRoute', edge, [gatewayOf('TLS', passthrough)], 'tls://'],
    ['UDPRoute', edge, [gatewayOf('UDP')], 'udp://'],
    ['TCPRoute', edge, [gatewayOf('example.com/quic')], 'tcp://'],
    ['UDPRoute', edge, [gatewayOf('example.com/quic')], 'udp://'],
  ])('of a %s of %j finds the route', async (kind, parent, more, scheme) => {
    const stdin = [routeOf(kind, parent), service('store'), guarantee, ...more]
      .map((it) => JSON.stringify(it))
      .join('\n---\n');
    const { stdout } = await runWith(['verify', '-o', 'json', '-f', '-'], { stdin });
    const [{ counterexamples }] = JSON.parse(stdout).items as [{ counterexamples: { replay: string }[] }];
    expect(counterexamples.length).toBeGreaterThan(0);
    for (const { replay } of counterexamples) {
      const [, command = '', url = '', ...args] = replay.split(' ');
      expect(url.startsWith(scheme)).toBe(true);
      const trace = await runWith([command, url, ...args, '-f', '-'], { stdin });
      expect(trace).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`${kind} shop/r`) });
    }
  });
});
