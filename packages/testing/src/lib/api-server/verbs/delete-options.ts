import { isJsonObject, type JsonObject, objectsIn, stringIn } from '@policy-machinery/resource';
import type { ResourceRequest } from '../requests/request.ts';
import { badRequest } from '../statuses.ts';

/**
 * Reads the options of a DELETE. An empty body stands for default options; a body without a kind
 * counts as `DeleteOptions`.
 *
 * @returns The preconditions.
 * @throws {StatusError} 400 if the body is not an object, or is of another kind.
 */
export function preconditionsIn({ body }: Pick<ResourceRequest, 'body'>): JsonObject {
  if (body === '') return {};
  const options = parsed(body);
  if (!isJsonObject(options)) throw badRequest("couldn't get version/kind; the body is not an object");
  const { kind = 'DeleteOptions', apiVersion = 'v1', preconditions } = options;
  if (kind !== 'DeleteOptions') {
    const [named, version] = [stringIn(kind), stringIn(apiVersion)];
    throw badRequest(`no kind "${named}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:N"`);
  }
  return objectsIn([preconditions])[0] ?? {};
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
