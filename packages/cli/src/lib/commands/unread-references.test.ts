import { describe, expect, it } from 'vitest';
import { folderWith, routes } from '../changes/cli.fixture.ts';

const policy = (name: string, target: string, spec: string) => `
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: ${name.split('/')[1]}, namespace: ${name.split('/')[0]} }
spec: { targetRefs: [{ group: gateway.networking.k8s.io, ${target} }], ${spec} }
`;
const folder = folderWith({
  'a.yaml': [
    routes,
    policy('infra/all', 'kind: Gateway, name: public, listeners: [http]', 'retry: { numRetries: 3 }'),
    policy('shop/own', 'kind: HTTPRoute, name: cart', 'mergeType: JSONMerge, timeout: { tcp: { connectTimeout: 1s } }'),
  ].join('\n---\n'),
});
const reason = 'Not read: listeners (infra/all) in references, so these policies may have other targets';

describe('a reference with a field that is not read', () => {
  it('is named by explain, which shows the policies of the kind side by side', async () => {
    const { stdout, stderr } = await folder.gwpolicy('explain', 'httproute/cart', '-n', 'shop', '-f', '@');
    expect(stdout).toContain('not merged');
    expect(stdout).toMatch(/retry\.numRetries +3 +infra\/all/);
    expect(stdout).toMatch(/mergeType +JSONMerge +shop\/own/);
    expect(stderr).toContain(reason);
  });

  it('is the reason for each outcome of the kind, and for its merging', async () => {
    const get = await folder.gwpolicy('get', '-A', '-f', '@', '-o', 'json');
    expect(JSON.parse(get.stdout).items).toMatchObject([
      { outcome: 'not-merged', message: expect.stringContaining(reason) },
      { outcome: 'not-merged', message: expect.stringContaining(reason) },
    ]);
    const kinds = await folder.gwpolicy('kinds', '-f', '@');
    expect(kinds.stdout).toMatch(/BackendTrafficPolicy .* unknown +table/);
    expect(kinds.stderr).toContain(reason);
    expect(kinds.stderr).not.toContain('=gep713');
  });

  it('is a finding of lint', async () => {
    const { stdout } = await folder.gwpolicy('lint', '-A', '-f', '@');
    expect(stdout).toMatch(/warning +the field listeners is not read here/);
  });
});
