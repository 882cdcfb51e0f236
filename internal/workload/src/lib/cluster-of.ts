import { gatewayApi } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { newGateway, newGatewayClass } from './gateways.ts';
import { newNamespace } from './namespaces.ts';
import { backendHabits, newPolicy, trafficHabits } from './policies.ts';
import { newRoute } from './routes.ts';
import { newService } from './services.ts';
import type { WorkloadSize } from './size.ts';
import type { Workload } from './workload.ts';
import { workloadKinds } from './workload-kinds.ts';
import { createWorld, type SeedOptions } from './world.ts';

/**
 * Makes a cluster of Gateway API resources and policies, as varied as real ones: some Gateways have many routes and policies,
 * most have few. Every listener to which a route refers lets it in, by namespace and by hostname; every policy is valid
 * and has its target; every backend exists.
 *
 * @param size How many of each; at least one namespace and one Gateway.
 * @param options The seed.
 * @returns The resources with {@link workloadKinds}. The reference size takes about a second.
 */
export function clusterOf(size: WorkloadSize, options: SeedOptions = {}): Workload {
  const world = createWorld(options);
  const { random, state } = world;
  const add = (count: number, make: (index: number) => KubernetesObject | undefined): void => {
    for (let index = 0; index < count; index += 1) {
      const made = make(index);
      if (made !== undefined) state.upsert(made);
    }
  };
  const anyNamespace = (): string => `ns-${random.int(size.namespaces)}`;

  add(1, () => newGatewayClass(world));
  // The first namespace is open to all Gateways that select, so that each of them has routes that it lets in.
  add(size.namespaces, (index) => newNamespace(world, `ns-${index}`, index === 0 ? 'shared' : undefined));
  add(size.gateways, (index) => newGateway(world, `gw-${index}`, anyNamespace(), size.listenersPerGateway));
  add(size.services, (index) =>
    newService(world, `svc-${index}`, index < size.namespaces ? `ns-${index}` : anyNamespace()),
  );
  add(size.routes, (index) => newRoute(world, `route-${index}`, size.rulesPerRoute));
  add(size.policies, (index) => newPolicy(world, `policy-${index}`, index % 2 === 0 ? trafficHabits : backendHabits));
  return { targetKinds: gatewayApi(), policyKinds: workloadKinds, resources: state.all };
}
