import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { readManifests } from '@policy-machinery/resource/node';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { colorsFor } from './colors.ts';
import { RateLimitPolicy, TimeoutPolicy } from './policy-kinds.ts';
import { report } from './report.ts';

const terminal = { isTTY: true };
const numbers: Readonly<Record<number, string>> = { 11: 'eleven', 12: 'twelve', 13: 'thirteen' };
const pipe = {};

async function reportFor(stream: { readonly isTTY?: boolean }, env: Record<string, string>): Promise<string> {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy, RateLimitPolicy] });
  const manifests = await readManifests(fileURLToPath(new URL('../manifests', import.meta.url)));
  topology.apply({ upsert: manifests });
  const kinds = [effectivePolicies(topology, TimeoutPolicy), effectivePolicies(topology, RateLimitPolicy)];
  expect([...topology.issues, ...kinds.flatMap(({ issues }) => issues)]).toEqual([]);
  return report(kinds, colorsFor(stream, env));
}

describe('the report', () => {
  it('says for each rule in each context what applies, who set it, and what lost', async () => {
    await expect(await reportFor(pipe, {})).toMatchFileSnapshot('../output.golden.txt');
  });

  it('is what the README at the root of the repository shows', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    const [, excerpt = 'no excerpt'] = /<!-- excerpt of .* -->\n```text\n([^`]*)```/.exec(readme) ?? [];
    const output = await reportFor(pipe, {});
    expect(output).toContain(excerpt);
    expect(readme).toContain(`one rule of ${numbers[output.split('\n\n').length]}`);
  });

  it('is coloured on a terminal', async () => {
    expect(await reportFor(terminal, {})).toContain('\u001b[');
  });

  it.each([
    ['a pipe', pipe, {}],
    ['a pipe in CI', pipe, { CI: 'true' }],
    ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }],
    ['a dumb terminal', terminal, { TERM: 'dumb' }],
  ] as const)('is plain on %s', async (_name, stream, env) => {
    expect(await reportFor(stream, env)).not.toContain('\u001b[');
  });

  it('says the same with colours as without', async () => {
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    expect((await reportFor(terminal, {})).replaceAll(escapes, '')).toBe(await reportFor(pipe, {}));
  });
});
