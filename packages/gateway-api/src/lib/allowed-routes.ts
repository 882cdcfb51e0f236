import {
  formatGroupKind,
  type GroupKind,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LabelSelector,
  matchesSelector,
} from '@policy-machinery/resource';
import { gatewayGroup } from './group.ts';
import { itemsOf } from './items.ts';
import { protocolOf, servesKind } from './listener-protocol.ts';

/** A route that asks to hang beneath a listener. */
export interface RouteCandidate {
  readonly groupKind: GroupKind;
  readonly namespace: string;
  /** Labels of the Namespace that the route is in; `undefined` where that Namespace is not known. */
  readonly namespaceLabels: Readonly<Record<string, string>> | undefined;
}

/** Whether a listener takes a route, and if not, why. */
export type RouteAdmission =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** Gateway API's reason, for the route's condition `Accepted`. */
      readonly reason: 'NotAllowedByListeners';
      /** JSON Pointer to the field that decided, from the root of the listener. */
      readonly pointer: '/protocol' | `/allowedRoutes${string}`;
      /** Short, whatever the listener says. */
      readonly message: string;
    };

type Refusal = Extract<RouteAdmission, { readonly allowed: false }>;

/**
 * Decides whether a listener takes a route: its protocol serves the kind, `allowedRoutes.kinds` names it (default all
 * kinds of the protocol), and `allowedRoutes.namespaces` includes its namespace (default the listener's own) (H-09).
 * Hostnames are another matter: {@link hostnamesOnListener}.
 *
 * @param owner The Gateway or ListenerSet that the listener belongs to: each has its own namespace for `Same` (H-06).
 * @param listener The listener as its owner has it; its fields may be anything. What cannot be understood takes no
 * routes.
 * @param route The route.
 * @returns The decision, with the first thing that stands against the route. Never throws.
 * @example
 * ```ts
 * const listener = { name: 'https', protocol: 'HTTPS', allowedRoutes: { namespaces: { from: 'All' } } };
 * const route = { groupKind: HTTPRoute, namespace: 'shop', namespaceLabels: undefined };
 * allowsRoute({ namespace: 'infra' }, listener, route); // { allowed: true }
 * ```
 */
export function allowsRoute(
  owner: { readonly namespace: string },
  listener: JsonObject,
  route: RouteCandidate,
): RouteAdmission {
  const allowedRoutes = listener.allowedRoutes ?? {};
  if (!isJsonObject(allowedRoutes)) return refuse('/allowedRoutes', 'allowedRoutes is no object');
  return (
    refusedByProtocol(listener, route.groupKind) ??
    refusedByKinds(allowedRoutes.kinds, route.groupKind) ??
    refusedByNamespaces(allowedRoutes.namespaces ?? {}, owner.namespace, route) ?? { allowed: true }
  );
}

function refuse(pointer: Refusal['pointer'], message: string): Refusal {
  return { allowed: false, reason: 'NotAllowedByListeners', pointer, message };
}

function refusedByProtocol(listener: JsonObject, groupKind: GroupKind): Refusal | undefined {
  const protocol = protocolOf(listener);
  if (protocol === undefined) {
    return refuse('/protocol', `the listener's protocol (${describe(listener.protocol)}) or its TLS mode is not known`);
  }
  if (servesKind(protocol, groupKind)) return undefined;
  return refuse('/protocol', `a ${describe(listener.protocol)} listener cannot serve ${formatGroupKind(groupKind)}`);
}

function refusedByKinds(kinds: JsonValue | undefined, groupKind: GroupKind): Refusal | undefined {
  if (kinds === undefined || kinds === null || (Array.isArray(kinds) && kinds.length === 0)) return undefined;
  const named = itemsOf(kinds).some(
    ({ group, kind }) => (group ?? gatewayGroup) === groupKind.group && kind === groupKind.kind,
  );
  if (named) return undefined;
  return refuse('/allowedRoutes/kinds', `the listener allows other kinds, but not ${formatGroupKind(groupKind)}`);
}

interface NamespaceQuestion {
  readonly own: string;
  readonly route: RouteCandidate;
  readonly selector: JsonValue | undefined;
}

/** What stands against a namespace, by the value of `from`. */
const namespaceRules = new Map<unknown, (question: NamespaceQuestion) => string | undefined>([
  ['All', () => undefined],
  ['None', () => 'the listener takes routes from no namespace'],
  [
    'Same',
    ({ own, route: { namespace } }) =>
      namespace === own ? undefined : `the listener takes routes from namespace "${own}" only, not from "${namespace}"`,
  ],
  ['Selector', faultOfSelection],
]);

function refusedByNamespaces(namespaces: JsonValue, own: string, route: RouteCandidate): Refusal | undefined {
  if (!isJsonObject(namespaces)) return refuse('/allowedRoutes/namespaces', 'allowedRoutes.namespaces is no object');
  const { from, selector } = namespaces;
  const rule = namespaceRules.get(from ?? 'Same');
  if (rule === undefined) {
    const known = [...namespaceRules.keys()].join(', ');
    return refuse('/allowedRoutes/namespaces/from', `from is ${describe(from)}; expected one of ${known}`);
  }
  const fault = rule({ own, route, selector });
  if (fault === undefined) return undefined;
  return refuse(`/allowedRoutes/namespaces/${from === 'Selector' ? 'selector' : 'from'}`, fault);
}

function faultOfSelection({ route: { namespace, namespaceLabels }, selector }: NamespaceQuestion): string | undefined {
  if (selector === undefined || selector === null) return 'from is Selector, but there is no selector';
  // The API server gives each Namespace this label; manifests seldom show it.
  const labels = { ...namespaceLabels, 'kubernetes.io/metadata.name': namespace };
  try {
    const isSelected = matchesSelector(selector as LabelSelector, labels);
    if (namespaceLabels === undefined) return `the labels of namespace "${namespace}" are not known`;
    return isSelected ? undefined : `the listener's selector does not select namespace "${namespace}"`;
  } catch (error) {
    return shorten((error as Error).message);
  }
}

function describe(value: JsonValue | undefined): string {
  if (value === undefined || value === null || value === '') return 'missing';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return shorten(String(value));
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
