import { Gateway, HTTPRoute, ListenerSet, Service, XListenerSet } from '@policy-machinery/gateway-api';
import {
  type GroupKind,
  groupKindKey,
  isJsonObject,
  type JsonObject,
  type KubernetesObject,
  objectIn,
  objectsIn,
  type ResourceScope,
  specOf,
  stringIn,
  valueAt,
} from '@policy-machinery/resource';
import { type Creation, defineTargetKind, type Reference, type TargetKind } from '@policy-machinery/topology';

/** A kind of resources that a controller creates routes, policies or backends for. */
export interface CreatorKind {
  /** The project that defines the kind, or creates the objects: `Envoy AI Gateway`. */
  readonly system: string;
  readonly kind: TargetKind;
  /** The created names: `{name}` stands for the name of the resource, and `*` for any characters. */
  readonly creates: readonly Creation[];
  /** The source file or page with the created names. */
  readonly source: string;
}

/** Returns a list of references to parents in a spec, as routes have them, with the JSON Pointer to the list. */
type ParentsIn = (spec: JsonObject) => Iterable<readonly [parents: unknown, pointer: string]>;

interface Row extends GroupKind {
  readonly system: string;
  readonly version: string;
  readonly scope?: ResourceScope;
  /** The names that are created for one resource: `{name}` stands for its name, and `*` for any characters. */
  readonly creates: readonly Creation[];
  /** Returns the name that `{name}` stands for. Default: the name of the resource. */
  readonly nameIn?: (spec: JsonObject) => string | undefined;
  /** Returns whether anything is created for a resource. Default: always. */
  readonly isCreator?: (object: KubernetesObject) => boolean;
  /** Default: `spec.parentRefs`. */
  readonly parentsIn?: ParentsIn;
  readonly source: string;
}

const route = (name: string, more: Partial<Creation> = {}): Creation => {
  return { group: HTTPRoute.group, kind: HTTPRoute.kind, name, ...more };
};
const service = (name: string): Creation => ({ group: Service.group, kind: Service.kind, name });
const kuadrant = (kind: string, name: string): Creation => ({ group: 'kuadrant.io', kind, name });

const ownParents: ParentsIn = ({ parentRefs }) => [[parentRefs, '/spec/parentRefs']];
const noParents: ParentsIn = () => [];

/** The solvers of an ACME issuer of cert-manager that answer challenges by HTTPRoutes. */
const solverParents: ParentsIn = ({ acme }) =>
  objectsIn(objectIn(acme).solvers).map(({ http01 }, index) => [
    objectIn(objectIn(http01).gatewayHTTPRoute).parentRefs,
    `/spec/acme/solvers/${index}/http01/gatewayHTTPRoute/parentRefs`,
  ]);
const hasSolver = ({ spec }: KubernetesObject) =>
  objectsIn(objectIn(objectIn(spec).acme).solvers).some(({ http01 }) => 'gatewayHTTPRoute' in objectIn(http01));
const solverRoute = route('cm-acme-http-solver-*', { pathPrefix: '/.well-known/acme-challenge' });
const solverSource = 'https://github.com/cert-manager/cert-manager/blob/master/pkg/issuer/acme/http/httproute.go';

/** Whether net-gateway-api may serve a resource of Knative: it names no other class. Its routes are named by hosts, which the operator configures. */
const mayBeServed = ({ metadata: { annotations } }: KubernetesObject) =>
  (annotations?.['networking.knative.dev/ingress-class'] ?? knativeClass) === knativeClass;
const knativeClass = 'gateway-api.ingress.networking.knative.dev';
const knativeSource =
  'https://github.com/knative-extensions/net-gateway-api/blob/main/pkg/reconciler/ingress/resources/httproute.go';
const knative = { system: 'Knative', parentsIn: noParents, isCreator: mayBeServed, source: knativeSource };

