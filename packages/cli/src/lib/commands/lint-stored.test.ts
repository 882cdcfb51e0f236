import { describe, expect, it } from 'vitest';
import { folderWith, retries, retryPolicyDefinition, routes } from '../changes/cli.fixture.ts';

/** Objects of files are as the API server stores them, by the definition of their kind. */
describe('gwpolicy with a policy that the API server would store otherwise', () => {
  const typo = retries('shop/own', 'HTTPRoute cart', 'attemtps: 5\nperTry: 2s');
  const nothing = retries('shop/own', 'HTTPRoute cart', 'attempts: null\nperTry: 2s');

  const lint = async (files: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const { stdout, code } = await folderWith(files).gwpolicy('lint', '-f', '@/all', '-R', '-o', 'json', ...args);
    const items: { code: string; message: string; position: { source: string; line: number } }[] =
      JSON.parse(stdout).items;
    return { code, items: items.map(({ code, message, position }) => ({ code, message, line: position.line })) };
  };

  it.each([
    ['in the same file', { 'all/a.yaml': [routes, retryPolicyDefinition, typo].join('\n---\n') }, []],
    ['in another file', { 'all/a.yaml': retryPolicyDefinition, 'all/b.yaml': `${routes}\n---\n${typo}` }, []],
    [
      'in a file of --kinds',
      { 'crd.yaml': retryPolicyDefinition, 'all/b.yaml': `${routes}\n---\n${typo}` },
      ['--kinds', '@/crd.yaml'],
    ],
  ])('reports a field that the definition does not name, at its line: a definition %s', async (_where, files, args) => {
    const { code, items } = await lint(files, ...args);
    const text = Object.entries(files).find(([, it]) => it.includes('attemtps'))?.[1] ?? '';
    const line = text.slice(0, text.indexOf('attemtps')).split('\n').length;
    const message =
      'the field attemtps is unknown, and the API server drops it; remove it, or correct its name; did you mean attempts?';
    expect(items).toEqual([{ code: 'unknown-field', message, line }]);
    expect(code).toBe(1);
  });

  it('counts the policy without that field', async () => {
    const folder = folderWith({ 'a.yaml': [routes, retryPolicyDefinition, typo].join('\n---\n') });
    const { stdout } = await folder.gwpolicy('explain', 'httproute/cart', '-n', 'shop', '-f', '@');
    expect(stdout).toContain('perTry  2s  shop/own');
    expect(stdout).not.toContain('attemtps');
  });

  it('drops null in silence, as the API server does', async () => {
    const house = retries('infra/house', 'Gateway public', 'defaults: { strategy: patch, attempts: 3 }');
    const files = { 'a.yaml': [routes, retryPolicyDefinition, nothing, house].join('\n---\n') };
    const { stdout } = await folderWith(files).gwpolicy('explain', 'httproute/cart', '-n', 'shop', '-f', '@');
    expect(stdout).toMatch(/attempts +3 +infra\/house/);
    expect(await lint({ 'all/a.yaml': files['a.yaml'] })).toEqual({ code: 0, items: [] });
  });

  it('compares revisions of a folder as they would be stored', async () => {
    const before = [routes, retryPolicyDefinition, retries('shop/own', 'HTTPRoute cart', 'perTry: 2s')].join('\n---\n');
    const after = [routes, retryPolicyDefinition, nothing].join('\n---\n');
    const other = after.replace('attempts: null', 'attempts: 1');
    const folder = folderWith({ 'before/a.yaml': before, 'after/a.yaml': after, 'other/a.yaml': other });
    expect((await folder.gwpolicy('diff', '@/before', '@/other')).code).toBe(1);
    const { code } = await folder.gwpolicy('diff', '@/before', '@/after');
    expect(code).toBe(0);
  });
});
