import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { kubectlTransport } from '@policy-machinery/cluster';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { knownKinds } from '@policy-machinery/known-kinds';
import type { KubernetesObject } from '@policy-machinery/resource';
import { readManifests } from '@policy-machinery/resource/node';
import { createFakeApiServer, createFakeClock, type FakeApiServer } from '@policy-machinery/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cluster, now, runWith } from './run.fixture.ts';

const systems = ['kuadrant.io', 'gateway.envoyproxy.io', 'gateway.nginx.org'];
let server: FakeApiServer;

beforeEach(async () => {
  const { resources } = await readManifests(cluster);
  const definitions = resources.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const kinds = [
    ...gatewayApi().filter(({ group }) => group !== ''),
    ...knownKinds.filter(({ group }) => systems.includes(group)),
    { group: 'gateway.networking.k8s.io', kind: 'ReferenceGrant', versions: ['v1beta1'] },
  ];
  // Objects are as old as the clock says when they are created.
  const clock = createFakeClock({ now });
  server = createFakeApiServer({ clock, kinds: [...kinds, ...definitions] });
  for (const object of resources.filter((each) => !definitions.includes(each)).sort(byCreation)) {
    clock.skew(Date.parse(String(object.metadata.creationTimestamp)) - clock.now());
    server.create(object);
  }
});

function byCreation({ metadata: a }: KubernetesObject, { metadata: b }: KubernetesObject): number {
  return String(a.creationTimestamp) < String(b.creationTimestamp) ? -1 : 1;
}

/** The context of the kubeconfig names a namespace. */
const kubectl = (args: readonly string[]) => (args[0] === 'config' ? 'shop' : '');

const onCluster = (args: readonly string[], more = {}) =>
  runWith(args, { transport: server.transport, kubectl, ...more });

describe('on a cluster', () => {
  it.each([
    [['get', '-A', '-o', 'json']],
    [['get', '-n', 'infra', '-o', 'wide']],
    [['explain', 'HTTPRoute', 'shop/cart', '-o', 'json']],
    [['reach', 'ratelimitpolicy/infra/ceiling']],
    [['tree', '-A']],
    [['request', 'https://shop.example.com/pay/status']],
  ])('gwpolicy %j answers as it does for the files of the cluster', async (args) => {
    const [live, files] = [await onCluster(args), await runWith([...args, '-f', cluster])];
    expect(live).toEqual(files);
  });

  it('means the namespace of the kubeconfig', async () => {
    const { stdout } = await onCluster(['get', '-o', 'name']);
    expect(stdout).toBe((await runWith(['get', '-f', cluster, '-n', 'shop', '-o', 'name'])).stdout);
  });

  it('reads each kind once, and no others', async () => {
    await onCluster(['get']);
    const lists = server.requests.filter(({ verb }) => verb === 'list').map(({ resource }) => resource);
    expect(lists.filter((each) => each === 'httproutes')).toEqual(['httproutes']);
    expect(lists).not.toContain('secrets');
  });

  it('finds policies without the right to read definitions', async () => {
    server.forbid('list customresourcedefinitions');
    const { stdout, stderr } = await onCluster(['get', 'backendtrafficpolicies', '-A', '-o', 'name']);
    expect(stdout.split('\n')).toHaveLength(4);
    expect(stderr).toContain('warning: CustomResourceDefinition.apiextensions.k8s.io may not be read\n');
  });

  it('names a kind that may not be read, and says that the answer may be incomplete', async () => {
    server.forbid('list clientsettingspolicies');
    const ran = await onCluster(['explain', 'httproute/cart']);
    expect(ran.stdout).not.toContain('ClientSettingsPolicy');
    expect(ran.stderr).toMatch(
      /^warning: ClientSettingsPolicy\.gateway\.nginx\.org may not be read\nwarning: the answer may be incomplete\n/,
    );
    expect(ran.exitCode).toBe(0);
    expect((await onCluster(['explain', 'httproute/cart', '--strict'])).exitCode).toBe(2);
  });

  it('reads a kind in the namespace alone, if it may not be read in all', async () => {
    const { transport } = server;
    const forbidden = {
      status: 403,
      headers: {},
      body: { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' },
    };
    const own = {
      request: (request: Parameters<typeof transport.request>[0]) =>
        /kuadrant\.io\/v1\/ratelimitpolicies$/.test(request.path) && !request.path.includes('/namespaces/')
          ? Promise.resolve({
              ...forbidden,
              text: async () => JSON.stringify(forbidden.body),
              json: async () => forbidden.body,
              lines: async function* () {},
            })
          : transport.request(request),
    };
    const { stdout, stderr } = await onCluster(['get', 'ratelimitpolicies', '-A', '-o', 'name'], { transport: own });
    expect(stdout).toBe('ratelimitpolicy.kuadrant.io/cart\n');
    expect(stderr).toContain('RateLimitPolicy.kuadrant.io may be read in the namespace shop only');
  });

  it('never takes a failure for an absence', async () => {
    server.addFaults({ at: 'list httproutes', do: { status: 500 }, times: 9 });
    const ran = await onCluster(['get']);
    expect(ran).toMatchObject({ stdout: '', exitCode: 2, stderr: expect.stringContaining('the cluster refuses: GET') });
  });

  it('lays files over the cluster with --live', async () => {
    const route = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: 'chekout', namespace: 'shop' },
    };
    const args = ['get', 'authpolicies', 'staff-only', '--live', '-f', '-', '-o', 'json'];
    const before = await onCluster(['get', 'authpolicies', 'staff-only', '-o', 'json']);
    const after = await onCluster(args, { stdin: JSON.stringify({ ...route, spec: { rules: [{}] } }) });
    expect(before.stdout).toContain('"outcome": "target-not-found"');
    expect(after.stdout).toContain('"outcome": "not-in-any-path"');
  });

  describe('impact', () => {
    const lateIn = (namespace: object) =>
      JSON.stringify({
        apiVersion: 'kuadrant.io/v1',
        kind: 'RateLimitPolicy',
        metadata: { name: 'late', ...namespace },
        spec: {
          targetRef: { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'checkout' },
          limits: { late: { rates: [{ limit: 1, window: '1s' }] } },
        },
      });

    it('puts an object without a namespace where kubectl puts it', async () => {
      const { stdout, exitCode } = await onCluster(['impact', '-f', '-'], { stdin: lateIn({}) });
      expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/set by shop\/late.* stdin:1\n/)]);
    });

    it('answers for all namespaces, whatever that of the kubeconfig', async () => {
      const inInfra = (args: readonly string[]) => (args[0] === 'config' ? 'infra' : '');
      const stdin = lateIn({ namespace: 'shop' });
      const { stdout, exitCode } = await onCluster(['impact', '-f', '-'], { stdin, kubectl: inInfra });
      expect([exitCode, stdout]).toEqual([1, expect.stringContaining('set by shop/late')]);
    });

    it('answers for the namespace of -n alone', async () => {
      const stdin = lateIn({ namespace: 'shop' });
      const { stdout, exitCode } = await onCluster(['impact', '-f', '-', '-n', 'cafe'], { stdin });
      expect([exitCode, stdout]).toEqual([0, 'Nothing changes for any policy.\n']);
    });
  });

  it('shows how far it has come on a terminal, and removes the line', async () => {
    const { stderr } = await onCluster(['get'], { isTTY: true });
    expect(stderr).toContain('\r\u001b[2KReading the cluster: 3 of ');
    expect(stderr.endsWith('\r\u001b[2K')).toBe(true);
    expect((await onCluster(['get'])).stderr).toBe('');
  });
});

