import { groupKindKey, groupOf } from './group-kind.ts';
import { PolicyMachineryError } from './issue.ts';
import type { KubernetesObject } from './kubernetes-object.ts';

/**
 * A reference to a resource or a section, by name.
 *
 * A reference from a locator has its kind in lower case, because locators do not preserve case.
 */
export interface ResourceRef {
  /** API group; `''` is the core group. */
  readonly group: string;
  readonly kind: string;
  /** Absent on cluster-scoped resources. */
  readonly namespace?: string;
  readonly name: string;
  /** Name of a listener, a route rule, a port …; absent for the whole resource. */
  readonly section?: string;
}

/**
 * Formats the name of a resource or a section in one line: `kind.group:namespace/name#section`.
 *
 * The locator omits the group for the core group, the namespace for cluster-scoped resources, and the section for whole
 * resources. Two resources have the same locator if and only if they are the same resource to the API server, in any version.
 *
 * @param ref The resource.
 * @returns Its locator.
 * @example
 * ```ts
 * formatLocator({ group: '', kind: 'Service', namespace: 'prod', name: 'cart' }); // 'service:prod/cart'
 * ```
 */
export function formatLocator(ref: ResourceRef): string {
  const namespace = ref.namespace === undefined ? '' : `${ref.namespace}/`;
  const section = ref.section === undefined ? '' : `#${ref.section}`;
  return `${groupKindKey(ref)}:${namespace}${ref.name}${section}`;
}

const form = /^([^.:/#]+)(?:\.([^:/#]+))?:(?:([^/#]+)\/)?([^/#]+)(?:#(.+))?$/s;

/**
 * Parses a locator.
 *
 * @param locator `kind.group:namespace/name#section`.
 * @returns The parts of the locator.
 * @throws {PolicyMachineryError} `invalid-locator`, if the text has another form, or a kind that is not in lower case. The
 * message has the correct form.
 */
export function parseLocator(locator: string): ResourceRef {
  const match = form.exec(locator);
  if (match === null) {
    throw new PolicyMachineryError(
      'invalid-locator',
      `"${locator}" is not a locator: write kind.group:namespace/name#section, for example ` +
        'httproute.gateway.networking.k8s.io:prod/checkout#rule-1, service:prod/cart or namespace:prod',
    );
  }
  const [, kind = '', group = '', namespace, name = '', section] = match;
  const end = locator.indexOf(':');
  const key = locator.slice(0, end);
  if (key !== key.toLowerCase()) {
    const right = key.toLowerCase() + locator.slice(end);
    throw new PolicyMachineryError(
      'invalid-locator',
      `"${locator}" is not a locator: the kind must be in lower case; write "${right}"`,
    );
  }
  return {
    group,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(section === undefined ? {} : { section }),
  };
}

/** Whether resources of a kind are in namespaces. */
export type ResourceScope = 'Namespaced' | 'Cluster';

/**
 * Returns the reference to a resource.
 *
 * @param resource Any Kubernetes resource.
 * @param scope The scope of its kind, if known: a namespaced resource without a namespace is then in `default`, as for kubectl,
 * and the namespace of a cluster-scoped one is ignored.
 * @returns Its group, kind, namespace and name.
 */
export function refOf(resource: KubernetesObject, scope?: ResourceScope): ResourceRef {
  const { apiVersion, kind, metadata } = resource;
  const { name } = metadata;
  const group = groupOf(apiVersion);
  const namespace = scope === 'Cluster' ? undefined : scope === undefined ? metadata.namespace : namespaceOf(resource);
  return namespace ? { group, kind, namespace, name } : { group, kind, name };
}

/**
 * Returns the locator of a resource.
 *
 * @param resource Any Kubernetes resource.
 * @param scope The scope of its kind, if known; see {@link refOf}.
 * @returns `kind.group:namespace/name`.
 */
export function locatorOf(resource: KubernetesObject, scope?: ResourceScope): string {
  return formatLocator(refOf(resource, scope));
}

/**
 * Returns the namespace of a resource of a namespaced kind.
 *
 * @returns Its namespace; `default` if it is missing or empty, as for kubectl.
 */
export function namespaceOf(resource: KubernetesObject): string {
  return resource.metadata.namespace || 'default';
}
