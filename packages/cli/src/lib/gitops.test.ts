import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from './changes/cli.fixture.ts';

const house = retries('infra/house', 'Gateway public', 'attempts: 3');
const lost = retries('shop/lost', 'HTTPRoute nowhere', 'attempts: 5');
const deploy = { 'routes.yaml': [routes, retryPolicyDefinition, house].join('\n---\n') };

interface Found {
  readonly code: string;
  readonly message: string;
  readonly severity: string;
}

async function lint(files: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const folder = folderWith(files);
  const { code, stdout } = await folder.gwpolicy('lint', '-R', '-f', '@', ...flags, '-o', 'json');
  const items = (JSON.parse(stdout) as { items: readonly Found[] }).items;
  return { exitCode: code, items, codes: items.map((item) => item.code) };
}

const kustomize = (fields: string) =>
  `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [lost.yaml]\n${fields}\n`;
const flux = (fields: string, path = './app') => `
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: app, namespace: flux-system }
spec: { path: ${path}, ${fields} }
`;
const release = (values: string) => `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: app, namespace: shop }
spec: { chart: { spec: { chart: app } }, values: ${values} }
`;

describe('files that are not rendered', () => {
  it('have verdicts if nothing is to be rendered', async () => {
    expect(await lint({ ...deploy, 'app/lost.yaml': lost })).toMatchObject({ exitCode: 1, codes: ['missing-target'] });
  });

  it.each([
    ['a namespace of kustomize', { 'app/kustomization.yaml': kustomize('namespace: shop') }, lost],
    ['a prefix of names', { 'app/kustomization.yaml': kustomize('namePrefix: my-') }, lost],
    ['resources elsewhere', { 'app/kustomization.yaml': kustomize('components: [https://example.com/a.git]') }, lost],
    ['charts of kustomize', { 'app/kustomization.yaml': kustomize('helmCharts: [{ name: shop }]') }, lost],
    ['generators of kustomize', { 'app/kustomization.yaml': kustomize('generators: [shop.yaml]') }, lost],
    ['patches', { 'app/kustomization.yaml': kustomize('patches: [{ path: patch.yaml }]') }, lost],
    ['a kustomization elsewhere', { 'overlay/kustomization.yaml': 'namespace: shop\nresources: [../app]' }, lost],
    ['a target namespace of Flux', { 'flux/ks.yaml': flux('targetNamespace: shop') }, lost],
    ['patches of Flux', { 'flux/ks.yaml': flux('patches: [{ patch: "kind: RetryPolicy" }]') }, lost],
    ['variables', {}, lost.replace('nowhere', `"\${ROUTE}"`)],
    [
      'a chart with routes',
      { 'release.yaml': release('{ route: { main: { parentRefs: [{ name: public }] } } }') },
      lost,
    ],
  ])('give no verdict that rests on %s, and say so once', async (_what, files, policy) => {
    const { exitCode, codes } = await lint({ ...deploy, ...files, 'app/lost.yaml': policy });
    expect({ exitCode, codes }).toEqual({ exitCode: 0, codes: ['not-rendered'] });
  });

  it.each([
    ['of other files', { 'other/kustomization.yaml': 'namespace: shop' }],
    ['of another path', { 'flux/ks.yaml': flux('targetNamespace: shop', './other') }],
    ['of other kinds', { 'flux/ks.yaml': flux('patches: [{ target: { kind: HelmRelease }, patch: "" }]') }],
    ['of a chart without routes', { 'release.yaml': release('{ replicas: 2 }') }],
  ])('keep verdicts that do not depend on what is rendered %s', async (_what, files) => {
    const { codes } = await lint({ ...deploy, ...files, 'app/lost.yaml': lost });
    expect(codes.toSorted()).toEqual(['missing-target', 'not-rendered']);
  });

  it('are not called invalid because of variables, and are by other faults', async () => {
    const bad = retries('shop/bad', 'HTTPRoute cart', 'attempts: many');
    const { codes } = await lint({ ...deploy, 'app/kustomization.yaml': 'namespace: shop', 'app/bad.yaml': bad });
    expect(codes.toSorted()).toEqual(['invalid-spec', 'not-rendered']);
    const variable = retries('shop/bad', 'HTTPRoute cart', `attempts: "\${COUNT}"`);
    expect((await lint({ ...deploy, 'app/bad.yaml': variable })).codes).toEqual(['not-rendered']);
  });

  it('have policies whose outcome is not known', async () => {
    const folder = folderWith({ ...deploy, 'flux/ks.yaml': flux('targetNamespace: shop'), 'app/lost.yaml': lost });
    const { code, stdout, stderr } = await folder.gwpolicy('get', '-R', '-f', '@');
    expect(stdout).toMatch(/lost +RetryPolicy +HTTPRoute nowhere +not-rendered/);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Not rendered: targetNamespace in flux\/ks\.yaml\. /)]);
  });
});

