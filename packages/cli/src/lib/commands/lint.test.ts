import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { folderWith } from '../changes/cli.fixture.ts';
import { runWith } from '../run.fixture.ts';

const apiVersion = 'gateway.networking.k8s.io/v1';
const yaml = (...objects: readonly object[]) => objects.map((it) => stringify(it)).join('---\n');
const listener = (name: string, hostname: string) => ({ name, port: 80, protocol: 'HTTP', hostname });

/** The code, resource and message of each finding. */
async function findingsIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { stdout } = await folderWith(files).gwpolicy('lint', '-f', '@', '-o', 'json', '--fail-on', 'none');
  const { items } = JSON.parse(stdout) as { items: { code: string; resource?: string; message: string }[] };
  return items.map(({ code, resource, message }) => `${code} ${resource}: ${message}`);
}

describe('gwpolicy lint', () => {
  const gateway = {
    apiVersion,
    kind: 'Gateway',
    metadata: { name: 'edge', namespace: 'infra' },
    spec: {
      gatewayClassName: 'c',
      allowedListeners: { namespaces: { from: 'All' } },
      listeners: [listener('base', 'a.example')],
    },
  };
  const set = {
    apiVersion,
    kind: 'ListenerSet',
    metadata: { name: 'more', namespace: 'shop' },
    spec: {
      parentRef: { name: 'edge', namespace: 'infra' },
      listeners: [listener('l', 'a.example'), listener('ok', 'b.example')],
    },
  };
  const policy = {
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'BackendTrafficPolicy',
    metadata: { name: 'p', namespace: 'shop' },
    spec: {
      targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'ListenerSet', name: 'more', sectionName: 'l' }],
      retry: { numRetries: 1 },
    },
  };

  it('reports a listener in conflict, with the policies on it that no request reaches', async () => {
    const findings = await findingsIn({ 'all.yaml': yaml(gateway, set, policy) });
    expect(findings.filter((it) => it.startsWith('listener-conflict'))).toEqual([
      'listener-conflict listenerset.gateway.networking.k8s.io:shop/more: listener l takes no requests, nor do policies on it: BackendTrafficPolicy shop/p: another listener of the Gateway or of one of its ListenerSets has the same port and hostname (HostnameConflict); change its port or hostname',
    ]);
  });

  it('reports no listener with a unique hostname', async () => {
    const other = { ...set, spec: { ...set.spec, listeners: [listener('ok', 'b.example')] } };
    expect((await findingsIn({ 'all.yaml': yaml(gateway, other) })).join()).not.toContain('listener-conflict');
  });

  it('reports each file that declares an object again', async () => {
    const files = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [
        `${name}.yaml`,
        yaml({ ...gateway, metadata: { ...gateway.metadata, labels: { of: name } } }),
      ]),
    );
    const findings = await findingsIn(files);
    expect(findings.filter((it) => it.includes('declared twice'))).toHaveLength(4);
  });

  it('accepts the name of a namespace without an object', async () => {
    const selector = { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['shop'] }] };
    const open = { ...listener('base', 'a.example'), allowedRoutes: { namespaces: { from: 'Selector', selector } } };
    const route = {
      apiVersion,
      kind: 'HTTPRoute',
      metadata: { name: 'cart', namespace: 'shop' },
      spec: { parentRefs: [{ name: 'edge', namespace: 'infra' }], rules: [{}] },
    };
    expect(
      await findingsIn({ 'all.yaml': yaml({ ...gateway, spec: { ...gateway.spec, listeners: [open] } }, route) }),
    ).toEqual([]);
  });
});

describe('gwpolicy lint on a terminal', () => {
  const route = (name: string) => ({
    apiVersion,
    kind: 'HTTPRoute',
    metadata: { name, namespace: 'shop' },
    spec: { parentRefs: [{ name: 'nowhere', namespace: 'infra' }], rules: [{}] },
  });
  const gateway = {
    apiVersion,
    kind: 'Gateway',
    metadata: { name: 'edge', namespace: 'infra' },
    spec: { gatewayClassName: 'c', listeners: [listener('base', 'a.example')] },
  };
  const stdin = yaml(gateway, route('cart'), route('search'));
  const lint = (surroundings: object) => runWith(['lint', '-f', '-', '--fail-on', 'none'], { stdin, ...surroundings });

  it.each([80, 120])('lists findings below their file, within %i columns', async (columns) => {
    const { stdout } = await lint({ isTTY: true, columns, env: { NO_COLOR: '1' } });
    const [heading, first = '', ...more] = stdout.trimEnd().split('\n');
    expect(heading).toBe('stdin');
    expect(first).toMatch(/^ {2}\d+:\d+ {2,}note {2}refers to Gateway infra\/nowhere/);
    expect([first, ...more].filter((line) => line.length > columns)).toEqual([]);
    expect(stdout).toContain('(not-in-input)');
  });

  it('prints one line for each finding into a pipe', async () => {
    const { stdout } = await lint({});
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^WHERE /),
      ...Array.from({ length: 2 }, () => expect.stringMatching(/^stdin:\d+:\d+ .* not-in-input$/)),
    ]);
  });
});
