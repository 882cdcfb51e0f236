import type { FakeApiServer } from '@policy-machinery/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { restricted, runOn, startCluster } from './cluster.fixture.ts';
import { guarantees } from './verifying/guarantee-resources.ts';

let server: FakeApiServer;

beforeEach(async () => {
  server = await startCluster();
});

const onCluster = (args: readonly string[], more = {}) => runOn(server, args, more);

const isList = (path: string) => path.startsWith('/api/v1/') || /^\/apis\/[^/]+\/[^/]+\/./.test(path);
const isIn = (path: string, namespace: string) => path.includes(`/namespaces/${namespace}/`);

/** Runs the program, and returns its output without the policies that only definitions describe. */
async function withoutDefinitions(args: readonly string[]): Promise<string> {
  return (await onCluster(args)).stdout.replaceAll(/^cachepolicy.*\n/gm, '');
}

describe('without the right to read', () => {
  it('definitions, policies are found by discovery', async () => {
    server.forbid('list customresourcedefinitions');
    const { stdout, stderr } = await onCluster(['get', 'backendtrafficpolicies', '-A', '-o', 'name']);
    expect(stdout.split('\n')).toHaveLength(4);
    expect(stderr).toBe(
      'warning: the answer may be incomplete: you may not read customresourcedefinitions.apiextensions.k8s.io in all namespaces (-v lists them)\n',
    );
  });

  it('a kind, the kind is named; with -v also the right to ask for', async () => {
    server.forbid('list clientsettingspolicies');
    const one = await onCluster(['get', '-A']);
    expect(one.stderr).toBe(
      'warning: the answer may be incomplete: you may not read clientsettingspolicies.gateway.nginx.org in all namespaces (-v lists them)\n',
    );
    const ran = await onCluster(['explain', 'httproute/cart', '-v']);
    expect(ran.stdout).not.toContain('ClientSettingsPolicy');
    expect(ran.stderr.split('\n').slice(0, 2)).toEqual([
      'warning: may not be read: clientsettingspolicies.gateway.nginx.org',
      'warning: the answer may be incomplete; ask for the verb list on these resources, in all namespaces',
    ]);
    expect(ran.exitCode).toBe(0);
    expect((await onCluster(['explain', 'httproute/cart', '--strict'])).exitCode).toBe(2);
  });

  it('guarantees, a report says that they are not known', async () => {
    const withGuarantees = await startCluster({ kinds: [guarantees] });
    expect((await runOn(withGuarantees, ['report', '-A'])).stdout).not.toContain('Guarantees are not known');
    withGuarantees.forbid('list guarantees');
    const { stdout } = await runOn(withGuarantees, ['report', '-A']);
    expect(stdout).toContain('Guarantees are not known: guarantees.verify.policy-machinery may not be read.');
    const verified = await runOn(withGuarantees, ['verify']);
    expect(verified).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('may not be read') });
    const none = await onCluster(['verify']);
    expect(none.stderr).toContain('the cluster does not have the kind guarantees.verify.policy-machinery; name a file');
  });

  it('a kind, a report says so, and where its objects are from', async () => {
    server.forbid('list clientsettingspolicies');
    const { stdout } = await onCluster(['report', '-A', '--context', 'staging']);
    expect(stdout).toContain('"The cluster of the context staging."');
    expect(stdout).toContain('"Incomplete: may not be read: clientsettingspolicies.gateway.nginx.org."');
  });

  it('a kind in all namespaces, the kind is read where it may be read', async () => {
    const onlyInShop = restricted(
      server,
      (path) => path === '/apis/kuadrant.io/v1/ratelimitpolicies' || isIn(path, 'infra'),
    );
    const { stdout, stderr } = await onCluster(['get', 'ratelimitpolicies', '-A', '-o', 'name', '-v'], onlyInShop);
    expect(stdout).toBe('ratelimitpolicy.kuadrant.io/cart\n');
    expect(stderr).toContain('warning: read only in the namespaces default, shop: ratelimitpolicies.kuadrant.io\n');
  });

  it('a kind, absence is not known', async () => {
    const outcomeOf = async (policy: string, more: object = {}) => {
      const { stdout } = await onCluster(['get', 'policies', '-A', '-o', 'json'], more);
      const { items } = JSON.parse(stdout) as { items: { policy: { name: string }; outcome: string }[] };
      return items.find(({ policy: { name } }) => name === policy)?.outcome;
    };
    const isOfRoutes = (path: string) => path.endsWith('/httproutes');
    expect(await outcomeOf('staff-only')).toBe('target-not-found');
    expect(
      await outcomeOf(
        'staff-only',
        restricted(server, (path) => isOfRoutes(path) && !isIn(path, 'shop')),
      ),
    ).toBe('target-not-found');
    expect(await outcomeOf('staff-only', restricted(server, isOfRoutes))).toBe('undecided');
    expect((await onCluster(['explain', 'httproute/card'])).stderr).toContain('HTTPRoute card does not exist');
    expect((await onCluster(['explain', 'httproute/card'], restricted(server, isOfRoutes))).stderr).toContain(
      'HTTPRoute card is not in this input',
    );
  });

  it('any kind in all namespaces, the answer is about those that may be read', async () => {
    const teams = restricted(
      server,
      (path) => isList(path) && !path.endsWith('/namespaces') && !isIn(path, 'shop') && !isIn(path, 'infra'),
    );
    const { stdout, stderr, exitCode } = await onCluster(['get', '-A', '-o', 'name', '-v'], teams);
    expect([exitCode, stdout]).toEqual([0, await withoutDefinitions(['get', '-A', '-o', 'name'])]);
    const { stderr: short } = await onCluster(['get', '-A'], teams);
    expect(short).toMatch(
      /^warning: the answer may be incomplete: you may not read \S+, \S+ \+\d+ more in all .*\nUndecided: GatewayClass edge .*\n$/,
    );
    expect(stderr).toMatch(/^warning: read only in the namespaces infra, shop: .*httproutes\.gateway\.networking/m);
    expect(stderr).toMatch(/^warning: may not be read: .*gatewayclasses\.gateway\.networking/m);
  });

  it('any other namespace, nor their names, the answer is about the current one', async () => {
    const team = restricted(server, (path) => isList(path) && !isIn(path, 'shop'));
    const { stdout, stderr, exitCode } = await onCluster(['get', '-o', 'name'], team);
    const all = await withoutDefinitions(['get', '-o', 'name']);
    expect([exitCode, stdout]).toEqual([0, all]);
    expect(stderr).toContain('Without a Gateway in the input, routes count as accepted.\n');
  });

  it.each([
    ['anything', () => true],
    ['policies and what they target', (path: string) => path.startsWith('/apis/')],
  ])('%s, the only answer is the role to ask for', async (_what, isForbidden) => {
    const nothing = restricted(server, (path) => isList(path) && isForbidden(path));
    const { stdout, stderr, exitCode } = await onCluster(['get', '-A'], nothing);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('forbids you to list policies, Gateways and routes, in all namespaces and in shop\n');
    expect(stderr).toMatch(/kubectl create clusterrole gwpolicy --verb=list,watch --resource=.*httproutes\.gateway\./);
  });
});
