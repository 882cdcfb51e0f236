import { isJsonObject, type JsonObject, type KubernetesObject, specOf } from '@policy-machinery/resource';
import type { Reference, SectionPlace } from '@policy-machinery/topology';
import { gatewayKind, isService, mayBeBackend } from './hierarchy.ts';
import { itemsOf, present } from './items.ts';
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
  const referenceTo = ({ backendRef, pointer }: Backend, needsGrant: boolean): Reference | undefined => {
    const { port } = backendRef;
    const to = targetOf(backendRef, Service);
    if (to === undefined || !mayBeBackend(to, parents)) return undefined;
    if (isUnset(port)) return { direction: 'down', to, needsGrant, pointer };
    const toSections: Reference['toSections'] = ({ value }) => value.port === port;
    return { direction: 'down', to, needsGrant, pointer, toSections, orWhole: !isService(to) };
  };
  return ({ index, value: rule }, route) => {
    const needsGrant = !(mesh && isForMeshOnly(route));
    return present(backendsOf(rule, `/spec/rules/${index}`).map((backend) => referenceTo(backend, needsGrant)));
  };
}

/** Whether all parents of a route are Services. */
function isForMeshOnly(route: KubernetesObject): boolean {
  const parents = itemsOf(specOf(route).parentRefs).map((parentRef) => targetOf(parentRef, gatewayKind));
  return parents.length > 0 && parents.every((parent) => parent !== undefined && isService(parent));
}

/** What has a backend, or filters with mirrors: a backend of a rule, or a rule. */
interface Backend {
  readonly pointer: string;
  readonly backendRef: JsonObject;
}

const none: readonly never[] = [];

function backendsOf(rule: JsonObject, pointer: string): readonly Backend[] {
  const backends = itemsOf(rule.backendRefs).map((backendRef, index) => ({
    pointer: `${pointer}/backendRefs/${index}`,
    backendRef,
  }));
  const ofRule = mirrorsOf({ pointer, backendRef: rule });
  if (ofRule.length === 0 && backends.every(({ backendRef }) => isUnset(backendRef.filters))) return backends;
  return [...backends.flatMap((backend) => [backend, ...mirrorsOf(backend)]), ...ofRule];
}

function mirrorsOf({ pointer, backendRef: { filters } }: Backend): readonly Backend[] {
  if (isUnset(filters)) return none;
  const mirrors = itemsOf(filters).map(({ type, requestMirror }, index) => {
    if (type !== 'RequestMirror' || !isJsonObject(requestMirror) || !isJsonObject(requestMirror.backendRef))
      return undefined;
    return { pointer: `${pointer}/filters/${index}/requestMirror/backendRef`, backendRef: requestMirror.backendRef };
  });
  return present(mirrors);
}
