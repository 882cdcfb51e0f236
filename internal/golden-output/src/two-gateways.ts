import { type EffectivePolicies, effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';

const { gateway, httpRoute, policy, service } = createFixtures({ namespace: 'shop' });

/** The Gateways `shop/public` and `shop/internal`, the route `shop/cart` below both, and its Service. */
export const twoGateways: readonly KubernetesObject[] = [
  gateway('public'),
  gateway('internal'),
  httpRoute('cart', { parents: ['public', 'internal'], rules: [{ name: 'all', backends: ['cart'] }] }),
  service('cart'),
];

/** Creates a policy of a kind on each of the two Gateways, of the same name, with the given specs. */
export function onTwoGateways(
  kind: PolicyKind<unknown>,
  specs: Readonly<Record<'public' | 'internal', JsonObject>>,
): readonly KubernetesObject[] {
  return twoGateways.slice(0, 2).map((on) => policy(kind, on.metadata.name, { on, spec: specs[nameOf(on)] }));
}

function nameOf({ metadata: { name } }: KubernetesObject): 'public' | 'internal' {
  return name === 'public' ? 'public' : 'internal';
}

/** Returns the effective policies of `shop/cart` below two Gateways with a policy on each: the specs by the name of the Gateway. */
export function specsBelowTwoGateways<Spec>(
  kind: PolicyKind<Spec>,
  specs: Readonly<Record<'public' | 'internal', JsonObject>>,
): Readonly<Record<string, readonly Spec[]>> {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [kind] });
  topology.apply({ upsert: [...twoGateways, ...onTwoGateways(kind, specs)] });
  return specsByGateway(effectivePolicies(topology, kind));
}

/** Returns the different effective specs by the name of the Gateway on the way to the target. */
export function specsByGateway<Spec>(effective: EffectivePolicies<Spec>): Readonly<Record<string, readonly Spec[]>> {
  const below: Record<string, Map<string, Spec>> = {};
  for (const policy of effective) {
    const onTheWay = [...policy.paths()].flat().filter(({ ref }) => ref.kind === 'Gateway');
    const name = [...new Set(onTheWay.map(({ ref }) => ref.name))].join(' and ');
    below[name] ??= new Map();
    below[name].set(JSON.stringify(policy.spec), policy.spec);
  }
  return Object.fromEntries(Object.entries(below).map(([name, specs]) => [name, [...specs.values()]]));
}
