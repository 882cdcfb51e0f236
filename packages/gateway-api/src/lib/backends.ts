import { isJsonObject, type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';
import type { Reference, SectionPlace } from '@policy-machinery/topology';
import { gatewayKind, isService, mayBeBackend } from './hierarchy.ts';
import { itemsOf } from './items.ts';
import { isUnset, targetOf } from './object-reference.ts';
import type { GatewayApiOptions } from './options.ts';
import { Service } from './service.ts';

/**
 * The backends of one rule, those of its request mirrors included: the port of a Service where one is named, else the
 * backend as a whole; of another kind, the section that has this port if there is one. In another namespace a ReferenceGrant
 * must permit it (T-24), unless the route is for a mesh only: there it exposes nothing that clients could not reach (GEP-1294).
 */
export function backendReferences({
  parents = [],
  mesh = false,
}: GatewayApiOptions): (rule: SectionPlace, route: KubernetesObject) => Iterable<Reference> {
  return ({ index, value: rule }, route) => {
    const needsGrant = !(mesh && isForMeshOnly(route));
    const references: Reference[] = [];
    for (const { pointer, backendRef } of backendsOf(rule, `/spec/rules/${index}`)) {
      const { port } = backendRef;
      const to = targetOf(backendRef, Service);
      if (to === undefined || !mayBeBackend(to, parents)) continue;
      if (isUnset(port)) references.push({ direction: 'down', to, needsGrant, pointer });
      else {
        const toSections: Reference['toSections'] = ({ value }) => value.port === port;
        references.push({ direction: 'down', to, needsGrant, pointer, toSections, orWhole: !isService(to) });
      }
    }
    return references;
  };
}

/** Whether all parents of a route are Services. */
function isForMeshOnly(route: KubernetesObject): boolean {
  const parents = itemsOf(specOf(route).parentRefs).map((parentRef) => targetOf(parentRef, gatewayKind));
  return parents.length > 0 && parents.every((parent) => parent !== undefined && isService(parent));
}

interface Backend {
  readonly pointer: string;
  readonly backendRef: JsonObject;
}

function backendsOf(rule: JsonObject, pointer: string): readonly Backend[] {
  const found: Backend[] = [];
  for (const [index, backendRef] of itemsOf(rule.backendRefs).entries()) {
    const backend = { pointer: `${pointer}/backendRefs/${index}`, backendRef };
    found.push(backend);
    addMirrors(found, backendRef, backend.pointer);
  }
  addMirrors(found, rule, pointer);
  return found;
}

function addMirrors(found: Backend[], { filters }: JsonObject, pointer: string): void {
  for (const [index, { type, requestMirror }] of itemsOf(filters).entries()) {
    if (type !== 'RequestMirror' || !isJsonObject(requestMirror) || !isJsonObject(requestMirror.backendRef)) continue;
    const { backendRef } = requestMirror;
    found.push({ pointer: `${pointer}/filters/${index}/requestMirror/backendRef`, backendRef });
  }
}
