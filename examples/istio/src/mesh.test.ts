import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { beforeAll, describe, expect, it } from 'vitest';
import { AuthorizationPolicy } from './authorization.ts';
import { cluster } from './cluster.ts';
import { PeerAuthentication, Telemetry } from './inherited.ts';

const policy = (kind: PolicyKind<unknown>, where: string, created: string, spec: object): KubernetesObject => {
  const [namespace = '', name = ''] = where.split('/');
  const metadata = { namespace, name, creationTimestamp: `2026-02-${created}T09:00:00Z` };
  return {
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata,
    spec: spec as KubernetesObject['spec'],
  };
};
const workload = { matchLabels: { app: 'ledger' } };
const ledger = 'pod:payments/ledger-0';

let base: Awaited<ReturnType<typeof cluster>>;
beforeAll(async () => {
  base = await cluster();
});

/** The effective policies after all others of their kind have been replaced. */
function effective<Spec>(kind: PolicyKind<Spec>, ...policies: readonly KubernetesObject[]): EffectivePolicies<Spec> {
  const remove = base.policies(kind).map(({ resource }) => resource);
  return effectivePolicies(base.with({ remove, upsert: policies }).topology, kind);
}

describe('AuthorizationPolicy', () => {
  it('counts wherever it applies, by action, besides all others (I-04)', () => {
    const [merged] = effective(
      AuthorizationPolicy,
      policy(AuthorizationPolicy, 'payments/b', '02', { selector: workload, rules: [{}] }),
      policy(AuthorizationPolicy, 'payments/a', '01', { action: 'ALLOW' }),
      policy(AuthorizationPolicy, 'istio-system/c', '03', { action: 'DENY', rules: [{}] }),
      policy(AuthorizationPolicy, 'shop/elsewhere', '01', { action: 'DENY' }),
    ).of(ledger);
    expect(JSON.stringify(merged?.spec)).toBe(
      '{"DENY":{"istio-system/c":{"rules":[{}]}},"ALLOW":{"payments/a":{},"payments/b":{"rules":[{}]}}}',
    );
    expect(merged?.losses).toEqual([]);
  });

  it('is invalid with another action', () => {
    const { issues } = effective(AuthorizationPolicy, policy(AuthorizationPolicy, 'shop/x', '01', { action: 'WARN' }));
    expect(issues.map(({ pointer }) => pointer)).toEqual(['/spec/action']);
  });
});

describe('PeerAuthentication (I-05)', () => {
  const peer = (where: string, created: string, mode: string | undefined, more = {}) =>
    policy(PeerAuthentication, where, created, { ...(mode && { mtls: { mode } }), ...more });

  it.each<[string, readonly KubernetesObject[], string | undefined]>([
    ['that of the workload', [peer('payments/w', '03', 'DISABLE', { selector: workload })], 'DISABLE'],
    ['else that of the namespace', [peer('payments/w', '03', 'UNSET', { selector: workload })], 'STRICT'],
    ['the older one of two', [peer('payments/late', '04', 'DISABLE')], 'STRICT'],
  ])('gives a workload the mode of the most specific policy: %s', (_, more, mode) => {
    const all = [peer('istio-system/m', '01', 'PERMISSIVE'), peer('payments/n', '02', 'STRICT'), ...more];
    expect(effective(PeerAuthentication, ...all).of(ledger)[0]?.spec.mtls?.mode).toBe(mode);
  });

  it('selects nothing in the root namespace', () => {
    const all = effective(PeerAuthentication, peer('istio-system/w', '01', 'STRICT', { selector: workload }));
    expect(all.of(ledger)).toEqual([]);
    expect(all.topology.issues.map(({ pointer }) => pointer)).toEqual(['/spec/selector']);
  });
});

describe('Telemetry (I-06)', () => {
  it('takes each setting of a direction from the most specific policy that has it', () => {
    const telemetry = (where: string, created: string, tracing: readonly object[], more = {}) =>
      policy(Telemetry, where, created, { tracing, ...more });
    const [merged] = effective(
      Telemetry,
      telemetry('istio-system/m', '01', [
        { randomSamplingPercentage: 1 },
        { match: { mode: 'CLIENT' }, randomSamplingPercentage: 5 },
      ]),
      telemetry('payments/n', '02', [{ match: { mode: 'SERVER' }, customTags: { a: {}, b: {} } }]),
      telemetry('payments/w', '03', [{ customTags: { c: {} } }], { selector: workload }),
    ).of(ledger);
    expect(merged?.spec.tracing).toEqual({
      CLIENT: { randomSamplingPercentage: 5, customTags: { c: {} } },
      SERVER: { randomSamplingPercentage: 1, customTags: { c: {} } },
    });
  });
});
