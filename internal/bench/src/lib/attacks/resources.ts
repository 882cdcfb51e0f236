import type { JsonObject, JsonValue, KubernetesObject } from '@policy-machinery/resource';
import { policyGroup } from './policy-kinds.ts';

const gatewayGroup = 'gateway.networking.k8s.io';
const creationTimestamp = '2026-01-01T00:00:00Z';

/** So many items, made by their places. */
export function listOf<Item>(length: number, make: (place: number) => Item): readonly Item[] {
  return Array.from({ length }, (_, place) => make(place));
}

/** Fields that a list does not say otherwise; an `undefined` one is left out. */
type Fields = Readonly<Record<string, JsonValue | undefined>>;

interface More {
  /** Default `a`, the namespace of the attacker. */
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly status?: JsonObject;
}

export function resource(
  apiVersion: string,
  kind: string,
  name: string,
  spec: Fields,
  more: More = {},
): KubernetesObject {
  const { namespace = 'a', status, ...metadata } = more;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, creationTimestamp, ...metadata },
    spec,
    ...(status && { status }),
  };
}

export function gateway(name: string, listeners: readonly JsonValue[], more?: More): KubernetesObject {
  return resource(`${gatewayGroup}/v1`, 'Gateway', name, { listeners }, more);
}

export function listener(name: string, fields: JsonObject = {}): JsonObject {
  return { name, port: 80, protocol: 'HTTP', ...fields };
}

export function route(name: string, spec: Fields, more?: More): KubernetesObject {
  return resource(`${gatewayGroup}/v1`, 'HTTPRoute', name, spec, more);
}

/** Returns a route with one named rule, below the Gateway `g`. */
export function attachedRoute(name: string, more?: More): KubernetesObject {
  return route(name, { parentRefs: [{ name: 'g' }], rules: [{ name: 'x' }] }, more);
}

export function service(name: string, ports: readonly JsonValue[], more?: More): KubernetesObject {
  return resource('v1', 'Service', name, { ports }, more);
}

export function grant(
  name: string,
  from: readonly JsonValue[],
  to: readonly JsonValue[],
  more?: More,
): KubernetesObject {
  return resource(`${gatewayGroup}/v1beta1`, 'ReferenceGrant', name, { from, to }, more);
}

/** Returns a policy; without references to targets it needs selectors, or is named by its targets. */
export function policy(
  kind: string,
  name: string,
  targetRefs: readonly JsonValue[] | undefined,
  spec: Fields,
  more?: More,
): KubernetesObject {
  return resource(`${policyGroup}/v1`, kind, name, { ...(targetRefs && { targetRefs }), ...spec }, more);
}

/** Returns a reference to a target in a policy, or to a backend in a rule. */
export function refTo(kind: string, name: string, fields: JsonObject = {}): JsonObject {
  return { group: kind === 'Service' ? '' : gatewayGroup, kind, name, ...fields };
}
