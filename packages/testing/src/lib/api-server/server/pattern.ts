import type { ResourceRequest } from '../requests/request.ts';

/**
 * A pattern of requests: a verb and a resource, such as `watch httproutes` or `patch gateways/status`. `*` matches all verbs
 * or resources. A resource without a subresource matches its subresources too. A path instead of a resource matches requests
 * that are not for objects: `get /apis`.
 */
export type RequestPattern = string;

/** The parts of a request that patterns compare. */
export interface Subject {
  readonly verb: string;
  /** `httproutes`, `httproutes/status`, or a path. */
  readonly resource: string;
}

/** Returns the parts of a request for objects that patterns compare. */
export function subjectOf({
  verb,
  kind,
  subresource,
}: Pick<ResourceRequest, 'verb' | 'kind' | 'subresource'>): Subject {
  return { verb, resource: subresource === undefined ? kind.plural : `${kind.plural}/${subresource}` };
}

/** Returns whether a request matches a pattern. Throws for an invalid pattern. */
export function matchesPattern(pattern: RequestPattern, { verb, resource }: Subject): boolean {
  const [, verbs, resources] = /^(\*|[a-z]+)(?: (\S+))?$/.exec(pattern) ?? [];
  if (verbs === undefined)
    throw new TypeError(`"${pattern}" names no requests; write "watch httproutes", "patch gateways/status" or "*"`);
  const isVerb = verbs === '*' || verbs === verb;
  const isResource =
    resources === undefined || resources === '*' || resources === resource || resource.startsWith(`${resources}/`);
  return isVerb && isResource;
}