const rows: readonly Row[] = [
  {
    system: 'Envoy AI Gateway',
    group: 'aigateway.envoyproxy.io',
    kind: 'AIGatewayRoute',
    version: 'v1beta1',
    creates: [route('{name}')],
    source: 'https://github.com/envoyproxy/ai-gateway/blob/main/internal/controller/ai_gateway_route.go',
  },
  {
    system: 'Envoy AI Gateway',
    group: 'aigateway.envoyproxy.io',
    kind: 'MCPRoute',
    version: 'v1beta1',
    creates: [route('ai-eg-mcp-main-{name}'), route('ai-eg-mcp-br-{name}-*')],
    source: 'https://github.com/envoyproxy/ai-gateway/blob/main/internal/controller/mcp_route.go',
  },
  {
    system: 'cert-manager',
    group: 'cert-manager.io',
    kind: 'Issuer',
    version: 'v1',
    creates: [solverRoute],
    isCreator: hasSolver,
    parentsIn: solverParents,
    source: solverSource,
  },
  {
    system: 'cert-manager',
    group: 'cert-manager.io',
    kind: 'ClusterIssuer',
    version: 'v1',
    scope: 'Cluster',
    creates: [solverRoute],
    isCreator: hasSolver,
    parentsIn: solverParents,
    source: solverSource,
  },
  {
    system: 'cert-manager',
    group: 'acme.cert-manager.io',
    kind: 'Challenge',
    version: 'v1',
    creates: [solverRoute],
    isCreator: ({ spec }) => 'gatewayHTTPRoute' in objectIn(objectIn(objectIn(spec).solver).http01),
    parentsIn: ({ solver }) => [
      [
        objectIn(objectIn(objectIn(solver).http01).gatewayHTTPRoute).parentRefs,
        '/spec/solver/http01/gatewayHTTPRoute/parentRefs',
      ],
    ],
    source: solverSource,
  },
  {
    system: 'Flagger',
    group: 'flagger.app',
    kind: 'Canary',
    version: 'v1beta1',
    creates: [route('{name}'), service('{name}'), service('{name}-primary'), service('{name}-canary')],
    nameIn: (spec) => stringIn(objectIn(spec.service).name) ?? stringIn(objectIn(spec.targetRef).name),
    isCreator: ({ spec }) => objectsIn(objectIn(objectIn(spec).service).gatewayRefs).length > 0,
    parentsIn: ({ service }) => [[objectIn(service).gatewayRefs, '/spec/service/gatewayRefs']],
    source: 'https://github.com/fluxcd/flagger/blob/main/pkg/router/gateway_api.go',
  },
  {
    system: 'KServe',
    group: 'serving.kserve.io',
    kind: 'InferenceService',
    version: 'v1beta1',
    creates: ['{name}', '{name}-predictor', '{name}-transformer', '{name}-explainer'].map((name) => route(name)),
    parentsIn: noParents, // The configuration of KServe names the Gateway.
    source:
      'https://github.com/kserve/kserve/blob/master/pkg/controller/v1beta1/inferenceservice/reconcilers/ingress/httproute_reconciler.go',
  },
  {
    system: 'KServe',
    group: 'serving.kserve.io',
    kind: 'LLMInferenceService',
    version: 'v1alpha1',
    creates: [route('{name}-kserve-route')],
    isCreator: ({ spec }) => 'route' in objectIn(objectIn(spec).router),
    parentsIn: ({ router }) => [[objectIn(objectIn(router).gateway).refs, '/spec/router/gateway/refs']],
    source: 'https://github.com/kserve/kserve/blob/master/pkg/controller/v1alpha1/llmisvc/router.go',
  },
  {
    ...knative,
    group: 'serving.knative.dev',
    kind: 'Service',
    version: 'v1',
    creates: [route('*{name}*'), service('{name}')],
  },
  {
    ...knative,
    group: 'serving.knative.dev',
    kind: 'Route',
    version: 'v1',
    creates: [route('*{name}*'), service('{name}')],
  },
  {
    ...knative,
    group: 'networking.internal.knative.dev',
    kind: 'Ingress',
    version: 'v1alpha1',
    creates: [route('*{name}*')],
  },
  {
    system: 'Kuadrant extensions',
    group: 'extensions.kuadrant.io',
    kind: 'OIDCPolicy',
    version: 'v1alpha1',
    creates: [
      kuadrant('AuthPolicy', '{name}'),
      kuadrant('AuthPolicy', '{name}-callback'),
      route('{name}-callback', { pathPrefix: '/auth/callback' }),
    ],
    parentsIn: noParents,
    source:
      'https://github.com/Kuadrant/kuadrant-operator/blob/main/cmd/extensions/oidc-policy/internal/controller/oidcpolicy_reconciler.go',
  },
  {
    system: 'Kuadrant extensions',
    group: 'extensions.kuadrant.io',
    kind: 'PlanPolicy',
    version: 'v1alpha1',
    creates: [kuadrant('RateLimitPolicy', '{name}')],
    parentsIn: noParents,
    source:
      'https://github.com/Kuadrant/kuadrant-operator/blob/main/cmd/extensions/plan-policy/internal/controller/planpolicy_reconciler.go',
  },
  {
    system: 'Istio',
    group: 'inference.networking.k8s.io',
    kind: 'InferencePool',
    version: 'v1',
    creates: [service('{name}-ip-*')],
    parentsIn: noParents,
    source: 'https://github.com/istio/istio/blob/master/pilot/pkg/config/kube/gateway/inferencepool_collection.go',
  },
];

