import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from './changes/cli.fixture.ts';
import { flux, lint, release } from './changes/gitops.fixture.ts';

const house = retries('infra/house', 'Gateway public', 'attempts: 3');
const lost = retries('shop/lost', 'HTTPRoute nowhere', 'attempts: 5');
const deploy = { 'routes.yaml': [routes, retryPolicyDefinition, house].join('\n---\n') };

describe('files that are something else', () => {
  const others = {
    'values.yaml': 'replicas: 2\n',
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'playbook.yml': '- hosts: all\n  tasks: []\n',
    'esphome.yaml': 'wifi: { ssid: !secret name }\n',
    'package.json': '{ "name": "x" }',
  };
  /** Files that share version, kind or syntax with Kubernetes objects, and are of other programs. */
  const lookalikes = {
    'machine.yaml': 'machine: { install: {} }\n---\napiVersion: v1alpha1\nkind: BridgeConfig\nname: br0\n',
    'kind.yaml': 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: [{ role: worker }]\n',
    'overrides.yaml': 'apiVersion: v1\nspec: { containers: [{ name: debug }] }\n',
    'datasources.json': '{ "apiVersion": 1, "datasources": [{ "type": "prometheus" }] }',
    'server.yaml': 'server: { bind: ":80" }\nmetadata:\n  folder: /data\n',
    'settings.json': '// for the editor\n{ "tabs": 2, }',
    'lambda.yaml': 'wifi: !secret name\n? [list]\n: 1\n',
    'dashboard/config.yaml': 'services:\n  - title: {{TITLE}}\n    {{ITEMS}}\n',
    'Taskfile.yaml':
      'version: "3"\ntasks:\n  apply: |\n    cat <<EOF\n    apiVersion: v1\n    kind: Pod\n    metadata: { name: x }\n',
  };

  it('are skipped in one line', async () => {
    const { exitCode, items } = await lint({ ...deploy, ...others });
    expect([exitCode, items.map(({ code }) => code)]).toEqual([0, ['no-manifest']]);
    expect(items[0]?.message).toMatch(/^5 files without Kubernetes objects are skipped: .*Chart\.yaml/);
  });

  it.each(Object.entries(lookalikes))('are skipped if only their form is alike: %s', async (name, text) => {
    const { exitCode, items } = await lint({ ...deploy, [name]: text });
    expect([exitCode, items]).toEqual([
      0,
      [expect.objectContaining({ code: 'no-manifest', message: expect.stringContaining(name) })],
    ]);
  });

  it.each(['kustomization.yaml', 'shop.policy-test.yaml'])(
    'are read if they contain Kubernetes objects, which kubectl applies whatever the name of their file is: %s',
    async (name) => {
      const object = retries('shop/own', 'HTTPRoute nowhere', 'attempts: 1');
      for (const text of [object, `resources: [routes.yaml]\n---\n${object}`]) {
        const { items } = await lint({ ...deploy, [name]: text });
        expect(items).toEqual([expect.objectContaining({ code: 'not-in-input' })]);
      }
    },
  );

  it.each(['kustomization.yaml', 'shop.policy-test.yaml'])(
    'are errors if an object that kubectl applies cannot be read, whatever the name of their file is: %s',
    async (name) => {
      const twice = retries('shop/own', 'HTTPRoute nowhere', 'attempts: 1\nattempts: 2');
      const { exitCode, items } = await lint({ ...deploy, [name]: `resources: [routes.yaml]\n---\n${twice}` });
      expect([exitCode, items.map(({ code }) => code)]).toEqual([1, ['duplicate-key']]);
    },
  );

  it('are told apart in time that grows with the file', async () => {
    const documents = 'apiVersion: v1alpha1\nkind: LinkConfig\nname: a\n---\na: 1\n---\n'.repeat(8_000);
    const { items } = await lint({ ...deploy, 'machine.yaml': documents });
    expect(items).toEqual([expect.objectContaining({ code: 'no-manifest' })]);
  });

  it('are errors if they are routes or policies without their metadata', async () => {
    const route = 'apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nspec: {}\n';
    const policy = 'apiVersion: policies.example.com/v1\nkind: RetryPolicy\nspec: { targetRefs: [] }\n';
    for (const text of [route, policy]) {
      const { items } = await lint({ ...deploy, 'nameless.yaml': text });
      expect(items).toEqual([
        expect.objectContaining({ message: expect.stringContaining('metadata.name is missing') }),
      ]);
    }
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

describe('declarations of one object in a repository for several clusters', () => {
  const main = retries('shop/own', 'HTTPRoute cart', 'attempts: 1');
  const test = retries('shop/own', 'HTTPRoute nowhere', 'attempts: 2');
  const clusters = { ...deploy, 'clusters/main/own.yaml': main, 'clusters/test/own.yaml': test };

  it('are not an error if different renderers apply them, and no verdict rests on the second', async () => {
    const { exitCode, items } = await lint({
      ...clusters,
      'clusters/main/kustomization.yaml': 'resources: [own.yaml]',
      'clusters/test/kustomization.yaml': 'resources: [own.yaml]',
    });
    expect([exitCode, items]).toEqual([
      0,
      [
        expect.objectContaining({
          code: 'not-rendered',
          message: expect.stringContaining('another declaration of the same object in clusters/test/own.yaml'),
        }),
      ],
    ]);
  });

  it.each([
    ['one kustomization', { 'kustomization.yaml': 'resources: [clusters/main/own.yaml, clusters/test/own.yaml]' }],
    ['one path of Flux', { 'flux/ks.yaml': flux('prune: true', './clusters') }],
  ])('are an error where %s applies both', async (_what, files) => {
    expect((await lint({ ...clusters, ...files })).codes).toContain('duplicate-resource');
  });
});

describe('a comparison of files that are not rendered', () => {
  const own = retries('shop/own', 'HTTPRoute cart', 'attempts: 5');
  const chart = release('{ route: { main: { parentRefs: [{ name: public }] } } }');
  const withoutCart = routes
    .split('\n---\n')
    .filter((route) => !route.includes('name: cart'))
    .join('\n---\n');
  const [gateway, ...more] = [routes, retryPolicyDefinition, house, own];
  const sides = (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) =>
    folderWith(
      Object.fromEntries(
        Object.entries({ before, after }).flatMap(([side, files]) =>
          Object.entries(files).map(([path, text]) => [`${side}/${path}`, text]),
        ),
      ),
    );

  it('reports unrendered input once, and does not treat the number of files as a change', async () => {
    const all = { 'all.yaml': [gateway, ...more].join('\n---\n'), 'app/kustomization.yaml': 'namespace: shop' };
    const folder = sides(all, { ...all, 'values.yaml': 'a: 1\n', 'other/kustomization.yaml': 'namespace: parcels' });
    const { code, stdout, stderr } = await folder.gwpolicy('diff', '@before', '@after');
    expect([code, stdout]).toEqual([0, 'Nothing changes for any policy.\n']);
    expect(stderr.match(/Not rendered/g)).toHaveLength(1);
  });

  it('does not report a policy as lost if its route goes into a chart, and reports that the route is gone', async () => {
    const folder = sides(
      { 'all.yaml': [gateway, ...more].join('\n---\n'), 'chart.yaml': chart },
      { 'all.yaml': [withoutCart, ...more].join('\n---\n'), 'chart.yaml': chart },
    );
    const { code, stdout } = await folder.gwpolicy('diff', '@before', '@after', '--fail-on', 'lost');
    expect(code).toBe(0);
    expect(stdout).toMatch(/RetryPolicy shop\/own +enforced +→ +not-rendered/);
    expect(stdout).toMatch(
      /HTTPRoute shop\/cart\n {2}RetryPolicy through Gateway infra\/public#http, gone with the target\n\n/,
    );
  });

  it('keeps the results about unchanged files in impact', async () => {
    const folder = sides(
      { 'all.yaml': [withoutCart, ...more].join('\n---\n'), 'chart.yaml': chart },
      { 'own.yaml': own.replace('5', '6') },
    );
    const { stdout } = await folder.gwpolicy('impact', '-f', '@after/own.yaml', '--against', '@before');
    expect(stdout).toBe('Nothing changes for any policy.\n');
  });
});

describe('kustomizations that include one another', () => {
  it('are followed once each, also where many ways lead to each', async () => {
    const levels = Array.from({ length: 60 }, (_, level) => [
      `${level}/a/kustomization.yaml`,
      `resources: [../../${level + 1}/a, ../../${level + 1}/b]`,
    ]);
    const others = levels.map(([path = '', text = '']) => [path.replace('/a/', '/b/'), text]);
    const circle = {
      '60/a/kustomization.yaml': 'resources: [../../0/a]',
      '60/b/kustomization.yaml': 'resources: [../a]',
    };
    const { exitCode, codes } = await lint({ ...deploy, ...Object.fromEntries([...levels, ...others]), ...circle });
    expect([exitCode, codes]).toEqual([0, []]);
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
