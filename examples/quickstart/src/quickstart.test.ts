import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { describeOutput, specsBelowTwoGateways } from '@policy-machinery/golden-output';
import { readManifests } from '@policy-machinery/resource/node';
import { type Colors, colorsFor } from '@policy-machinery/text';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { RateLimitPolicy, TimeoutPolicy } from './policy-kinds.ts';
import { report } from './report.ts';

const numbers: Readonly<Record<number, string>> = { 11: 'eleven', 12: 'twelve', 13: 'thirteen' };

async function reportIn(colors: Colors): Promise<string> {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy, RateLimitPolicy] });
  const manifests = await readManifests(fileURLToPath(new URL('../manifests', import.meta.url)));
  topology.apply({ upsert: manifests });
  const kinds = [effectivePolicies(topology, TimeoutPolicy), effectivePolicies(topology, RateLimitPolicy)];
  expect([...topology.issues, ...kinds.flatMap(({ issues }) => issues)]).toEqual([]);
  return report(kinds, colors);
}

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says for each rule in each context what applies, who set it, and what lost',
  reportIn,
);

describe('the output', () => {
  it('is the output in the README at the root of the repository', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    const [, excerpt = 'no excerpt'] = /<!-- excerpt of .* -->\n```text\n([^`]*)```/.exec(readme) ?? [];
    const output = await reportIn(colorsFor({}, {}));
    expect(output).toContain(excerpt);
    expect(readme).toContain(`all ${numbers[output.split('\n\n').length]} route rules`);
  });
});

describe('a route below two Gateways', () => {
  it('has the values of the policy of each Gateway below it', () => {
    const applying = specsBelowTwoGateways(TimeoutPolicy, {
      public: { overrides: { request: '500s' } },
      internal: { overrides: { request: '5s' } },
    });
    expect(applying).toEqual({ public: [{ request: '500s' }], internal: [{ request: '5s' }] });
  });
});
