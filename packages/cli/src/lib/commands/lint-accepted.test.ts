import { describe, expect, it } from 'vitest';
import { folderWith } from '../changes/cli.fixture.ts';
import { bad, cors } from '../covering/shop.fixture.ts';

const accept = (entries: string) => `---
apiVersion: lint.policy-machinery/v1alpha1
kind: FindingAcceptance
metadata: { name: known }
spec: { accepted: [${entries}] }
`;
const annotated = (text: string) =>
  bad.replace(
    cors,
    cors.replace('namespace: shop }', `namespace: shop, annotations: { lint.policy-machinery/ignore: ${text} } }`),
  );

/** Returns the codes of a folder's findings, and how many are accepted. */
async function lint(files: Readonly<Record<string, string>>) {
  const { code, stdout } = await folderWith(files).gwpolicy('lint', '@', '-o', 'json');
  const { items, accepted = 0 } = JSON.parse(stdout) as { items: { code: string }[]; accepted?: number };
  return { exitCode: code, codes: items.map((item) => item.code), accepted };
}

describe('a finding', () => {
  it('is reported if nobody accepts it', async () => {
    expect(await lint({ 'a.yaml': bad })).toEqual({ exitCode: 1, codes: ['replaced-protection'], accepted: 0 });
  });

  it.each([
    ['an annotation', { 'a.yaml': annotated('"replaced-protection: the cart is public"') }],
    ['one line of an annotation', { 'a.yaml': annotated(JSON.stringify('overridden: a\nreplaced-protection: b')) }],
    [
      'a file',
      {
        'a.yaml': bad,
        'b.yaml': accept('{ code: replaced-protection, resource: SecurityPolicy shop/cors, reason: public }'),
      },
    ],
    ['a file, for all objects', { 'a.yaml': bad, 'b.yaml': accept('{ code: replaced-protection, reason: public }') }],
  ])('is accepted by %s', async (_what, files) => {
    expect(await lint(files)).toEqual({ exitCode: 0, codes: [], accepted: 1 });
  });

  it.each([
    ['lacks a reason', { 'a.yaml': annotated('"replaced-protection"') }, ['replaced-protection', 'invalid-acceptance']],
    [
      'has a misspelled code',
      { 'a.yaml': annotated('"replaced-protecton: a"') },
      ['replaced-protection', 'invalid-acceptance'],
    ],
    [
      'has a misspelled concern',
      { 'a.yaml': annotated('"overridden: a", coverage.policy-machinery/accept: "authentcation: a"') },
      ['replaced-protection', 'invalid-acceptance'],
    ],
    ['is about another code', { 'a.yaml': annotated('"overridden: a"') }, ['replaced-protection']],
    [
      'is about another object',
      {
        'a.yaml': bad,
        'b.yaml': accept('{ code: replaced-protection, resource: SecurityPolicy shop/other, reason: a }'),
      },
      ['replaced-protection', 'unused-acceptance'],
    ],
    [
      'has no reason in a file',
      { 'a.yaml': bad, 'b.yaml': accept('{ code: replaced-protection }') },
      ['replaced-protection', 'invalid-acceptance'],
    ],
  ])('is reported if the entry %s', async (_what, files, codes) => {
    expect(await lint(files)).toEqual({ exitCode: 1, codes, accepted: 0 });
  });

  it('is counted if it is accepted, and a change that accepts it is named', async () => {
    const text = '"replaced-protection: the cart is public"';
    const folder = folderWith({ 'before/a.yaml': bad, 'after/a.yaml': annotated(text) });
    const { stderr } = await folder.gwpolicy('lint', '@after');
    expect(stderr).toContain('1 more finding is accepted.');
    const { stdout } = await folder.gwpolicy('diff', '@before', '@after');
    expect(stdout).toMatch(
      /Checks that this changes\n +lint\.policy-machinery\/ignore of SecurityPolicy shop\/cors +added/,
    );
  });
});
