import type { FakeApiServer } from '@policy-machinery/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { runOn, startCluster } from './cluster.fixture.ts';
import { cluster, runWith } from './run.fixture.ts';

let server: FakeApiServer;

beforeEach(async () => {
  server = await startCluster();
});

const onCluster = (args: readonly string[], more = {}) => runOn(server, args, more);

describe('-w', () => {
  /** Runs the program, takes a step after each output, and returns the outputs. */
  async function watching(args: readonly string[], ...steps: readonly (() => void)[]): Promise<readonly string[]> {
    const end = new AbortController();
    const texts: string[] = [];
    let next = 0;
    const onOutput = (text: string) => {
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

  it('prints the rows of a list that change, below those before', async () => {
    const texts = await watching(['get', '-n', 'shop'], rename('checkout'));
    const [header = ''] = texts[0]?.split('\n') ?? [];
    expect(header).toMatch(/^NAME /);
    expect(texts[1]).toMatch(/^staff-only +AuthPolicy +HTTPRoute checkout +enforced +\S+\n$/);
    expect(texts[1]?.indexOf('enforced')).toBe(header.indexOf('OUTCOME'));
  });

  it('says that policies are deleted, below the rows before', async () => {
    const remove = () => void server.delete('authpolicy.kuadrant.io:shop/staff-only');
    const texts = await watching(['get', '-n', 'shop'], remove);
    expect(texts[1]).toMatch(/^staff-only +AuthPolicy +HTTPRoute chekout +deleted +\S+\n$/);
    expect(texts[1]?.indexOf('deleted')).toBe(texts[0]?.indexOf('OUTCOME'));
  });

  it('lists deletions between the first answer and the watch', async () => {
    const end = new AbortController();
    const texts: string[] = [];
    const onOutput = (text: string) => {
      texts.push(text);
      if (texts.length > 1) return end.abort();
      server.delete('authpolicy.kuadrant.io:shop/staff-only');
      server.update('cachepolicy.policies.example.com:shop/carts', (it) => ({ ...it, spec: {} })); // Leads to an answer.
    };
    await onCluster(['get', '-n', 'shop', '-w'], { signal: end.signal, onOutput });
    expect(texts[1]).toMatch(/^staff-only .* deleted /m);
  });

  it('says that the last policy of a list is deleted', async () => {
    const remove = () => void server.delete('authpolicy.kuadrant.io:shop/staff-only');
    const texts = await watching(['get', 'authpolicies', '-n', 'shop'], remove);
    expect(texts[1]).toMatch(/^staff-only .* deleted /);
  });

  it('says which policies of a kind are gone when the kind is removed, and waits for the kind', async () => {
    const carts = server.get('cachepolicy.policies.example.com:shop/carts');
    const definition = server.get('customresourcedefinition.apiextensions.k8s.io:cachepolicies.policies.example.com');
    if (carts === undefined || definition === undefined) throw new Error('the cluster has no CachePolicy');
    const texts = await watching(
      ['get', 'cachepolicies', '-n', 'shop'],
      () => server.uninstall({ group: 'policies.example.com', kind: 'CachePolicy' }),
      () => {
        server.install(definition);
        server.create(carts);
      },
    );
    expect(texts[1]).toMatch(/^carts +CachePolicy .* deleted /);
    expect(texts[2]).toMatch(/^carts +CachePolicy .* not-merged /);
  });

  it('says which kinds are gone', async () => {
    const texts = await watching(['kinds'], () =>
      server.uninstall({ group: 'policies.example.com', kind: 'CachePolicy' }),
    );
    expect(texts[1]).toMatch(/^CachePolicy +policies\.example\.com .* deleted /);
  });

  it('says which findings are resolved', async () => {
    const texts = await watching(['lint', '-A', '--ignore-status'], rename('checkout'));
    expect(texts[1]).toMatch(/^authpolicy\.kuadrant\.io:shop\/staff-only .* resolved .* missing-target\n/);
  });

  it('reports that the explained target is gone, and explains it again', async () => {
    const route = server.get('httproute.gateway.networking.k8s.io:shop/checkout');
    if (route === undefined) throw new Error('the cluster has no such route');
    const texts = await watching(
      ['explain', 'httproute/checkout'],
      () => void server.delete('httproute.gateway.networking.k8s.io:shop/checkout'),
      () => {},
      () => void server.create(route),
      () => {},
    );
    expect(texts.slice(1, 4)).toEqual(['---\n', '', '---\n']);
    expect(texts[4]).toContain('HTTPRoute shop/checkout');
  });

  it('prints the header of a list with its first row', async () => {
    const policy = server.get('authpolicy.kuadrant.io:shop/staff-only');
    if (policy === undefined) throw new Error('the cluster has no AuthPolicy');
    const moved = { ...policy, metadata: { name: 'doors', namespace: 'cafe' } };
    const texts = await watching(['get', '-n', 'cafe'], () => void server.create(moved));
    expect(texts).toEqual(['', expect.stringMatching(/^NAME .*\ndoors /)]);
  });

  it('notices policy kinds that are removed, and installed again with their policies', async () => {
    const carts = server.get('cachepolicy.policies.example.com:shop/carts');
    const definition = server.get('customresourcedefinition.apiextensions.k8s.io:cachepolicies.policies.example.com');
    if (carts === undefined || definition === undefined) throw new Error('the cluster has no CachePolicy');
    const install = () => {
      server.install(definition);
      server.create(carts);
    };
    const texts = await watching(
      ['get', '-n', 'shop', '-o', 'name'],
      () => server.uninstall({ group: 'policies.example.com', kind: 'CachePolicy' }),
      () => {},
      install,
      () => {},
    );
    const [before = '', , without = '', , after] = texts;
    expect(without).toBe(before.replace('cachepolicy.policies.example.com/carts\n', ''));
    expect([before, after]).toEqual([expect.stringContaining('/carts\n'), before]);
  });

  it('answers again when the definition of a policy kind changes', async () => {
    const locator = 'customresourcedefinition.apiextensions.k8s.io:cachepolicies.policies.example.com';
    const label = { 'gateway.networking.k8s.io/policy': 'Direct' };
    const relabel = () =>
      void server.update(locator, (definition) => ({
        ...definition,
        metadata: { ...definition.metadata, labels: label },
      }));
    const texts = await watching(['kinds', '-o', 'yaml'], relabel, () => {});
    expect(texts[0]).toMatch(/kind: CachePolicy\n(?!.*kind:)[\s\S]*?policyClass: Inherited/);
    expect(texts[2]).toMatch(/kind: CachePolicy\n(?!.*kind:)[\s\S]*?policyClass: Direct/);
  });

  it('prints other answers completely, after a line', async () => {
    const remove = () => server.delete('ratelimitpolicy.kuadrant.io:infra/ceiling');
    const texts = await watching(['explain', 'httproute/checkout#pay'], remove, () => {});
    expect(texts[0]).toContain('infra/ceiling');
    expect(texts[1]).toBe('---\n');
    expect(texts[2]).not.toContain('infra/ceiling');
  });

  it('says that files are read once', async () => {
    const { stderr, exitCode } = await runWith(['get', '-w', '-f', cluster]);
    expect([stderr, exitCode]).toEqual([expect.stringContaining('--watch needs a cluster'), 2]);
  });
});