describe('Gateways of others', () => {
  const elsewhere = routes
    .split('\n---\n')
    .slice(1)
    .join('\n---\n')
    .replaceAll('name: public', 'name: platform')
    .replaceAll(/name: (checkout|cart|track), namespace/g, 'name: other-$1, namespace');
  const own = retries('shop/own', 'HTTPRoute other-cart', 'attempts: 5');

  it('are assumed for the routes that refer to them, also beside a Gateway that is there', async () => {
    const folder = folderWith({ ...deploy, 'other.yaml': [elsewhere, own].join('\n---\n') });
    const { stdout, stderr } = await folder.gwpolicy('get', '-f', '@');
    expect(stdout).toMatch(/own +RetryPolicy +HTTPRoute other-cart +enforced/);
    expect(stderr).toBe('Not in the input, and assumed to accept routes: Gateway infra/platform.\n');
  });

  it('are told by lint', async () => {
    const { items } = await lint({ ...deploy, 'other.yaml': [elsewhere, own].join('\n---\n') });
    expect([...new Set(items.map(({ message }) => message))]).toEqual([
      'refers to Gateway infra/platform, which does not exist; create it or correct the reference',
    ]);
  });
});

describe('Gateways of others, in a comparison', () => {
  const parts = routes.split('\n---\n');
  const [gateway = '', ...rest] = parts;
  const elsewhere = rest
    .join('\n---\n')
    .replaceAll('name: public', 'name: platform')
    .replaceAll(/name: (checkout|cart|track), namespace/g, 'name: other-$1, namespace');
  const own = (attempts: number) => retries('shop/own', 'HTTPRoute other-cart', `attempts: ${attempts}`);
  const inFolder = (folder: string, files: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
  const assumed = 'Not in the input, and assumed to accept routes: Gateway infra/platform.\n';
  const other = { 'deploy.yaml': [routes, retryPolicyDefinition].join('\n---\n'), 'other.yaml': elsewhere };

  it('are assumed by diff, so that what changes for their routes is said', async () => {
    const folder = folderWith({
      ...inFolder('before', { ...other, 'own.yaml': own(5) }),
      ...inFolder('after', { ...other, 'own.yaml': own(6) }),
    });
    const { stdout, stderr } = await folder.gwpolicy('diff', '@before', '@after');
    expect(stdout).toContain('HTTPRoute shop/other-cart');
    expect(stdout).toContain('attempts  5 → 6');
    expect(stderr).toBe(assumed);
  });

  it('are assumed by impact on files, also for a route that the change adds', async () => {
    const [checkout = '', ...others] = elsewhere.split('\n---\n');
    const folder = folderWith({
      'base/deploy.yaml': other['deploy.yaml'],
      'base/other.yaml': checkout,
      'change.yaml': [...others, own(6)].join('\n---\n'),
    });
    const { stdout, stderr } = await folder.gwpolicy(
      'impact',
      '-f',
      '@change.yaml',
      '--against',
      '@base',
      '-o',
      'json',
    );
    const { policies, findings } = JSON.parse(stdout);
    expect(policies).toEqual([expect.objectContaining({ after: 'enforced' })]);
    // Only the added routes newly refer to what is not there.
    expect(findings.added.map(({ resource }: { readonly resource: string }) => resource).toSorted()).toEqual([
      'httproute.gateway.networking.k8s.io:parcels/other-track',
      'httproute.gateway.networking.k8s.io:shop/other-cart',
    ]);
    expect(stderr).toBe(assumed);
  });

  it('are not assumed once a change deletes them', async () => {
    const files = { ...other, 'own.yaml': own(5) };
    const platform = gateway.replace('name: public', 'name: platform');
    const folder = folderWith({
      ...inFolder('before', { ...files, 'platform.yaml': platform }),
      ...inFolder('after', files),
    });
    const { stdout, stderr, code } = await folder.gwpolicy('diff', '@before', '@after', '--fail-on', 'lost');
    expect(stdout).toMatch(/RetryPolicy shop\/own +enforced +→ +not-in-any-path/);
    expect([code, stderr]).toEqual([1, '']);
  });

  it('prove and break no guarantee', async () => {
    const guarantee = `
apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: retried }
spec: { holds: has(policies.RetryPolicy) }
`;
    const cart = elsewhere.split('\n---\n').filter((text) => text.includes('other-cart'));
    const unretried = [gateway, retryPolicyDefinition, ...cart].join('\n---\n');
    const folder = folderWith({
      'before/all.yaml': [unretried, own(5)].join('\n---\n'),
      'after/all.yaml': unretried,
      'guarantee.yaml': guarantee,
    });
    const args = ['diff', '@before', '@after', '--guarantees', '@guarantee.yaml', '-o', 'json'];
    expect(JSON.parse((await folder.gwpolicy(...args)).stdout)).toMatchObject({
      policies: [{ before: 'enforced' }],
      guarantees: [],
    });
  });
});

describe('files that are something else', () => {
  const others = {
    'values.yaml': 'replicas: 2\n',
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'playbook.yml': '- hosts: all\n  tasks: []\n',
    'esphome.yaml': 'wifi: { ssid: !secret name }\n',
    'package.json': '{ "name": "x" }',
  };

  it('are passed over in one line', async () => {
    const { exitCode, items } = await lint({ ...deploy, ...others });
    expect([exitCode, items.map(({ code }) => code)]).toEqual([0, ['no-manifest']]);
    expect(items[0]?.message).toMatch(/^5 files without Kubernetes objects are passed over: .*Chart\.yaml/);
  });

  it('are errors if they are named, or if something is missing', async () => {
    const folder = folderWith({ ...others, 'half.yaml': 'kind: Service\nmetadata: { name: x }\n' });
    expect((await folder.gwpolicy('lint', '-f', '@values.yaml')).code).toBe(1);
    expect((await folder.gwpolicy('lint', '-f', '@')).stdout).toContain('apiVersion is missing');
  });

  it('can be excluded, by a flag or a file, and their number is said', async () => {
    const files = { ...deploy, 'app/lost.yaml': lost };
    const byFlag = await lint(files, '--exclude', 'app/');
    expect(byFlag.items).toEqual([
      expect.objectContaining({ code: 'files-excluded', message: expect.stringMatching(/^1 file is excluded/) }),
    ]);
    expect((await lint({ ...files, '.gwpolicyignore': '# tests\n*\n!routes.yaml\n' })).codes).toEqual([
      'files-excluded',
    ]);
  });
});

describe('declarations of one object', () => {
  it('are one if they are equal', async () => {
    const again = retries('infra/house', 'Gateway public', 'attempts: 3');
    expect((await lint({ ...deploy, 'again.yaml': `${again}\n---\n${again}` })).codes).toEqual([]);
  });

  it('are an error that names both files if they differ', async () => {
    const { items } = await lint({ ...deploy, 'z.yaml': retries('infra/house', 'Gateway public', 'attempts: 4') });
    expect(items).toEqual([
      expect.objectContaining({
        code: 'duplicate-resource',
        message: expect.stringMatching(/declared twice with different content, first at .*routes\.yaml:\d+:1;/),
        position: expect.objectContaining({ source: expect.stringMatching(/z\.yaml$/) }),
      }),
    ]);
  });
});

describe('links below a folder', () => {
  it('are left out, and named', async () => {
    const folder = folderWith({ ...deploy });
    const other = folderWith({ 'lost.yaml': lost });
    symlinkSync(join(other.path, 'lost.yaml'), join(folder.path, 'link.yaml'));
    const { stdout } = await folder.gwpolicy('lint', '-f', '@');
    expect(stdout).toMatch(/link\.yaml is a link, and is left out; name it to follow it +link-left-out/);
    const { stderr, stdout: listed } = await folder.gwpolicy('get', '-f', '@');
    expect(stderr).toMatch(/link\.yaml is a link, and is left out; name a link to follow it\.\n$/);
    expect(listed).not.toContain('lost');
  });
});
