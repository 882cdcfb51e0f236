import { groupKindOf, type JsonObject, type KubernetesObject, namespaceOf, specOf } from '@policy-machinery/resource';
import { defineTargetKind } from '@policy-machinery/topology';
import { consumerName, frontendKind, isConsumer } from '../attachment/frontend-names.ts';
import { gatewayGroup } from '../fields/group.ts';
import { gatewayKind, isService, isServiceParent } from '../fields/hierarchy.ts';
import { itemsOf } from '../fields/items.ts';
import { targetOf } from '../fields/object-reference.ts';
import { Service } from './service.ts';

/**
 * The frontend of a Service in a mesh: where clients send their requests, while the Service itself is where requests end. So a
 * Service can be both the parent and a backend of one route. It is virtual:
 *
 * - Each Service has one with the same name, with its ports, for the clients of all namespaces. The routes below it are the
 *   producer's: those in the namespace of the Service.
 * - Where routes of another namespace have the Service as a parent, that namespace has one, `<service>.<namespace>`, for its
 *   own clients: the consumer's. It goes on with the section and the port that the routes name, if they do.
 */
export const ServiceFrontend = defineTargetKind({
  ...frontendKind,
  sections: Service.sections,
  mayReferTo: () => false,
  *derive(resource) {
    if (isService(groupKindOf(resource))) {
      yield frontend(namespaceOf(resource), resource.metadata.name, { ports: specOf(resource).ports ?? [] });
      return;
    }
    if (groupKindOf(resource).group !== gatewayGroup) return;
    for (const parentRef of itemsOf(specOf(resource).parentRefs)) {
      const service = targetOf(parentRef, gatewayKind);
      if (service === undefined || !isServiceParent(service, anySpelling) || !isConsumer(resource, service)) continue;
      yield frontend(namespaceOf(resource), consumerName(service, parentRef), {});
    }
  },
});

/** A frontend that no route has as a parent changes nothing. */
const anySpelling = ['core'];

function frontend(namespace: string, name: string, spec: JsonObject): KubernetesObject {
  return { apiVersion: `${frontendKind.group}/v1`, kind: frontendKind.kind, metadata: { namespace, name }, spec };
}