/** The kinds of resources that show that controllers create others. */
export const creatorKinds: readonly CreatorKind[] = rows.map((row) => {
  const { system, creates, source } = row;
  return { system, kind: creatorKind(row), creates, source };
});

const byKey: ReadonlyMap<string, TargetKind> = new Map(creatorKinds.map(({ kind }) => [groupKindKey(kind), kind]));

/** Returns the kind of creators with a key of `groupKindKey`; `undefined` if it is not known. */
export function creatorKindOf(key: string): TargetKind | undefined {
  return byKey.get(key);
}

function creatorKind({ group, kind, version, scope = 'Namespaced', parentsIn = ownParents, ...row }: Row): TargetKind {
  const { isCreator = () => true, nameIn } = row;
  return defineTargetKind({
    group,
    kind,
    versions: [version],
    scope,
    mayReferTo: mayBeAbove,
    references: (object) => [...parentsIn(specOf(object))].flatMap(([parents, at]) => referencesTo(parents, at)),
    creates(object) {
      if (!isCreator(object)) return [];
      const name = nameIn?.(specOf(object)) ?? object.metadata.name;
      return row.creates.map((it) => ({ ...it, name: it.name.replaceAll('{name}', () => name) }));
    },
  });
}

/** The fields where resources of unknown kinds refer to Gateways: one reference or a list, and whether each must name the kind or group. */
const parentFields: readonly { readonly field: string; readonly isExplicit: boolean }[] = [
  { field: 'parentRefs', isExplicit: false },
  { field: 'parentRef', isExplicit: false },
  { field: 'gatewayRefs', isExplicit: true },
  { field: 'gatewayRef', isExplicit: true },
];

/**
 * Returns a kind that routes requests to Gateways in an unknown way: only its references to Gateways are read (`spec.parentRefs`, `parentRef`,
 * `gatewayRefs`, `gatewayRef`).
 *
 * @param kind The kind, with its plural, versions and scope if they are known.
 */
export function opaqueRouteKind(
  kind: GroupKind & Partial<Pick<TargetKind, 'plural' | 'versions' | 'scope'>>,
): TargetKind {
  return defineTargetKind({
    ...kind,
    isForeign: true,
    isOpaque: true,
    mayReferTo: mayBeAbove,
    references: (object) => parentsOf(specOf(object)),
  });
}

function parentsOf(spec: JsonObject): readonly Reference[] {
  return parentFields.flatMap(({ field, isExplicit }) => {
    const value = spec[field];
    const found = isJsonObject(value)
      ? referencesTo([value], '').map((it) => ({ ...it, pointer: `/spec/${field}` }))
      : referencesTo(value, `/spec/${field}`);
    return found.filter(({ pointer }) => !isExplicit || namesGateway(valueAt({ spec }, pointer)));
  });
}

function namesGateway(reference: unknown): boolean {
  const { group, kind } = objectIn(reference);
  return kind === Gateway.kind || group === Gateway.group;
}

const above: ReadonlySet<string> = new Set([Gateway, ListenerSet, XListenerSet].map(groupKindKey));

function mayBeAbove(kind: GroupKind, direction: Reference['direction']): boolean {
  return direction === 'up' && above.has(groupKindKey(kind));
}

/** Returns the references of a list to Gateways and ListenerSets. The listener of the created routes is not considered. */
function referencesTo(parents: unknown, pointer: string): readonly Reference[] {
  return objectsIn(parents).flatMap((parent, index): readonly Reference[] => {
    const { group, kind, name } = parentOf(parent);
    const namespace = stringIn(parent.namespace);
    if (name === undefined || !above.has(groupKindKey({ group, kind }))) return [];
    const to = { group, kind, name, ...(namespace === undefined ? {} : { namespace }) };
    return [{ direction: 'up', to, pointer: `${pointer}/${index}` }];
  });
}

function parentOf({ group, kind, name }: JsonObject) {
  return { group: stringIn(group) ?? Gateway.group, kind: stringIn(kind) ?? Gateway.kind, name: stringIn(name) };
}

/** Returns whether a resource refers to a Gateway or ListenerSet, as routes do. */
export function hasParentRefs({ spec }: KubernetesObject): boolean {
  return parentsOf(objectIn(spec)).length > 0;
}

/** Returns whether the schema of a spec has a reference to parents. */
export function declaresParentRefs(properties: JsonObject): boolean {
  return parentFields.some(({ field, isExplicit }) => {
    const schema = objectIn(properties[field]);
    const fields = objectIn(objectIn(schema.items ?? schema).properties);
    return !isExplicit && ['kind', 'name'].every((name) => Object.hasOwn(fields, name));
  });
}
