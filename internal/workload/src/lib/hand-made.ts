import { gatewayApi } from '@policy-machinery/gateway-api';
import { type JsonObject, type KubernetesObject, objectsIn, specOf } from '@policy-machinery/resource';
import { gatewayWith, newGatewayClass, portListener } from './gateways.ts';
import { newNamespace } from './namespaces.ts';
import { type PolicyHabits, policyOn } from './policies.ts';
import { routeWith } from './routes.ts';
import { newService } from './services.ts';
import { targetRefTo } from './targets.ts';
import type { Workload } from './workload.ts';
import { workloadKinds } from './workload-kinds.ts';
import { createWorld, type SeedOptions } from './world.ts';

/** Makes resources of one namespace, one by one. */
export interface HandMade {
  readonly gateway: (name: string, listeners: number) => KubernetesObject;
  readonly service: (name: string) => KubernetesObject;
  /** A route to all listeners of a Gateway, each of whose rules leads to a Service. */
  readonly route: (
    name: string,
    options: { gateway: KubernetesObject; rules: number; service: KubernetesObject },
  ) => KubernetesObject;
  readonly policy: (habits: PolicyHabits, target: KubernetesObject, sectionName?: string) => KubernetesObject;
}

/** Returns a workload in one namespace whose shape is given, and where chance decides on the details only. */
export function handMade(options: SeedOptions, make: (makers: HandMade) => void): Workload {
  const world = createWorld(options);
  const { state } = world;
  const namespace = 'edge';
  const added = (resource: KubernetesObject): KubernetesObject => {
    state.upsert(resource);
    return resource;
  };
  added(newGatewayClass(world));
  added(newNamespace(world, namespace, 'shared'));
  make({
    gateway: (name, listeners) =>
      added(
        gatewayWith(
          world,
          { name, namespace },
          Array.from({ length: listeners }, (_, index) => portListener(index)),
        ),
      ),
    service: (name) => added(newService(world, name, namespace)),
    route: (name, { gateway, rules, service }) => {
      const [port] = objectsIn(specOf(service).ports);
      const backendRefs = [{ name: service.metadata.name, port: port?.port ?? 80 }];
      const rule = (index: number): JsonObject => ({
        backendRefs,
        matches: [{ path: { type: 'PathPrefix', value: `/${index}` } }],
      });
      const spec = {
        parentRefs: [{ name: gateway.metadata.name }],
        rules: Array.from({ length: rules }, (_, index) => rule(index)),
      };
      return added(routeWith(world, { name, namespace }, spec));
    },
    policy: (habits, target, sectionName) => {
      const ref = { ...targetRefTo(target), ...(sectionName === undefined ? {} : { sectionName }) };
      const name = `policy-${state.list(habits.kind).length}`;
      return added(policyOn(world, name, habits, { namespace, targetRefs: [ref] }));
    },
  });
  return { targetKinds: gatewayApi(), policyKinds: workloadKinds, resources: state.all };
}