describe('-w', () => {
  /** Runs until the output has come as often as there are steps, and takes a step after each. */
  async function watching(args: readonly string[], ...steps: readonly (() => void)[]): Promise<readonly string[]> {
    const end = new AbortController();
    const texts: string[] = [];
    let next = 0;
    const onOutput = (text: string) => {
      if (text === '') return;
      texts.push(text);
      const step = steps[next];
      next += 1;
      if (step === undefined) end.abort();
      else setImmediate(step);
    };
    await onCluster([...args, '-w'], { signal: end.signal, onOutput });
    return texts;
  }

  const rename = (target: string) => () =>
    void server.update('authpolicy.kuadrant.io:shop/staff-only', (policy) => ({
      ...policy,
      spec: { targetRef: { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: target } },
    }));

  it('prints the rows of a list that change', async () => {
    const texts = await watching(['get', '-n', 'shop'], rename('checkout'));
    expect(texts[0]).toMatch(/^NAME /);
    expect(texts[1]).toMatch(/^staff-only {3}AuthPolicy {3}HTTPRoute checkout {3}enforced {3}\S+\n$/);
  });

  it('prints other answers as a whole, after a line', async () => {
    const remove = () => server.delete('ratelimitpolicy.kuadrant.io:infra/ceiling');
    const texts = await watching(['explain', 'httproute/checkout#pay'], remove, () => {});
    expect(texts[0]).toContain('infra/ceiling');
    expect(texts[1]).toBe('---\n');
    expect(texts[2]).not.toContain('infra/ceiling');
  });

  it('says that files are read once', async () => {
    const { stderr, exitCode } = await runWith(['get', '-w', '-f', cluster]);
    expect([stderr, exitCode]).toEqual([expect.stringContaining('--watch is about the cluster'), 2]);
  });
});

describe('kubectl', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-kubectl-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is asked for everything, with the flags that say which cluster', async () => {
    const { url, close } = await server.listen();
    const script = `#!${process.execPath}
      const at = process.argv.indexOf('--raw');
      if (process.argv[process.argv.indexOf('--context') + 1] !== 'staging') process.exit(1);
      fetch(${JSON.stringify(url)} + process.argv[at + 1]).then(async (response) => {
        if (response.ok) return process.stdout.write(await response.text());
        const { reason, message } = await response.json();
        process.stderr.write('Error from server (' + reason + '): ' + message);
        process.exitCode = 1;
      });`;
    writeFileSync(join(folder, 'kubectl'), script);
    chmodSync(join(folder, 'kubectl'), 0o755);
    server.forbid('list authpolicies');
    const path = process.env.PATH;
    process.env.PATH = `${folder}${delimiter}${path}`;
    try {
      const transport = kubectlTransport({ args: ['--context', 'staging'] });
      const { stdout, stderr } = await onCluster(['get', '-A', '-o', 'name'], { transport });
      const all = (await runWith(['get', '-o', 'name', '-f', cluster])).stdout.split('\n');
      expect(stdout.split('\n')).toEqual(all.filter((name) => !name.startsWith('authpolicy')));
      expect(stderr).toContain('AuthPolicy.kuadrant.io may not be read');
    } finally {
      process.env.PATH = path;
      await close();
    }
  });
});
