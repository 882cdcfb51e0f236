import { describeOutput, specsBelowTwoGateways } from '@policy-machinery/golden-output';
import { describe, expect, it } from 'vitest';
import { ClientSettingsPolicy } from './client-settings-policy.ts';
import { cluster } from './cluster.ts';
import { report } from './report.ts';

describeOutput(
  new URL('../output.golden.txt', import.meta.url),
  'says for each route what applies, and what the status of each policy says',
  async (colors) => report(await cluster(), colors),
);

describe('a route below two Gateways', () => {
  it('has the values of the policy of each Gateway below it', () => {
    const applying = specsBelowTwoGateways(ClientSettingsPolicy, {
      public: { body: { maxSize: '500m' } },
      internal: { body: { maxSize: '5m' } },
    });
    expect(applying).toEqual({ public: [{ body: { maxSize: '500m' } }], internal: [{ body: { maxSize: '5m' } }] });
  });
});
