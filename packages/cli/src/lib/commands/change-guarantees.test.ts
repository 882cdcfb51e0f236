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
    ['breaks', '@with', '@without', 1, 'retried  holds  →  broken  GET http://example.com/pay meets no RetryPolicy'],
    ['restores', '@without', '@with', 0, 'retried  broken  →  holds'],
  ])('says which guarantees a change %s', async (_, before, after, code, line) => {
    const folder = folderWith(files);
    const diff = await folder.gwpolicy('diff', before, after, '--guarantees', '@g.yaml', '--fail-on', 'lost');
    expect([diff.code, diff.stdout]).toEqual([code, expect.stringContaining(line)]);
  });

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

  it('says nothing about guarantees whose answer stays the same', async () => {
    const { code, stdout } = await folderWith(files).gwpolicy('diff', '@with', '@with', '--guarantees', '@g.yaml');
    expect([code, stdout]).toEqual([0, 'Nothing changes for any policy.\n']);
  });
});
