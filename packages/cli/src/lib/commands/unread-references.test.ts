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

describe('a policy that a filter of a rule names, and that is not in the files', () => {
  const filter = (group: string, kind: string) =>
    `filters: [{ type: ExtensionRef, extensionRef: { group: ${group}, kind: ${kind}, name: login } }], matches`;
  const guarantee = (holds: string) => `
apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: g }
spec: { holds: '${holds}' }
`;

  it.each([
    ['has(policies.TrafficPolicy)', 'gateway.kgateway.dev', 'TrafficPolicy', 'undecided'],
    ['!has(policies.TrafficPolicy)', 'gateway.kgateway.dev', 'TrafficPolicy', 'undecided'],
    ['!has(policies.TrafficPolicy)', 'gateway.envoyproxy.io', 'HTTPRouteFilter', 'holds'],
  ])('leaves %s for the filter %s/%s %s', async (holds, group, kind, expected) => {
    const files = folderWith({
      'a.yaml': routes.replaceAll('matches', filter(group, kind)),
      'g.yaml': guarantee(holds),
    });
    const { stdout } = await files.gwpolicy('verify', '@g.yaml', '-f', '@a.yaml');
    expect(stdout).toMatch(new RegExp(`g +${expected}`));
    const { stdout: met, stderr } = await files.gwpolicy('request', 'http://shop.example.com/pay', '-f', '@a.yaml');
    const text = 'HTTPRoute shop/checkout#pay names TrafficPolicy login, which is not in this input';
    for (const part of [stdout, stderr]) expect(part.includes(text)).toBe(expected === 'undecided');
    expect(met.includes('is not known to meet a policy')).toBe(expected === 'undecided');
  });
});

describe('a Gateway or a name that is not in the files', () => {
  const set = `
apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: { name: more, namespace: shop }
spec: { parentRef: { name: edge, namespace: infra }, listeners: [{ name: web, port: 8080, protocol: HTTP }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: cart, namespace: shop }
spec: { parentRefs: [{ kind: ListenerSet, name: more }] }
`;

  const variable = '$' + '{NAME}';

  it('does not let request or coverage deny that listeners exist and routes take requests', async () => {
    const files = folderWith({ 'a.yaml': set });
    const { stderr } = await files.gwpolicy('request', 'http://shop.example.com:8080/', '-f', '@');
    expect(stderr).toContain('at port 8080.');
    const { stderr: others } = await folder.gwpolicy('request', 'http://shop.example.com:8080/', '-f', '@');
    expect(others).toContain('at port 8080; there are listeners at 80.');
    const { stdout } = await files.gwpolicy('coverage', '-f', '@');
    expect(stdout).toBe('No route in this input is known to take requests from a Gateway.\n');
  });

  it('does not let lint or request deny that a listener with a variable as its hostname takes requests', async () => {
    const listeners = `- { name: https, port: 443, protocol: HTTPS }\n    - { name: http, hostname: "${variable}"`;
    const files = folderWith({ 'a.yaml': routes.replace('- { name: http', listeners) });
    const { stdout } = await files.gwpolicy('lint', '-f', '@');
    expect(stdout).not.toContain('receives no requests');
    const { stderr } = await files.gwpolicy('request', 'http://shop.example.com/pay', '-f', '@');
    expect(stderr).not.toContain(' refuses ');
    expect(stderr).toContain('Undecided: Gateway infra/public is not rendered');
  });

  it('leaves coverage undecided that a policy decides which is patched', async () => {
    const jwt = 'jwt: { providers: [{ name: a, remoteJWKS: { uri: "https://a.example" } }] }';
    const login = policy('infra/login', 'kind: Gateway, name: public', jwt).replace('BackendTraffic', 'Security');
    const patches = 'patches: [{ target: { kind: SecurityPolicy }, patch: "[{ op: remove, path: /spec/jwt }]" }]';
    const kustomization = `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n${patches}\n`;
    const manifests = { 'a.yaml': `${routes}\n---${login}` };
    const rendered = await folderWith(manifests).gwpolicy('coverage', '-f', '@');
    expect(rendered.stdout).toContain('All requests of 3 routes meet authentication.');
    const files = folderWith({ ...manifests, 'kustomization.yaml': kustomization });
    const { stdout } = await files.gwpolicy('coverage', '-f', '@');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'authentication is not known. ? 3 Not known: SecurityPolicy infra/login decides as far as the input is read',
    );
  });

  it('does not let tree deny that a listener with a variable as its name exists', async () => {
    const files = folderWith({
      'a.yaml': routes.replace('parentRefs: [{ ', `parentRefs: [{ sectionName: "${variable}", `),
    });
    const { stdout } = await files.gwpolicy('tree', '-f', '@');
    expect(stdout).toMatch(/HTTPRoute shop\/checkout +\(not rendered: .+ in parentRef public of HTTPRoute/);
  });
});
