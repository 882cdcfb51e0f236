import { gatewayApi } from '@policy-machinery/gateway-api';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import {
  groupKindKey,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  objectsIn,
  specOf,
} from '@policy-machinery/resource';
import { isSectionKind, type TargetKind } from '@policy-machinery/topology';

/**
 * Returns the target kinds for some objects: those of Gateway API, and whatever else the policy kinds target. Delegation and mesh are
 * there if routes use them. Routes need no Gateway if there is none at all, as in a folder of one team.
 *
 * @param policyKinds The policy kinds.
 * @param objects The objects.
 * @returns Each kind once.
 */
export function targetKindsFor(
  policyKinds: readonly PolicyKind<JsonObject>[],
  objects: readonly KubernetesObject[],
): readonly TargetKind[] {
  const kinds = new Map<string, TargetKind>();
  const gatewayKinds = gatewayApi({
    delegation: objects.some(delegates),
    mesh: objects.some(isInMesh),
    needsParent: objects.some(({ kind }) => kind === 'Gateway'),
  });
  for (const kind of gatewayKinds) kinds.set(groupKindKey(kind), kind);
  for (const { targets, effectiveTargets } of policyKinds) {
    for (const target of [...targets, ...effectiveTargets]) {
      const kind = isSectionKind(target) ? target.of : target;
      if (!kinds.has(groupKindKey(kind))) kinds.set(groupKindKey(kind), kind);
    }
  }
  return [...kinds.values()];
}

/** Whether a rule of a route hands requests over to other HTTPRoutes. */
function delegates(object: KubernetesObject): boolean {
  if (object.kind !== 'HTTPRoute') return false;
  const backends = objectsIn(specOf(object).rules).flatMap(({ backendRefs }) => objectsIn(backendRefs));
  return backends.some(({ kind, group }) => kind === 'HTTPRoute' || group === 'delegation.kgateway.dev');
}

/** Whether a parent of a route is a Service. */
function isInMesh(object: KubernetesObject): boolean {
  if (!/^(HTTP|GRPC|TCP|TLS|UDP)Route$/.test(object.kind)) return false;
  const spec: unknown = specOf(object);
  return isJsonObject(spec) && objectsIn(spec.parentRefs).some(({ kind }) => kind === 'Service');
}
