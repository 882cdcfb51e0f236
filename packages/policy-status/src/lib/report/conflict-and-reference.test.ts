import { atomic } from '@policy-machinery/merge';
import { bareSpec } from '@policy-machinery/policy-kind';
import { describe, expect, it } from 'vitest';
import { cluster, gateway, ref, route, timeoutKind, timeouts } from '../cluster.fixture.ts';
import { reportPolicies } from './policy-report.ts';

const kind = timeoutKind('TimeoutPolicy', {
  stanzas: bareSpec({ strategies: { atomic } }),
  extensionRefs: true,
  sameLevel: 'reject-newer',
});

/** The outcomes of two policies on a rule that also names the newer one. */
function outcomesBelow(parents: readonly string[]): Record<string, string> {
  const extensionRef = { group: kind.group, kind: kind.kind, name: 'newer' };
  const lone = {
    ...route('cart', parents),
    spec: {
      parentRefs: parents.map(ref),
      rules: [{ name: 'pay', filters: [{ type: 'ExtensionRef', extensionRef }] }],
    },
  };
  const policies = ['older', 'newer'].map((name, seconds) =>
    timeouts(name, ['HTTPRoute cart#pay'], { request: seconds }, { seconds }),
  );
  const { effective } = cluster(kind, gateway('edge'), lone, ...policies);
  return Object.fromEntries(
    reportPolicies(effective).map(({ policy, outcome }) => [policy.resource.metadata.name, outcome]),
  );
}

describe('a policy in conflict on a rule that also names the policy', () => {
  it('is reported as in conflict where no path leads to the rule', () => {
    expect(outcomesBelow([])).toEqual({ older: 'not-in-any-path', newer: 'conflicted' });
  });

  it('is in force by the reference where a path leads to the rule', () => {
    expect(outcomesBelow(['Gateway edge'])).toEqual({ older: 'overridden', newer: 'partly-enforced' });
  });
});
