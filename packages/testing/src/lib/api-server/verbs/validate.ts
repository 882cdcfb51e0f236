import { isJsonObject, type JsonObject, stringIn } from '@policy-machinery/resource';
import { metadataIn, type ServerObject } from '../objects.ts';
import type { ResourceRequest } from '../requests/request.ts';
import {
  badRequest,
  conflict,
  forbiddenValue,
  invalid,
  invalidValue,
  requiredValue,
  type StatusCause,
} from '../statuses.ts';

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const nameRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** Refuses an object of another version, kind, name or namespace than the URL. */
export function checkIdentity(body: JsonObject, { kind, apiVersion, name, namespace }: ResourceRequest): void {
  const metadata = metadataIn(body);
  const given = stringIn(metadata.name) ?? '';
  if (body.apiVersion !== apiVersion) {
    throw badRequest(
      `the API version in the data (${stringIn(body.apiVersion) ?? ''}) does not match the expected API version (${apiVersion})`,
    );
  }
  if (body.kind !== kind.kind) {
    const cause = invalidValue('kind', body.kind, `must be ${kind.kind}`);
    throw invalid({ group: kind.group, kind: stringIn(body.kind) ?? '' }, given, [cause]);
  }
  if (name !== undefined && given !== name) {
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
  const inBody = stringIn(metadata.namespace) ?? '';
  if (inBody !== '' && inBody !== (namespace ?? '')) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** Refuses metadata that no object may have. */
export function checkMetadata(body: JsonObject, { kind, apiVersion }: ResourceRequest): void {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const metadata = metadataIn(body);
  const name = stringIn(metadata.name) ?? '';
  const causes: StatusCause[] = [];
  if (name === '') causes.push(requiredValue('metadata.name', 'name or generateName is required'));
  else if (name.length > 253 || !subdomain.test(name)) causes.push(invalidValue('metadata.name', name, nameRule));
  for (const field of ['labels', 'annotations']) {
    const map = metadata[field];
    if (map === undefined || map === null) continue;
    const isMap = isJsonObject(map) && Object.values(map).every((value) => typeof value === 'string');
    if (!isMap)
      throw badRequest(
        `${kind.kind} in version "${version}" cannot be handled as a ${kind.kind}: metadata.${field} is not a map of strings`,
      );
  }
  if (causes.length > 0) throw invalid(kind, name, causes);
}

/** Refuses the change of an object with another version or `uid` than the client expects. */
export function checkVersion(body: JsonObject, current: ServerObject, { kind }: ResourceRequest): void {
  const { uid, resourceVersion } = metadataIn(body);
  const { name } = current.metadata;
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== current.metadata.resourceVersion) {
    throw conflict(kind, name);
  }
  if (uid !== undefined && uid !== '' && uid !== current.metadata.uid) {
    throw invalid(kind, name, [invalidValue('metadata.uid', uid, 'field is immutable')]);
  }
}

/** Refuses further finalizers of an object that is being deleted. */
export function checkFinalizers(
  body: JsonObject,
  { metadata }: ServerObject,
  { kind, subresource }: ResourceRequest,
): void {
  const { finalizers } = metadataIn(body);
  if (metadata.deletionTimestamp === undefined || subresource !== undefined || !Array.isArray(finalizers)) return;
  const added = finalizers.filter((finalizer) => !metadata.finalizers?.includes(String(finalizer)));
  if (added.length === 0) return;
  const addedList = `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(', ')}}`;
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers ${addedList}`;
  throw invalid(kind, metadata.name, [forbiddenValue('metadata.finalizers', why)]);
}
