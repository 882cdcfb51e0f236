import type { FakeApiServer } from '@policy-machinery/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { runOn, startCluster } from './cluster.fixture.ts';
import { cluster, runWith } from './run.fixture.ts';

let server: FakeApiServer;

beforeEach(async () => {
  server = await startCluster();
});

const onCluster = (args: readonly string[], more = {}) => runOn(server, args, more);

describe('on a cluster', () => {
  it.each([
    [['get', '-A', '-o', 'json']],
    [['get', '-n', 'infra', '-o', 'wide']],
    [['explain', 'HTTPRoute', 'shop/cart', '-o', 'json']],
    [['reach', 'ratelimitpolicy/infra/ceiling']],
    [['tree', 'gateway/infra/public']],
    [['request', 'https://shop.example.com/pay/status']],
  ])('gwpolicy %j answers as it does for the files of the cluster', async (args) => {
    const [live, files] = [await onCluster(args), await runWith([...args, '-f', cluster])];
    // On a cluster, each policy should have a status.
    const stdout = live.stdout.replaceAll(' Its status is missing: no controller has reported it.', '');
    // What a cluster does not have does not exist.
    const inPart = files.stdout
      .replaceAll('"outcome": "undecided"', '"outcome": "target-not-found"')
      .replaceAll('which is not in this input; add it, or correct', 'which does not exist; create it or correct');
    // Routes of a cluster refer to Gateways that are there, or are not, and its policies have the fields that it keeps.
    const ofFiles =
      /^(Not in the input, and assumed|Undecided: the listeners of|The answer assumes that policies) .*\n/gm;
    const stderr = files.stderr.replace(ofFiles, '');
    expect({ ...live, stdout }).toEqual({ ...files, stdout: inPart, stderr });
  });

  it('uses the namespace of the kubeconfig', async () => {
    const { stdout } = await onCluster(['get', '-o', 'name']);
    expect(stdout).toBe((await runWith(['get', '-f', cluster, '-n', 'shop', '-o', 'name'])).stdout);
  });

  it('reads each kind once, and no others', async () => {
    await onCluster(['get']);
    const lists = server.requests.filter(({ verb }) => verb === 'list').map(({ resource }) => resource);
    expect(lists.filter((each) => each === 'httproutes')).toEqual(['httproutes']);
    expect(lists).not.toContain('secrets');
  });

  it('never mistakes a failure for an absence', async () => {
    server.addFaults({ at: 'list httproutes', do: { status: 500 }, times: 9 });
    const ran = await onCluster(['get']);
    expect(ran).toMatchObject({ stdout: '', exitCode: 2, stderr: expect.stringContaining('the cluster refuses: GET') });
  });

  it('applies files over the cluster with --live', async () => {
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

  describe('files with --live', () => {
    const file = (spec: object) =>
      JSON.stringify({
        apiVersion: 'gateway.envoyproxy.io/v1alpha1',
        kind: 'BackendTrafficPolicy',
        metadata: { name: 'patient', namespace: 'shop' },
        spec: { targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'checkout' }], ...spec },
      });
    const timeout = { timeout: { http: { requestTimeout: '90s' } } };

    it('need no creation time, and no status', async () => {
      const { stdout } = await onCluster(['lint', '-A', '--live', '-f', '-'], { stdin: file(timeout) });
      expect(stdout).not.toMatch(/creation|policy\.gateway\.envoyproxy\.io:shop\/patient/);
      expect(stdout).toContain('shop/hurried');
    });

    it('keep the age of the object on the cluster', async () => {
      const args = ['reach', 'backendtrafficpolicy/patient', '--live', '-f', '-'];
      const { stdout } = await onCluster(args, { stdin: file(timeout) });
      expect(stdout).toMatch(/HTTPRoute shop\/checkout#pay .* enforced/);
    });
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

    it('puts an object without a namespace into the namespace of the kubeconfig', async () => {
      const { stdout, exitCode } = await onCluster(['impact', '-f', '-'], { stdin: lateIn({}) });
      expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/set by shop\/late.* stdin:1\n/)]);
    });

    it('answers for all namespaces, even if the kubeconfig names one', async () => {
      const inInfra = (args: readonly string[]) => (args[0] === 'config' ? 'infra' : '');
      const stdin = lateIn({ namespace: 'shop' });
      const { stdout, exitCode } = await onCluster(['impact', '-f', '-'], { stdin, kubectl: inInfra });
      expect([exitCode, stdout]).toEqual([1, expect.stringContaining('set by shop/late')]);
    });

    it('answers for one namespace with --only, and for all that change with -n', async () => {
      const stdin = lateIn({ namespace: 'shop' });
      const only = await onCluster(['impact', '-f', '-', '--only', 'namespace=cafe'], { stdin });
      expect([only.exitCode, only.stdout]).toEqual([0, 'Nothing changes for any policy.\n']);
      expect((await onCluster(['impact', '-f', '-', '-n', 'cafe'], { stdin })).exitCode).toBe(1);
    });
  });

  it('shows its progress on a terminal, and removes the line', async () => {
    const { stderr } = await onCluster(['get'], { isTTY: true });
    expect(stderr).toContain('\r\u001b[2KReading the cluster: 3 of ');
    expect(stderr.endsWith('\r\u001b[2K')).toBe(true);
    expect((await onCluster(['get'])).stderr).toBe('');
  });
});
