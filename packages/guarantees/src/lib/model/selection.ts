import { intersectHostnames } from '@policy-machinery/gateway-api';
import { type KubernetesObject, type ResourceRef, specOf } from '@policy-machinery/resource';
import { namespaceNameLabel, selectorTest } from '@policy-machinery/resource/inner';
import type { TargetNode } from '@policy-machinery/topology';
import { hasPrefix } from '../requests/concrete-request.ts';
import { type Contender, isHttp } from '../requests/contender.ts';
import { type Cell, everything, type PathCondition } from '../requests/region.ts';
import type { ObjectSelector, OtherSelector, RequestSelector } from './guarantee.ts';

/** A compiled selector of requests, without its expression. */
export interface Selection {
  /** Whether the selector is about requests that a match takes; `undefined` if it only asks about requests. */
  readonly isMeant: ((contender: Contender) => boolean) | undefined;
  /** Whether the selector may be about requests that a route takes at a Gateway with a known name at most. */
  readonly mayMean: (route: TargetNode, gateway: Pick<ResourceRef, 'namespace' | 'name'> | undefined) => boolean;
  /** Whether the selector may be about requests that little-known routes take. */
  readonly mayMeanUnseen: (routes: UnseenRoutes) => boolean;
  /** Whether the selector may be about requests to a backend with a known name at most. */
  readonly mayMeanBackend: (backend: Pick<UnseenRoutes, 'namespace' | 'name'>) => boolean;
  /** Whether the selector is about requests to a backend, which may be absent; `undefined` if it does not ask. */
  readonly isMeantBackend: ((backend: TargetNode | undefined) => boolean) | undefined;
  /** The requests: all that are in any of these cells. */
  readonly cells: readonly Cell[];
  /** Whether it asks about the path, method or headers, which only HTTP requests have. */
  readonly isAboutHttp: boolean;
}

/** Routes that are not in a topology. */
export interface UnseenRoutes {
  /** Default: any namespace. */
  readonly namespace: string | undefined;
  /** Default: any name. */
  readonly name: string | undefined;
  /** The Gateways that they may be below. Default: any. */
  readonly gateways: readonly Pick<ResourceRef, 'namespace' | 'name'>[] | undefined;
  /** The prefix of the paths of all requests that they take. Default: any path. */
  readonly pathPrefix: string | undefined;
}

/** Compiles a selector of requests. O(product of its lists of hostnames, paths and methods). */
export function selectionOf(selector: RequestSelector = {}): Selection {
  const { gateways, listeners, routes, backends, hostnames = ['*'] } = selector;
  const hasHost = ({ resource }: TargetNode) =>
    hostnames.some((hostname) => intersectHostnames(hostname, specOf(resource).hostnames).length > 0);
  const [isGateway, isRoute, isBackend] = [gateways, routes, backends].map(objectTest);
  const isAboutHttp = [selector.paths, selector.methods, selector.headers].some((list) => list !== undefined);
  const tests = [
    ...(isGateway === undefined ? [] : [({ entry }: Contender) => isGateway(entry.node)]),
    ...(listeners === undefined ? [] : [({ listener }: Contender) => listeners.includes(listener.name)]),
    ...(isRoute === undefined ? [] : [({ route, isTaken }: Contender) => isTaken && isRoute(route)]),
    ...(isAboutHttp ? [isHttp] : []),
  ];
  return {
    isMeant: tests.length === 0 ? undefined : (contender) => tests.every((test) => test(contender)),
    mayMean: (route, gateway) =>
      isRoute?.(route) !== false && hasHost(route) && (gateway === undefined || isNamed(gateways, gateway)),
    mayMeanUnseen: ({ gateways: above = [{}], pathPrefix, ...route }) =>
      isNamed(routes, route) &&
      above.some((gateway) => isNamed(gateways, gateway)) &&
      mayHavePath(selector, pathPrefix),
    mayMeanBackend: (backend) => isNamed(backends, backend),
    isMeantBackend: isBackend && ((backend) => backend !== undefined && isBackend(backend)),
    cells: cellsOf(selector),
    isAboutHttp,
  };
}

