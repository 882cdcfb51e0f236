import { gatewayApi, listenerStatuses, routeStatuses } from '@policy-machinery/gateway-api';
import { findPolicyKinds } from '@policy-machinery/known-kinds';
import { type KubernetesObject, refOf } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { worldOf } from '../../../../packages/known-kinds/src/lib/tables/world.fixture.ts';
import type { Expected } from './expected.ts';

/** Returns what the library says about some objects, with the kinds of the table. */
export function answersFor(resources: readonly KubernetesObject[]): Required<Expected> {
  const { specs, outcomes, ancestors, issues, effective } = worldOf(...resources);
  return {
    specs,
    outcomes,
    ancestors,
    issues: issues.map(({ severity, pointer = '' }) => `${severity} ${pointer}`),
    losses: effective.flatMap((it) => it.losses.map(({ layer, pointer }) => `${layer.policy.name} ${pointer}`)),
    notes: findPolicyKinds({ resources }).kinds.flatMap(({ notes }) => notes),
    ...statusesOf(resources),
  };
}

function statusesOf(resources: readonly KubernetesObject[]): Pick<Required<Expected>, 'attachedRoutes' | 'accepted'> {
  const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [] });
  topology.apply({ upsert: resources });
  const attachedRoutes: Record<string, number> = {};
  const accepted: Record<string, string> = {};
  for (const object of resources) {
    const ref = refOf(object, 'Namespaced');
    const name = `${ref.kind} ${ref.namespace}/${ref.name}`;
    if (ref.kind === 'Gateway' || ref.kind === 'ListenerSet') {
      for (const listener of listenerStatuses(topology, ref))
        attachedRoutes[`${name}#${listener.name}`] = listener.attachedRoutes;
    }
    const [parent] = /^(?:HTTP|GRPC)Route$/.test(ref.kind) ? routeStatuses(topology, ref) : [];
    const condition = parent?.conditions.find(({ type }) => type === 'Accepted');
    if (condition !== undefined)
      accepted[name] = condition.status === 'True' ? 'True' : `${condition.status}/${condition.reason}`;
  }
  return { attachedRoutes, accepted };
}
