import { isJsonObject, type JsonObject } from '@policy-machinery/resource';
import type { ServedKind } from '../kinds/served-kind.ts';
import { badRequest } from '../statuses.ts';
import { contentTypeOf, type Representation } from './media-types.ts';

/** The attributes of a request, in the terms of RBAC. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export interface ResourceRequest {
  readonly verb: Verb;
  readonly kind: ServedKind;
  /** The `apiVersion` in the URL. */
  readonly apiVersion: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly representation: Representation;
}

export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Returns the manager of a change, as in `managedFields`. */
export function managerOf({ query, headers }: Pick<ResourceRequest, 'query' | 'headers'>): string {
  return query.fieldManager || (headers['user-agent'] ?? '').split('/')[0] || 'unknown';
}

/** The media types of bodies that API servers read. Only JSON is read here. */
const bodyTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

export function parseBody({ body, kind, headers }: Pick<ResourceRequest, 'body' | 'kind' | 'headers'>): JsonObject {
  contentTypeOf(headers['content-type'] ?? 'application/json', bodyTypes);
  try {
    const value: unknown = JSON.parse(body);
    if (isJsonObject(value)) return value;
  } catch {
    // As for JSON that is not an object.
  }
  throw badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): couldn't get version/kind`);
}