/** Returns whether a selector may mean an object with a known name at most. */
function isNamed(
  { namespaces, names }: ObjectSelector = {},
  { namespace, name }: { readonly namespace?: string | undefined; readonly name?: string | undefined },
): boolean {
  const isAmong = (values: readonly string[] | undefined, value: string | undefined): boolean =>
    values === undefined || value === undefined || values.includes(value);
  return isAmong(namespaces, namespace) && isAmong(names, name);
}

/** Returns whether a selector may be about requests below a prefix of paths. */
function mayHavePath({ paths }: RequestSelector, prefix: string | undefined): boolean {
  if (paths === undefined || prefix === undefined) return true;
  return paths.some(({ type, value }) => hasPrefix(value, prefix) || (type !== 'Exact' && hasPrefix(prefix, value)));
}

/** Returns whether a selector is about all requests below a prefix of paths. */
export function coversPath({ paths, ...others }: RequestSelector, prefix: string | undefined): boolean {
  if (paths === undefined || prefix === undefined || Object.keys(others).length > 0) return false;
  return paths.some(({ type, value }) => type !== 'Exact' && hasPrefix(prefix, value));
}

/** A compiled selector of the other request. */
export interface Other {
  /** Whether it arrives at a Gateway or Service that is not the request's own; `undefined` if it arrives at its own. */
  readonly isMeant: ((node: TargetNode) => boolean) | undefined;
  /** The headers that it lacks, in lower case. */
  readonly withoutHeaders: ReadonlySet<string>;
  /** Whether it is the same request, at each rule that the rule which takes it shadows. */
  readonly isShadowed: boolean;
}

/** Compiles a selector of the other request. */
export function otherOf({ gateways, withoutHeaders = [], shadowed }: OtherSelector): Other {
  return {
    isMeant: objectTest(gateways),
    isShadowed: shadowed === true,
    withoutHeaders: new Set(withoutHeaders.map((name) => name.toLowerCase())),
  };
}

function cellsOf({ hostnames, paths, methods, headers }: RequestSelector): readonly Cell[] {
  if ([hostnames, paths, methods, headers].every((list) => list === undefined)) return [everything];
  const wanted = new Map((headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]));
  const conditions = paths?.map(({ type = 'PathPrefix', value }): PathCondition => ({ type, value }));
  return (hostnames ?? [undefined]).flatMap((hostname) =>
    (conditions ?? [undefined]).flatMap((path) =>
      (methods ?? [undefined]).map((method) => ({
        ...everything,
        hostname: hostname?.toLowerCase(),
        path,
        method,
        headers: wanted,
      })),
    ),
  );
}

type ObjectTest = (node: TargetNode) => boolean;

/** Returns a test for the objects that a selector selects; `undefined` if it does not ask. */
export function objectTest(selector: ObjectSelector | undefined): ObjectTest | undefined {
  if (selector === undefined) return undefined;
  const { namespaces, names, labels, namespaceLabels } = selector;
  const isLabelled = labels && selectorTest(labels);
  const isInLabelled = namespaceLabels && selectorTest(namespaceLabels);
  return (node) =>
    (namespaces === undefined || namespaces.includes(node.ref.namespace ?? '')) &&
    (names === undefined || names.includes(node.ref.name)) &&
    (isLabelled === undefined || isLabelled(labelsOf(node.resource))) &&
    (isInLabelled === undefined || isInLabelled(namespaceLabelsOf(node)));
}

/** Returns the labels of an object; none if it does not exist. */
export function labelsOf(object: KubernetesObject | undefined): Readonly<Record<string, string>> {
  return object?.metadata.labels ?? {};
}

/** Returns the labels of an object's namespace, with its name, which the API server sets on each; no others if the Namespace does not exist. */
export function namespaceLabelsOf({ ref, object }: TargetNode): Readonly<Record<string, string>> {
  const labels = labelsOf(object.namespace?.resource);
  return ref.namespace === undefined ? labels : { ...labels, [namespaceNameLabel]: ref.namespace };
}
