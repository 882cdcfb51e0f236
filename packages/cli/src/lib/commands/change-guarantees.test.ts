import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from '../changes/cli.fixture.ts';

const gateway = retries('infra/all', 'Gateway public', 'attempts: 3');
const files = {
  'with/all.yaml': [retryPolicyDefinition, routes, gateway].join('---'),
  'without/all.yaml': [retryPolicyDefinition, routes].join('---'),
  'g.yaml': `apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: retried }
spec: { holds: has(policies.RetryPolicy) }
`,
};

describe('--guarantees', () => {
  it.each([
    [
      'breaks',
      '@with',
      '@without',
      1,
      'retried  holds  →  broken  GET http://example.com/pay is taken by HTTPRoute shop/checkout#pay and meets no RetryPolicy',
    ],
    ['restores', '@without', '@with', 0, 'retried  broken  →  holds'],
  ])('says which guarantees a change %s', async (_, before, after, code, line) => {
    const folder = folderWith(files);
    const diff = await folder.gwpolicy('diff', before, after, '--guarantees', '@g.yaml', '--fail-on', 'lost');
    expect([diff.code, diff.stdout]).toEqual([code, expect.stringContaining(line)]);
  });

  it.each(['"tier" in before.route.namespaceLabels', '!("tier" in before.route.namespaceLabels)'])(
    'is undecided about the labels of a Namespace that a change declares: %s',
    async (holds) => {
      const namespaces = ['shop', 'parcels'].map(
        (name) => `---\napiVersion: v1\nkind: Namespace\nmetadata: { name: ${name}, labels: { tier: public } }\n`,
      );
      const folder = folderWith({
        'before/all.yaml': files['with/all.yaml'],
        'after/all.yaml': files['with/all.yaml'] + namespaces.join(''),
        'g.yaml': files['g.yaml'].replace('has(policies.RetryPolicy)', `'${holds}'`),
      });
      const hidden = ['parcels', 'shop'].map(
        (name) => `before the change, the labels of namespace ${name} are not in this input`,
      );
      const diff = await folder.gwpolicy('diff', '@before', '@after', '--guarantees', '@g.yaml', '-o', 'json');
      expect(JSON.parse(diff.stdout).guarantees).toMatchObject([{ brokenBy: [], hiddenBy: hidden }]);
      const verified = await folder.gwpolicy('verify', '-f', '@after', '--baseline', '@before', '@g.yaml');
      expect([verified.code, verified.stdout]).toEqual([4, expect.stringContaining(hidden.join('\n  '))]);
    },
  );

  it('says so before an object is deleted', async () => {
    const args = [
      'impact',
      '--remove',
      'RetryPolicy/all',
      '-n',
      'infra',
      '--against',
      '@with',
      '--guarantees',
      '@g.yaml',
    ];
    const { stdout } = await folderWith(files).gwpolicy(...args, '-o', 'json');
    expect(JSON.parse(stdout).guarantees).toMatchObject([{ guarantee: 'retried', before: 'holds', after: 'broken' }]);
  });

  describe('of a guarantee that is broken already', () => {
    const evil = routes.slice(routes.lastIndexOf('---')).replaceAll('track', 'evil');
    const regex = evil.replace(
      '{ type: PathPrefix, value: /evil }',
      '{ type: RegularExpression, value: "/evil/(?=a).*" }',
    );
    const opened = {
      ...files,
      'opened/all.yaml': files['without/all.yaml'] + evil,
      'hidden/all.yaml': files['without/all.yaml'] + regex,
    };
    const reason = 'GET http://example.com/evil is taken by HTTPRoute parcels/evil#all and meets no RetryPolicy';

    it('reports the requests that a change adds', async () => {
      const folder = folderWith(opened);
      const args = ['--guarantees', '@g.yaml', '--fail-on', 'lost'];
      const { code, stdout } = await folder.gwpolicy('diff', '@without', '@opened', ...args);
      expect([code, stdout]).toEqual([1, expect.stringContaining('1 guarantee is newly broken or undecided')]);
      expect(stdout).toContain(`retried  broken  →  broken  ${reason}`);
      expect(stdout).not.toContain('/pay');
      expect((await folder.gwpolicy('diff', '@opened', '@without', ...args)).code).toBe(0);
    });

    it('verify --baseline reports these alone', async () => {
      const folder = folderWith(opened);
      const verify = (input: string, before: string) =>
        folder.gwpolicy('verify', '-f', input, '--baseline', before, '@g.yaml', '-o', 'json');
      const added = await verify('@opened', '@without');
      expect(added.code).toBe(1);
      expect(JSON.parse(added.stdout).items).toMatchObject([
        { answer: 'broken', counterexamples: [{ request: { url: 'http://example.com/evil' } }] },
      ]);
      expect((await verify('@without', '@opened')).code).toBe(0);
      expect((await verify('@hidden', '@without')).code).toBe(4);
    });
  });

  it('says nothing about guarantees with an unchanged answer', async () => {
    const { code, stdout } = await folderWith(files).gwpolicy('diff', '@with', '@with', '--guarantees', '@g.yaml');
    expect([code, stdout]).toEqual([0, 'Nothing changes for any policy.\n']);
  });
});
