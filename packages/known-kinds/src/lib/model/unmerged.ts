import { shallow } from '@policy-machinery/merge';
import {
  bareSpec,
  definePolicyKind,
  type Layer,
  type Policy,
  type PolicyKind,
  type PolicyKindDefinition,
  type PolicyReading,
} from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import type { StandardSchemaV1 } from '@standard-schema/spec';

/**
 * Declares a policy kind with unknown merging. Its policies are not merged: the effective spec of a context has one field for each
 * policy that the context meets, `namespace/name`, with the whole spec of that policy. Nothing is lost, and nothing prevails.
 *
 * @param definition The kind, without rules for merging.
 * @returns The policy kind.
 * @example
 * ```ts
 * const route = effectivePolicies(topology, kind).exactlyOne('httproute.gateway.networking.k8s.io:shop/checkout');
 * route?.spec; // { 'infra/all-routes': { attempts: 3 }, 'shop/checkout': { attempts: 1 } }
 * ```
 */
export function unmergedKind(
  definition: Omit<PolicyKindDefinition<StandardSchemaV1<JsonObject>>, 'stanzas'>,
): PolicyKind<JsonObject> {
  const { check: _ofOneSpec, ...kind } = definePolicyKind({
    ...definition,
    stanzas: bareSpec({ strategies: { shallow }, strategyField: false }),
  });
  return { ...kind, read: (resource) => keyed(kind.read(resource)) };
}

/** Puts the spec of each layer below the name of its policy, so that two policies never set the same field. */
function keyed({ policy, issues }: PolicyReading<JsonObject>): PolicyReading<JsonObject> {
  if (policy === undefined) return { policy, issues };
  const layers: Layer<JsonObject>[] = [];
  const named: Policy<JsonObject> = { ...policy, layers };
  for (const layer of policy.layers) layers.push({ ...layer, policy: named, spec: { [policy.name]: layer.spec } });
  return { policy: named, issues };
}
