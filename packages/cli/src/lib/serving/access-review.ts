import type { Transport } from '@policy-machinery/cluster';
import { type GroupKind, isJsonObject } from '@policy-machinery/resource';

/** The objects that somebody may or may not list: of a resource, in a namespace or in all. */
export interface Listed extends Pick<GroupKind, 'group'> {
  /** The name in URLs: `httproutes`. */
  readonly resource: string;
  /** `undefined` for all namespaces, and for resources without namespaces. */
  readonly namespace: string | undefined;
}

/** The API server does not know the owner of a token. */
export class UnknownViewerError extends Error {}

const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** How long an answer may take, in milliseconds. */
const patience = 10_000;

/**
 * Asks the API server whether the owner of a token may list objects, by a SelfSubjectAccessReview.
 *
 * @param transport A connection without credentials of its own: with any, the answer would be about their owner.
 * @param token The token.
 * @param listed The objects.
 * @returns Whether the API server allows it. Rejects with an {@link UnknownViewerError} if the token is not accepted, and with another error if the
 * answer is not known.
 */
export async function mayList(transport: Transport, token: string, listed: Listed): Promise<boolean> {
  const { group, resource, namespace } = listed;
  const resourceAttributes = { verb: 'list', group, resource, ...(namespace === undefined ? {} : { namespace }) };
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  };
  const response = await transport.request({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(review),
    signal: AbortSignal.timeout(patience),
  });
  if (response.status === 401) throw new UnknownViewerError('the API server does not accept this token');
  if (response.status !== 201 && response.status !== 200) {
    throw new Error(
      `the API server does not say what a viewer may list: it answers POST ${path} with ${response.status}`,
    );
  }
  const body = await response.json(1 << 20);
  const status = isJsonObject(body) && isJsonObject(body.status) ? body.status : {};
  return status.allowed === true && status.denied !== true;
}
