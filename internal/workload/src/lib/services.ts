import { Service } from '@policy-machinery/gateway-api';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** Returns a new Service; one in twenty has a second port. */
export function newService({ random, server }: World, name: string, namespace: string): KubernetesObject {
  const spec = {
    clusterIP: `10.${random.int(256)}.${random.int(256)}.${random.int(256)}`,
    ports: servicePorts(random),
    selector: { app: name },
    type: 'ClusterIP',
  };
  return server.create(Service, { name, namespace }, { spec });
}

/** One port, mostly 80, or rarely two. */
export function servicePorts(random: Random): readonly JsonObject[] {
  const web = { name: 'http', port: random.chance(0.9) ? 80 : 8080, protocol: 'TCP', targetPort: 8080 };
  return random.chance(0.05) ? [web, { port: 9090, protocol: 'TCP', targetPort: 9090 }] : [web];
}
