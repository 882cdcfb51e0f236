import { isJsonObject, type KubernetesObject, stringIn } from '@policy-machinery/resource';
import { type ApiResource, resourcePath } from '../discovery/api-resource.ts';
import type { Sources } from '../source/create-sources.ts';
import { resourceVersionIn } from '../source/watch-event.ts';
import type { Clock } from '../time/clock.ts';
import { startDeadline } from '../time/deadline.ts';
import { readStatusError } from '../transport/status-error.ts';
import type { Transport, TransportRequest } from '../transport/transport.ts';
import { type WriteFault, writeFaultOf } from './answer.ts';
import { type ObjectWrite, plannedVersion, requestOf, type WriteForm } from './object-write.ts';
import { rivalIn } from './rival.ts';

/** The part of {@link Sources} that writes need. */
export type WriteSources = Pick<Sources, 'get' | 'resourceOf' | 'writeBack'>;

/** The dependencies of a request. */
export interface SendContext {
  readonly transport: Transport;
  readonly sources: WriteSources;
  readonly form: WriteForm;
  readonly fieldManager: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The result of a write. */
export interface Sent {
  readonly result: 'written' | WriteFault;
  readonly error?: unknown;
  /** The object after the write. */
  readonly object?: KubernetesObject;
  /** Another client that writes to the object, after a conflict. */
  readonly rival?: string;
}

/** How long a server may take for a write, in milliseconds. */
const writeTimeout = 30_000;

/**
 * Returns why a write need not be sent: its object is `gone`, or has changed since the plan, so that the write is `outdated`.
 *
 * @returns The reason; `undefined` if the write is worth a request.
 */
export function reasonNotToSend(write: ObjectWrite, sources: WriteSources): 'gone' | 'outdated' | undefined {
  const known = sources.get(write.locator);
  if (known === undefined || sources.resourceOf(write.ref) === undefined) return 'gone';
  const planned = plannedVersion(write);
  const isOutdated = planned !== undefined && planned !== known.metadata.resourceVersion;
  return isOutdated || write.apply.apiVersion !== known.apiVersion ? 'outdated' : undefined;
}

/**
 * Sends a write. Its answer goes into the sources, so that the next plan sees what was written; so does the object after a conflict.
 *
 * @returns The result. Never rejects.
 */
export async function sendWrite(write: ObjectWrite, context: SendContext): Promise<Sent> {
  const { sources, form, fieldManager } = context;
  const resource = sources.resourceOf(write.ref);
  if (resource === undefined) return { result: 'gone' };
  const uid = sources.get(write.locator)?.metadata.uid;
  try {
    const body = await exchange(requestOf(write, { resource, form, fieldManager, uid }), context);
    sources.writeBack(write.ref, body);
    const object = sources.get(write.locator);
    return object === undefined ? { result: 'written' } : { result: 'written', object };
  } catch (error) {
    const result = writeFaultOf(error);
    if (result !== 'conflict' && result !== 'invalid') return { result, error };
    return look(write, { error, result, uid, resource }, context);
  }
}

interface Refusal {
  readonly error: unknown;
  readonly result: 'conflict' | 'invalid';
  readonly uid: string | undefined;
  readonly resource: ApiResource;
}

/** Reads an object after a write to it was refused: the object may have changed or be gone, or the write may be invalid. */
async function look(write: ObjectWrite, refusal: Refusal, context: SendContext): Promise<Sent> {
  const { sources, fieldManager } = context;
  const { error, uid, resource } = refusal;
  try {
    const body = await exchange({ method: 'GET', path: resourcePath(resource, write.ref) }, context);
    const metadata = isJsonObject(body) && isJsonObject(body.metadata) ? body.metadata : {};
    // Created again under the same name: the watch brings the new object.
    if (stringIn(metadata.uid) !== uid) return { result: 'gone', error };
    const planned = plannedVersion(write);
    const isSame = isJsonObject(body) && (planned === undefined || resourceVersionIn(body) === planned);
    if (refusal.result === 'invalid' && isSame) return { result: 'refused', error };
    const rival = rivalIn(body, write.subresource, fieldManager);
    sources.writeBack(write.ref, body);
    return { result: 'conflict', error, ...(rival === undefined ? {} : { rival }) };
  } catch (failure) {
    return { result: writeFaultOf(failure), error: failure };
  }
}

async function exchange(request: TransportRequest, { transport, clock, signal }: SendContext): Promise<unknown> {
  const deadline = startDeadline(clock, writeTimeout, `${request.method} ${request.path}: no answer`, signal);
  try {
    const guarded = { ...request, signal: deadline.signal };
    const response = await transport.request(guarded);
    if (response.status >= 300) throw await readStatusError(response, guarded);
    return await response.json();
  } finally {
    deadline.clear();
  }
}
