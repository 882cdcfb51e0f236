import { gatewayApi } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { newGateway, newGatewayClass } from './gateways.ts';
import { newGrant } from './grants.ts';
import { newListenerSet } from './medley-edits.ts';
import { AccessPolicy, ClientPolicy, GuardPolicy, HousePolicy, LogPolicy, Tier } from './medley-kinds.ts';
import { medleyHabits, newMedleyPolicy } from './medley-policies.ts';
import { newNamespace } from './namespaces.ts';
import { backendHabits, newPolicy, trafficHabits } from './policies.ts';
import { newRoute } from './routes.ts';
import { newService } from './services.ts';
import type { Workload } from './workload.ts';
import { workloadKinds } from './workload-kinds.ts';
import { createWorld, type SeedOptions } from './world.ts';

/**
 * About twenty resources in which whatever is hard comes about, at the latest when {@link randomChanges} has made some changes
 * with all of its `edits`: ListenerSets, delegation, a mesh with its virtual resources, ReferenceGrants, policies that select
 * or are named, in other namespaces and in none, on targets that another controller manages, of six kinds with merges of their own.
 *
 * @param options The seed.
 */
export function medley(options: SeedOptions = {}): Workload {
  const world = createWorld(options);
  const { random, state } = world;
  const add = (count: number, make: (index: number) => KubernetesObject | undefined): void => {
    for (let index = 0; index < count; index += 1) {
      const made = make(index);
      if (made !== undefined) state.upsert(made);
    }
  };
  const anyNamespace = (): string => `ns-${random.int(2)}`;
  add(1, () => newGatewayClass(world));
  for (const name of ['prod', 'dev']) add(1, () => world.server.create(Tier, { name }));
  add(2, (index) => newNamespace(world, `ns-${index}`));
  add(2, (index) => newGateway(world, `gw-${index}`, anyNamespace(), 2));
  add(1, (index) => newListenerSet(world, `set-${index}`));
  add(3, (index) => newService(world, `svc-${index}`, anyNamespace()));
  add(1, (index) => newGrant(world, `grant-${index}`, anyNamespace()));
  add(3, (index) => newRoute(world, `route-${index}`, 2));
  add(4, (index) => newPolicy(world, `policy-${index}`, index % 2 === 0 ? trafficHabits : backendHabits));
  for (const habits of medleyHabits) {
    add(1, (index) => newMedleyPolicy(world, `${habits.kind.kind.toLowerCase()}-${index}`, habits));
  }
  return {
    targetKinds: [
      ...gatewayApi({ delegation: true, mesh: true, whileDeleting: random.pick(['counts', 'is-gone']) }),
      Tier,
    ],
    policyKinds: [...workloadKinds, AccessPolicy, ClientPolicy, HousePolicy, GuardPolicy, LogPolicy],
    resources: state.all,
  };
}
