import { type JsonObject, type KubernetesObject, objectIn, objectsIn } from '@policy-machinery/resource';

/** What files contain in place of an object of a cluster, and what the cluster and the files both have beside it. */
export interface Omission {
  readonly name: string;
  readonly isOf: (object: KubernetesObject) => boolean;
  readonly written: (object: KubernetesObject) => readonly KubernetesObject[];
  readonly creator?: (object: KubernetesObject) => KubernetesObject;
}

/** Text that a renderer replaces. */
const variable = '${' + 'VALUE}';

/** Files without the namespace of an object, which the deployment decides. */
export const withoutNamespaces: Omission = {
  name: 'has no namespace',
  isOf: ({ metadata }) => metadata.namespace !== undefined,
  written: ({ metadata: { namespace, ...metadata }, ...it }) => [{ ...it, metadata }],
};

/** What files of one repository leave out, or write in another form. */
export const omissions: readonly Omission[] = [
  { name: 'is missing', isOf: (it) => !isRoute(it) && !isPolicy(it) && it.kind !== 'ListenerSet', written: () => [] },
  {
    name: 'is created by a known controller',
    isOf: ({ kind }) => kind === 'HTTPRoute',
    written: () => [],
    creator: creatorOf('aigateway.envoyproxy.io/v1beta1', 'AIGatewayRoute'),
  },
  {
    name: 'is created by an unknown controller',
    isOf: isRoute,
    written: () => [],
    creator: creatorOf('vendor.example/v1', 'ModelRoute'),
  },
  { name: 'is in a chart', isOf: (it) => isRoute(it) || isPolicy(it), written: () => [chart] },
  {
    name: 'has the fields alone that a person writes',
    isOf: (it) => isRoute(it) || it.kind === 'Gateway' || it.kind === 'ListenerSet',
    written: (it) => [withoutDefaults(it)],
  },
  { name: 'has no age', isOf: (it) => isRoute(it) || isPolicy(it), written: (it) => [withoutAge(it)] },
  {
    name: 'has variables in hostnames',
    isOf: (it) => isRoute(it) || it.kind === 'Gateway',
    written: (it) => [withVariables(it)],
  },
  withoutNamespaces,
];

function isRoute({ kind }: KubernetesObject): boolean {
  return kind.endsWith('Route');
}

/** Returns whether an object names targets, as policies do. */
function isPolicy({ kind, spec }: KubernetesObject): boolean {
  const { targetRef, targetRefs, targetSelectors } = objectIn(spec);
  return kind.endsWith('Policy') || [targetRef, targetRefs, targetSelectors].some((it) => it !== undefined);
}

const chart = object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'chart', {
  chart: {},
  values: { route: { enabled: true } },
});

function object(apiVersion: string, kind: string, name: string, spec: JsonObject, namespace = 'a'): KubernetesObject {
  return { apiVersion, kind, metadata: { name, namespace }, spec };
}

/** Returns a function that returns the object for which a controller creates a route. */
function creatorOf(apiVersion: string, kind: string): (route: KubernetesObject) => KubernetesObject {
  return ({ metadata: { name, namespace }, spec }) =>
    object(apiVersion, kind, name, { parentRefs: objectIn(spec).parentRefs ?? [] }, namespace);
}

function withoutAge(of: KubernetesObject): KubernetesObject {
  const { creationTimestamp, ...metadata } = of.metadata;
  return { ...of, metadata };
}

/** The values that API servers fill in, by list and field. */
const defaults: Readonly<Record<string, JsonObject>> = {
  parentRefs: { group: 'gateway.networking.k8s.io', kind: 'Gateway' },
  backendRefs: { group: '', kind: 'Service', weight: 1 },
  listeners: { allowedRoutes: { namespaces: { from: 'Same' } } },
};

/** Returns an object without the fields that API servers fill in. */
function withoutDefaults(of: KubernetesObject): KubernetesObject {
  const { rules, ...spec } = withoutDefaultsIn(objectIn(of.spec));
  return { ...of, spec: { ...spec, ...(rules !== undefined && { rules: objectsIn(rules).map(withoutDefaultsIn) }) } };
}

function withoutDefaultsIn(lists: JsonObject): JsonObject {
  const isDefault = (list: string, field: string, value: unknown) =>
    JSON.stringify(value) === JSON.stringify(defaults[list]?.[field]);
  const entries = Object.entries(lists).map(([list, items]) => {
    if (defaults[list] === undefined) return [list, items];
    const left = objectsIn(items).map((it) =>
      Object.entries(it).filter(([field, value]) => !isDefault(list, field, value)),
    );
    return [list, left.map((it) => Object.fromEntries(it))];
  });
  return Object.fromEntries(entries);
}

function withVariables(of: KubernetesObject): KubernetesObject {
  const spec = objectIn(of.spec);
  const listeners = objectsIn(spec.listeners).map((it) => ({ ...it, hostname: variable }));
  return { ...of, spec: { ...spec, ...(listeners.length > 0 ? { listeners } : { hostnames: [variable] }) } };
}
