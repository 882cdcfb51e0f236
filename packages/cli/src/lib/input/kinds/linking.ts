import type { GatewayApiOptions } from '@policy-machinery/gateway-api';
import { isJsonObject, type KubernetesObject, objectsIn, specOf } from '@policy-machinery/resource';

/**
 * Returns how routes are linked: with delegation and mesh if routes use them. Without any Gateway, as in a folder of one team, routes do
 * not need one.
 *
 * @returns Options for `gatewayApi`.
 */
export function linkingOf(objects: readonly KubernetesObject[]): GatewayApiOptions {
  return {
    ...(objects.some(delegates) ? { delegation: true } : {}),
    ...(objects.some(isInMesh) ? { mesh: true } : {}),
    ...(objects.some(({ kind }) => kind === 'Gateway') ? {} : { needsParent: false }),
  };
}

/** Returns whether a rule of a route hands requests over to other HTTPRoutes. */
function delegates(object: KubernetesObject): boolean {
  if (object.kind !== 'HTTPRoute') return false;
  const backends = objectsIn(specOf(object).rules).flatMap(({ backendRefs }) => objectsIn(backendRefs));
  return backends.some(({ kind, group }) => kind === 'HTTPRoute' || group === 'delegation.kgateway.dev');
}

/** Returns whether a parent of a route is a Service. */
function isInMesh(object: KubernetesObject): boolean {
  if (!/^(HTTP|GRPC|TCP|TLS|UDP)Route$/.test(object.kind)) return false;
  const spec: unknown = specOf(object);
  return isJsonObject(spec) && objectsIn(spec.parentRefs).some(({ kind }) => kind === 'Service');
}
