import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from './changes/cli.fixture.ts';
import { flux, kustomize, lint, release } from './changes/gitops.fixture.ts';

const house = retries('infra/house', 'Gateway public', 'attempts: 3');
const lost = retries('shop/lost', 'HTTPRoute nowhere', 'attempts: 5');
const deploy = { 'routes.yaml': [routes, retryPolicyDefinition, house].join('\n---\n') };

describe('files that are not rendered', () => {
  it('have verdicts if nothing is to be rendered', async () => {
    expect(await lint({ ...deploy, 'app/lost.yaml': lost })).toMatchObject({ exitCode: 1, codes: ['not-in-input'] });
  });

  it.each([
    ['a namespace of kustomize', { 'app/kustomization.yaml': kustomize('namespace: shop') }, lost],
    ['a prefix of names', { 'app/kustomization.yaml': kustomize('namePrefix: my-') }, lost],
    ['resources elsewhere', { 'app/kustomization.yaml': kustomize('components: [https://example.com/a.git]') }, lost],
    ['charts of kustomize', { 'app/kustomization.yaml': kustomize('helmCharts: [{ name: shop }]') }, lost],
    ['generators of kustomize', { 'app/kustomization.yaml': kustomize('generators: [shop.yaml]') }, lost],
    ['patches', { 'app/kustomization.yaml': kustomize('patches: [{ path: patch.yaml }]') }, lost],
    ['transformers of kustomize', { 'app/kustomization.yaml': kustomize('transformers: [prefix.yaml]') }, lost],
    ['a kustomization elsewhere', { 'overlay/kustomization.yaml': 'namespace: shop\nresources: [../app]' }, lost],
    ['a target namespace of Flux', { 'flux/ks.yaml': flux('targetNamespace: shop') }, lost],
    ['patches of Flux', { 'flux/ks.yaml': flux('patches: [{ patch: "kind: RetryPolicy" }]') }, lost],
    ['variables', {}, lost.replace('nowhere', `"\${ROUTE}"`)],
    ['a substring of a variable in a name', {}, lost.replace('name: lost', `name: "\${DOMAIN/./-}-lost"`)],
    ['placeholders of Argo CD', {}, lost.replace('nowhere', '<path:secrets/routes#name>')],
    ['actions of a template between quotes', {}, lost.replace('nowhere', `"{{ .Values.route }}"`)],
    [
      'a template with some documents that are none',
      { 'chart/templates/all.yaml': `${house}\n---\n{{ x }}: 1\n` },
      lost,
    ],
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
    ['of another path', { 'flux/ks.yaml': flux('targetNamespace: shop', './other'), 'other/a.yaml': house }],
    ['of other kinds', { 'flux/ks.yaml': flux('patches: [{ target: { kind: HelmRelease }, patch: "" }]') }],
  ])('keep verdicts that do not depend on rendering %s', async (_what, files) => {
    const { codes } = await lint({ ...deploy, ...files, 'app/lost.yaml': lost });
    expect(codes.toSorted()).toEqual(['not-in-input', 'not-rendered']);
  });

  it('are not called invalid because of variables, and are by other faults', async () => {
    const bad = retries('shop/bad', 'HTTPRoute cart', 'attempts: many');
    const { codes } = await lint({ ...deploy, 'app/kustomization.yaml': 'namespace: shop', 'app/bad.yaml': bad });
    expect(codes.toSorted()).toEqual(['invalid-spec', 'not-rendered']);
    const variable = retries('shop/bad', 'HTTPRoute cart', `attempts: "\${COUNT}"`);
    expect((await lint({ ...deploy, 'app/bad.yaml': variable })).codes).toEqual(['not-rendered']);
  });

  it('have policies with an unknown outcome', async () => {
    const folder = folderWith({ ...deploy, 'flux/ks.yaml': flux('targetNamespace: shop'), 'app/lost.yaml': lost });
    const { code, stdout, stderr } = await folder.gwpolicy('get', '-R', '-f', '@');
    expect(stdout).toMatch(/lost +RetryPolicy +HTTPRoute nowhere +not-rendered/);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Not rendered: targetNamespace in flux\/ks\.yaml\. /)]);
  });
});

