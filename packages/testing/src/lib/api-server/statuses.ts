import { formatGroupKind } from '@policy-machinery/resource';

/** A reason for a refusal, about one field. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

/** The `Status` of `v1`, which an API server answers instead of an object. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
  readonly code?: number;
}

/** A request that an API server refuses, with the `Status` that it answers. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  /** The body of the answer. */
  readonly status: Status;
  /** The HTTP status: 404. */
  readonly code: number;

  constructor(code: number, rest: Pick<Status, 'message' | 'reason' | 'details'> & Partial<Pick<Status, 'metadata'>>) {
    super(rest.message ?? rest.reason ?? `HTTP ${code}`);
    this.code = code;
    this.status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...rest, code };
  }
}

/** The names of a kind in messages. */
export interface NamedResource {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

/** Returns the name of a resource in messages: `httproutes.gateway.networking.k8s.io`. */
const resourceName = ({ group, plural }: NamedResource): string => formatGroupKind({ group, kind: plural });

/** Returns the details of a status about one object, in the terms of its URL. */
const detailsOf = ({ group, plural }: NamedResource, name: string) => ({
  name,
  ...(group === '' ? {} : { group }),
  kind: plural,
});

export function notFound(resource: NamedResource, name: string): StatusError {
  const message = `${resourceName(resource)} "${name}" not found`;
  return new StatusError(404, { message, reason: 'NotFound', details: detailsOf(resource, name) });
}

export function alreadyExists(resource: NamedResource, name: string): StatusError {
  const message = `${resourceName(resource)} "${name}" already exists`;
  return new StatusError(409, { message, reason: 'AlreadyExists', details: detailsOf(resource, name) });
}

/** Returns the error for an object with another version or `uid` than the client expects. */
export function conflict(resource: NamedResource, name: string, why = modified): StatusError {
  const message = `Operation cannot be fulfilled on ${resourceName(resource)} "${name}": ${why}`;
  return new StatusError(409, { message, reason: 'Conflict', details: detailsOf(resource, name) });
}

const modified = 'the object has been modified; please apply your changes to the latest version and try again';

/** Returns the error for invalid fields. The names come from the kind, not from the URL. */
export function invalid(
  { group, kind }: Omit<NamedResource, 'plural'>,
  name: string,
  causes: readonly StatusCause[],
): StatusError {
  const faults = causes.map(({ field, message }) => `${field}: ${message}`);
  const [only, ...more] = faults;
  const message = `${formatGroupKind({ group, kind })} "${name}" is invalid: ${more.length === 0 ? only : `[${faults.join(', ')}]`}`;
  const details = { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind, causes };
  return new StatusError(422, { message, reason: 'Invalid', details });
}

export const invalidValue = (field: string, value: unknown, why: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
  field,
});

/** Returns the cause for a value that must not be set. */
export const forbiddenValue = (field: string, why: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${why}`,
  field,
});

export const requiredValue = (field: string, why?: string): StatusCause => ({
  reason: 'FieldValueRequired',
  message: why === undefined ? 'Required value' : `Required value: ${why}`,
  field,
});

/** Returns the error for options of a request that exclude each other. */
export const invalidOptions = (kind: 'ListOptions' | 'PatchOptions', cause: StatusCause): StatusError =>
  invalid({ group: 'meta.k8s.io', kind }, '', [cause]);

/** Returns the error for a patch that cannot be applied, for example because its `test` fails. It lacks causes. */
export const unprocessable = (): StatusError =>
  new StatusError(422, {
    message: 'the server rejected our request due to an error in our request',
    reason: 'Invalid',
    details: {},
  });

export const badRequest = (message: string): StatusError => new StatusError(400, { message, reason: 'BadRequest' });

/** Returns the error for an unknown user. */
export const unauthorized = (): StatusError =>
  new StatusError(401, { message: 'Unauthorized', reason: 'Unauthorized' });

/** Returns the error for a user without the right. */
export function forbidden(
  resource: NamedResource,
  request: {
    readonly user: string;
    readonly verb: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  },
): StatusError {
  const { user, verb, subresource, namespace, name } = request;
  const what = name === undefined ? '' : ` "${name}"`;
  const plural = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const message = `${resourceName(resource)}${what} is forbidden: User "${user}" cannot ${verb} resource "${plural}" in API group "${resource.group}" ${where}`;
  const { name: _none, ...kind } = detailsOf(resource, '');
  return new StatusError(403, { message, reason: 'Forbidden', details: name === undefined ? kind : { name, ...kind } });
}

/** Returns the error for a version that is no longer kept. */
export const expired = (message: string, next?: string): StatusError =>
  new StatusError(410, { message, reason: 'Expired', ...(next === undefined ? {} : { metadata: { continue: next } }) });

/** Returns the error for a version that does not exist yet. */
export const tooLargeVersion = (version: number, current: number): StatusError =>
  new StatusError(504, {
    message: `Timeout: Too large resource version: ${version}, current: ${current}`,
    reason: 'Timeout',
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });

/** Returns the error for a body in an unsupported format. */
export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  new StatusError(415, {
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    reason: 'UnsupportedMediaType',
  });

/** Returns the error for an unsupported format of the answer. */
export const notAcceptable = (): StatusError =>
  new StatusError(406, {
    message:
      'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    reason: 'NotAcceptable',
  });

/** Returns the error for a kind that the core group does not have. Other groups answer in plain text. */
export const noSuchResource = (): StatusError =>
  new StatusError(404, {
    message: 'the server could not find the requested resource',
    reason: 'NotFound',
    details: {},
  });

/** Returns the error for a verb that the resource does not support. */
export const methodNotAllowed = (): StatusError =>
  new StatusError(405, {
    message: 'the server does not allow this method on the requested resource',
    reason: 'MethodNotAllowed',
    details: {},
  });
