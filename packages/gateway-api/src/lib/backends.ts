import {
  formatPointer,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  specOf,
} from '@policy-machinery/resource';
import type { Reference, SectionPlace } from '@policy-machinery/topology';
import { gatewayKind, isService, mayBeBackend } from './hierarchy.ts';
import { itemsOf } from './items.ts';
import { isUnset, targetOf } from './object-reference.ts';
import type { GatewayApiOptions } from './options.ts';
import { Service } from './service.ts';

type Path = readonly (string | number)[];

/**
 * The backends of one rule, those of its request mirrors included: the port of a Service where one is named, else the
 * backend as a whole; of another kind, the section that has this port if there is one. In another namespace a ReferenceGrant
 * must permit it (T-24), unless the route is for a mesh only: there it exposes nothing that clients could not reach (GEP-1294).
 */
export function backendReferences({
  parents = [],
  mesh = false,
}: GatewayApiOptions): (rule: SectionPlace, route: KubernetesObject) => Iterable<Reference> {
  return function* ({ index, value: rule }, route) {
    const needsGrant = !(mesh && isForMeshOnly(route));
    for (const [path, backendRef] of backendsOf(rule, ['spec', 'rules', index])) {
      const { port } = backendRef;
      const to = targetOf(backendRef, Service);
      if (to === undefined || !mayBeBackend(to, parents)) continue;
      const toSections: Reference['toSections'] = ({ value }) => value.port === port;
      yield {
        direction: 'down',
        to,
        needsGrant,
        pointer: formatPointer(path),
        ...(isUnset(port) ? {} : { toSections, orWhole: !isService(to) }),
      };
    }
  };
}

/** Whether all parents of a route are Services. */
function isForMeshOnly(route: KubernetesObject): boolean {
  const parents = itemsOf(specOf(route).parentRefs).map((parentRef) => targetOf(parentRef, gatewayKind));
  return parents.length > 0 && parents.every((parent) => parent !== undefined && isService(parent));
}

function* backendsOf(rule: JsonObject, path: Path): Iterable<readonly [Path, JsonObject]> {
  for (const [index, backendRef] of itemsOf(rule.backendRefs).entries()) {
    const backendPath = [...path, 'backendRefs', index];
    yield [backendPath, backendRef];
    yield* mirrorsOf(backendRef, backendPath);
  }
  yield* mirrorsOf(rule, path);
}

function* mirrorsOf({ filters }: JsonObject, path: Path): Iterable<readonly [Path, JsonObject]> {
  for (const [index, { type, requestMirror }] of itemsOf(filters).entries()) {
    if (type !== 'RequestMirror' || !isJsonObject(requestMirror) || !isJsonObject(requestMirror.backendRef)) continue;
    yield [[...path, 'filters', index, 'requestMirror', 'backendRef'], requestMirror.backendRef];
  }
}