describe('objects that a renderer puts into a namespace', () => {
  const withoutNamespaces = (text: string) => text.replaceAll(/(metadata: \{ name: [\w-]+), namespace: [\w-]+/g, '$1');
  const [gateway = '', ...others] = routes.split('\n---\n');
  const own = retries('shop/own', 'HTTPRoute cart', 'attempts: 5');
  /** The same deployment, with the namespaces in files of renderers only. */
  const apps = {
    'crd.yaml': retryPolicyDefinition,
    'apps/infra/app/all.yaml': withoutNamespaces([gateway, house].join('\n---\n')),
    'apps/shop/app/all.yaml': withoutNamespaces([...others, own].join('\n---\n')),
  };
  const byFlux = {
    'apps/infra/ks.yaml': flux('targetNamespace: infra', './apps/infra/app'),
    'apps/shop/ks.yaml': flux('targetNamespace: shop', 'apps/shop/app/'),
  };
  const byKustomize = {
    'apps/infra/kustomization.yaml': 'namespace: infra\nresources: [app]',
    'apps/infra/app/kustomization.yaml': 'namespace: other\nresources: [all.yaml]',
    'apps/shop/app/kustomization.yaml': 'namespace: shop\nresources: [./all.yaml]',
  };

  it.each([
    ['targetNamespace of Flux', byFlux],
    ['namespace of kustomize, the outermost first', byKustomize],
  ])('are there for every question: by %s', async (_what, files) => {
    const folder = folderWith({ ...apps, ...files });
    const explained = await folder.gwpolicy('explain', 'httproute/shop/cart', '-R', '-f', '@');
    expect(explained.stdout).toMatch(/attempts +5 +shop\/own .*\n +3 +infra\/house +lost/);
    expect(explained.stderr).not.toContain('assumed');
    const { stdout } = await folder.gwpolicy('get', '-R', '-f', '@');
    expect(stdout).toMatch(/infra +house +RetryPolicy +Gateway public +partly-enforced/);
    expect(stdout).toMatch(/shop +own +RetryPolicy +HTTPRoute cart +enforced/);
  });

  it('have findings with the place where they are written', async () => {
    const files = {
      ...apps,
      ...byFlux,
      'apps/shop/app/bad.yaml': withoutNamespaces(own.replaceAll('own', 'bad').replace('5', 'x')),
    };
    const { items } = await lint(files);
    expect(items).toContainEqual(
      expect.objectContaining({
        code: 'invalid-spec',
        position: expect.objectContaining({ source: expect.stringMatching(/apps\/shop\/app\/bad\.yaml$/) }),
      }),
    );
  });

  it('are not said to be missing if only their namespace is not known', async () => {
    const folder = folderWith({ ...apps, 'apps/shop/ks.yaml': byFlux['apps/shop/ks.yaml'] });
    const { stderr } = await folder.gwpolicy('explain', 'httproute/shop/cart', '-R', '-f', '@');
    expect(stderr).toContain(
      'Assumed to accept routes, without policies: Gateway infra/public; the files may mean the one with this name and without a namespace.\n',
    );
    expect(stderr).not.toContain('Not in the input');
  });

  it.each([
    ['two Kustomizations differ', { ...byFlux, 'more.yaml': flux('targetNamespace: test', './apps/shop/app') }],
    [
      'a variable names it',
      { ...byFlux, 'apps/shop/ks.yaml': flux(`targetNamespace: "\${NAMESPACE}"`, './apps/shop/app') },
    ],
  ])('stay where they are if the namespace is not certain, because %s', async (_what, files) => {
    const { stdout } = await folderWith({ ...apps, ...files }).gwpolicy('get', '-R', '-f', '@');
    expect(stdout).toMatch(/default +own +RetryPolicy +HTTPRoute cart/);
  });

  it('are changed there by impact on these files', async () => {
    const folder = folderWith(
      Object.fromEntries(Object.entries({ ...apps, ...byFlux }).map(([path, text]) => [`now/${path}`, text])),
    );
    folder.write({ 'next.yaml': withoutNamespaces(own).replace('5', '6') });
    const { stdout } = await folder.gwpolicy('impact', '-f', '@next.yaml', '--against', '@now');
    expect(stdout).toMatch(/HTTPRoute shop\/cart/);
    expect(stdout).toContain('attempts  5 → 6');
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
      'refers to Gateway infra/platform, which is not in this input; add it, or correct the reference',
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

  it('are assumed by diff, so that changes of their routes are reported', async () => {
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
