import { type GroupKind, type JsonValue, type KubernetesObject, namespaceOf } from '@policy-machinery/resource';
import type { NamedTarget } from '@policy-machinery/topology';
import { isUnset } from '../fields/object-reference.ts';

/** The kind of the frontends of Services in a mesh. */
export const frontendKind = { group: 'mesh.policy-machinery', kind: 'ServiceFrontend' } as const satisfies GroupKind;

/** Returns the frontend of a Service, which is the parent of routes in a mesh. */
export function frontendOf(
  service: NamedTarget,
  part: FrontendPart,
  route: KubernetesObject,
): { readonly to: NamedTarget; readonly isConsumer: boolean } {
  if (!isConsumer(route, service)) return { to: { ...service, ...frontendKind }, isConsumer: false };
  return { to: { ...frontendKind, name: consumerName(service, part) }, isConsumer: true };
}

/** The part of a Service that a route names. */
export interface FrontendPart {
  readonly sectionName?: JsonValue | undefined;
  readonly port?: JsonValue | undefined;
}

/** Returns whether a route is a consumer's: in another namespace than the Service. */
export function isConsumer(route: KubernetesObject, { namespace }: NamedTarget): boolean {
  return !isUnset(namespace) && namespace !== namespaceOf(route);
}

/** Returns the name of a consumer's frontend of a Service, or of a part of it. */
export function consumerName({ name, namespace }: Pick<NamedTarget, 'name' | 'namespace'>, part: FrontendPart): string {
  return [name, namespace, part.sectionName, part.port].filter((it) => !isUnset(it)).join('.');
}
