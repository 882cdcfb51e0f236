import { describeOutput, specsBelowTwoGateways } from '@policy-machinery/golden-output';
import { describe, expect, it } from 'vitest';
import { DefaultsAndOverrides } from './color-policies.ts';
import { examples } from './examples.ts';
import { report } from './report.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'has the 25 outcomes that GEP-713 expects of its three examples',
  async (colors) => report(await examples(), colors),
);

describe('the manifests', () => {
  it('are without faults', async () => {
    const all = await examples();
    expect(all.flatMap(({ effective }) => [...effective.topology.issues, ...effective.issues])).toEqual([]);
  });
});

describe('a route below two Gateways', () => {
  it('has the values of the policy of each Gateway below it', () => {
    const applying = specsBelowTwoGateways(DefaultsAndOverrides, {
      public: { overrides: { color: 'blue' } },
      internal: { overrides: { color: 'red' } },
    });
    expect(applying).toEqual({ public: [{ color: 'blue' }], internal: [{ color: 'red' }] });
  });
});
