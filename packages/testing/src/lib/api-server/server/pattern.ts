import type { ResourceRequest } from '../requests/request.ts';

/**
 * Which requests are meant: a verb and a resource, such as `watch httproutes` or `patch gateways/status`. `*` stands for all verbs
 * or resources. A resource without a subresource means its subresources as well. A path instead of a resource means requests
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

/** Returns whether a request is meant. Throws for a text that is no pattern. */
export function matchesPattern(pattern: RequestPattern, { verb, resource }: Subject): boolean {
  const [, verbs, resources] = /^(\*|[a-z]+)(?: (\S+))?$/.exec(pattern) ?? [];
  if (verbs === undefined)
    throw new TypeError(`"${pattern}" names no requests; write "watch httproutes", "patch gateways/status" or "*"`);
  const isVerb = verbs === '*' || verbs === verb;
  const isResource =
    resources === undefined || resources === '*' || resources === resource || resource.startsWith(`${resources}/`);
  return isVerb && isResource;
}
