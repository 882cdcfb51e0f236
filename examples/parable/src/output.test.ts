import { describeOutput, specsBelowTwoGateways } from '@policy-machinery/golden-output';
import type { Colors } from '@policy-machinery/text';
import { describe, expect, it } from 'vitest';
import { cluster } from './cluster.fixture.ts';
import { RetryPolicy } from './retry-policy.ts';
import { tell } from './story.ts';

async function told(colors: Colors): Promise<string> {
  return tell(await cluster(), colors);
}

describeOutput(new URL('../output.golden.txt', import.meta.url), 'tells the parable', told);

describe('a route below two Gateways', () => {
  it('has the values of the policy of each Gateway below it', () => {
    const applying = specsBelowTwoGateways(RetryPolicy, {
      public: { overrides: { attempts: 50 } },
      internal: { overrides: { attempts: 5 } },
    });
    expect(applying).toEqual({ public: [{ attempts: 50 }], internal: [{ attempts: 5 }] });
  });
});
