import { isJsonObject, type JsonObject, type JsonValue, messageOf } from '@policy-machinery/resource';
import jsonpatch, { type Operation } from 'fast-json-patch';
import type { Cluster } from '../cluster.ts';
import type { ServerObject } from '../objects.ts';
import { contentTypeOf } from '../requests/media-types.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { badRequest, unprocessable } from '../statuses.ts';
import { apply } from './apply.ts';
import { entryOf } from './read.ts';
import { replace, type Written } from './update.ts';
import { checkIdentity } from './validate.ts';

/** Returns an object after a patch. */
type Patch = (object: ServerObject, body: string) => JsonObject;

const patches: Readonly<Record<string, Patch>> = {
  'application/json-patch+json': jsonPatched,
  'application/merge-patch+json': mergePatched,
};

const applyType = 'application/apply-patch+yaml';

/** Carries out a PATCH of an object or its status. */
export function patch(cluster: Cluster, request: ResourceRequest): Written {
  const type = contentTypeOf(request.headers['content-type'], [...Object.keys(patches), applyType]);
  const patched = patches[type];
  if (patched === undefined) return apply(cluster, request);
  const entry = entryOf(cluster, request);
  const object = patched(entry.in(request.apiVersion), request.body);
  checkIdentity(object, request);
  return { entry: replace(cluster, request, object), isNew: false };
}

function jsonPatched(object: ServerObject, body: string): JsonObject {
  const operations = parse(body);
  if (!Array.isArray(operations)) throw badRequest('error decoding patch: the patch is not a list of operations');
  const patched = applied(object, operations);
  if (!isJsonObject(patched)) throw unprocessable();
  return patched;
}

function applied(object: ServerObject, operations: Operation[]): unknown {
  try {
    return jsonpatch.applyPatch<unknown>(object, operations, true, false).newDocument;
  } catch {
    throw unprocessable();
  }
}

function mergePatched(object: ServerObject, body: string): JsonObject {
  const change = parse(body);
  if (!isJsonObject(change)) throw badRequest('error decoding patch: the patch is not an object');
  const merged = mergePatch(object, change);
  return isJsonObject(merged) ? merged : object;
}

/** RFC 7386. */
function mergePatch(target: JsonValue | undefined, change: JsonValue): JsonValue {
  if (!isJsonObject(change)) return change;
  const merged: Record<string, JsonValue> = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

function parse(body: string): JsonValue {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw badRequest(`error decoding patch: ${messageOf(error)}`);
  }
}
