import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from './changes/cli.fixture.ts';
import { flux, kustomize, release } from './changes/gitops.fixture.ts';

const deploy = { 'routes.yaml': [routes, retryPolicyDefinition].join('\n---\n') };
const own = (target: string, spec = 'perTry: 2s') => retries('shop/own', `HTTPRoute ${target}`, spec);
const map = (data: string, kind = 'ConfigMap', name = 'settings') =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: { name: ${name}, namespace: flux-system }\n${kind === 'Secret' ? 'stringData' : 'data'}: ${data}\n`;
const inline = flux('postBuild: { substitute: { ROUTE: cart, COUNT: "3" } }');
const from = (more = '') => flux(`postBuild: { substituteFrom: [{ kind: ConfigMap, name: settings }${more}] }`);

/** Returns the line of the policy in a list with reasons. */
async function listed(files: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await folderWith({ ...deploy, ...files }).gwpolicy('get', '-R', '-A', '-f', '@', '-o', 'wide');
  return stdout.split('\n').find((line) => line.includes(' own ')) ?? '';
}

describe('variables that Flux fills in', () => {
  it.each([
    ['of substitute', { 'ks.yaml': inline }, `\${ROUTE}`],
    ['between quotes', { 'ks.yaml': inline }, `"\${ROUTE}"`],
    ['with a default that is not needed', { 'ks.yaml': inline }, `"\${ROUTE:=nowhere}"`],
    ['with a default', { 'ks.yaml': inline }, `"\${OTHER:-cart}"`],
    ['of a ConfigMap', { 'ks.yaml': from(), 'map.yaml': map('{ ROUTE: cart }') }, `\${ROUTE}`],
    [
      'that a Secret does not have',
      {
        'ks.yaml': from(', { kind: Secret, name: secrets }'),
        'map.yaml': map('{ ROUTE: cart }'),
        'secret.yaml': map('{ DOMAIN: x }', 'Secret', 'secrets'),
      },
      `\${ROUTE}`,
    ],
    [
      'beside patches of other fields',
      { 'ks.yaml': inline, 'kustomization.yaml': kustomize('patches: [{ patch: "kind: Pod" }]') },
      `\${ROUTE}`,
    ],
  ])('are filled in, so that there is a verdict: %s', async (_what, files, target) => {
    expect(await listed({ ...files, 'app/own.yaml': own(target) })).toMatch(/ HTTPRoute cart +enforced /);
  });

  it.each([
    ['no Kustomization renders the file', { 'ks.yaml': inline.replace('./app', './other') }],
    [
      'two Kustomizations differ',
      { 'ks.yaml': inline, 'more.yaml': inline.replace('cart', 'pay').replace('name: app', 'name: b') },
    ],
    [
      'a patch changes them',
      {
        'ks.yaml': inline,
        'all.yaml': flux('patches: [{ patch: "spec: { postBuild: { substitute: { ROUTE: x } } }" }]', './x').replace(
          'name: app',
          'name: b',
        ),
      },
    ],
    [
      'a Secret may override them',
      { 'ks.yaml': from(', { kind: Secret, name: secrets }'), 'map.yaml': map('{ ROUTE: cart }') },
    ],
    [
      'the Secret that overrides them is not read',
      {
        'ks.yaml': from(', { kind: Secret, name: secrets }'),
        'map.yaml': map('{ ROUTE: cart }'),
        's.yaml': map('{ ROUTE: pay }', 'Secret', 'secrets'),
      },
    ],
    [
      'the ConfigMap is in another namespace',
      { 'ks.yaml': from(), 'map.yaml': map('{ ROUTE: cart }').replace('flux-system', 'shop') },
    ],
    ['the value is not plain', { 'ks.yaml': inline.replace('cart', '"{ a: b }"') }],
  ])('stay unchanged, without a verdict, if %s', async (_what, files) => {
    const line = await listed({ ...files, 'app/own.yaml': own(`"\${ROUTE}"`) });
    expect(line).toMatch(
      / not-rendered .* Not rendered: `\$\{ROUTE\}` in targetRefs\.0\.name of RetryPolicy shop\/own\./,
    );
  });

  it('have the type that Flux gives them', async () => {
    const counted = (value: string) => listed({ 'ks.yaml': inline, 'app/own.yaml': own('cart', `attempts: ${value}`) });
    expect(await counted(`\${COUNT}`)).toMatch(/ enforced /);
    expect(await counted(`"\${COUNT}"`)).toMatch(/ not-rendered /);
  });

  it('are left in files that refuse it, and where a dollar sign stands before them', async () => {
    const label = 'metadata: { labels: { kustomize.toolkit.fluxcd.io/substitute: disabled }, name: own';
    const disabled = own(`"\${ROUTE}"`).replace('metadata: { name: own', label);
    expect(await listed({ 'ks.yaml': inline, 'app/own.yaml': disabled })).toMatch(/ not-rendered /);
    expect(await listed({ 'ks.yaml': inline, 'app/own.yaml': own(`"$\${ROUTE}"`) })).toMatch(/ not-rendered /);
  });
});

describe('the reason of not-rendered', () => {
  it.each([
    [
      'the variable',
      {},
      own(`"\${ROUTE}"`),
      /Not rendered: `\$\{ROUTE\}` in targetRefs\.0\.name of RetryPolicy shop\/own\.$/,
    ],
    [
      'the release that may have the target',
      {
        'a.yaml': release('{ route: {} }'),
        'release.yaml': release('{ route: {} }').replace('name: app', 'name: nowhere'),
      },
      own('nowhere'),
      /Not rendered: HTTPRoute nowhere may come from HelmRelease shop\/nowhere\.$/,
    ],
    [
      'the patch',
      { 'app/kustomization.yaml': kustomize('patches: [{ path: p.yaml }]').replace('lost', 'own') },
      own('nowhere'),
      /Not rendered: patches in app\/kustomization\.yaml changes RetryPolicy shop\/own\.$/,
    ],
    [
      'the kustomization that does not list a file',
      { 'app/kustomization.yaml': kustomize(''), 'app/lost.yaml': own('nowhere').replace('own', 'lost') },
      own('nowhere'),
      /Not rendered: a list without own\.yaml in app\/kustomization\.yaml may leave out RetryPolicy shop\/own\.$/m,
    ],
    [
      'the annotation by which a deployer leaves out an object',
      {},
      own('nowhere').replace('metadata: {', 'metadata: { annotations: { argocd.argoproj.io/hook: Skip },'),
      /the annotation argocd\.argoproj\.io\/hook in app\/own\.yaml may leave out RetryPolicy shop\/own\.$/,
    ],
  ])('names %s', async (_what, files, policy, expected) => {
    expect((await listed({ ...files, 'app/own.yaml': policy })).trimEnd()).toMatch(expected);
  });

  it('names the variable of the target that decides', async () => {
    const refused = routes.replace('from: All', 'from: Same').replace('name: show,', `name: "\${RULE}",`);
    const line = await listed({ 'routes.yaml': [refused, retryPolicyDefinition].join('---'), 'own.yaml': own('cart') });
    expect(line).toMatch(/Not rendered: `\$\{RULE\}` in rules\.0\.name of HTTPRoute shop\/cart\./);
  });
});
