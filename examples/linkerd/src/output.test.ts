import { effectivePolicies } from '@policy-machinery/effective-policy';
import { describeOutput } from '@policy-machinery/golden-output';
import { describe, expect, it } from 'vitest';
import { cluster, policyKinds } from './cluster.ts';
import { report } from './report.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says what applies to each Server, and what became of each policy',
  async (colors) => report(await cluster(), colors),
);

describe('the manifests', () => {
  it('are without faults', async () => {
    const topology = await cluster();
    const views = policyKinds.map((kind) => effectivePolicies<unknown>(topology, kind));
    expect([topology, ...views].flatMap(({ issues }) => issues)).toEqual([]);
  });
});
