import { isJsonObject, type JsonObject, type KubernetesObject, stringIn } from '@policy-machinery/resource';
import { type ApiResource, resourcePath } from '../discovery/api-resource.ts';
import type { Sources } from '../source/create-sources.ts';
import { resourceVersionIn } from '../source/watch-event.ts';
import type { Clock } from '../time/clock.ts';
import { startDeadline } from '../time/deadline.ts';
import { readStatusError, StatusError } from '../transport/status-error.ts';
import type { Transport, TransportRequest } from '../transport/transport.ts';
import { type WriteFault, writeFaultOf } from './answer.ts';
import { type ObjectWrite, plannedObject, plannedVersion, requestOf, type WriteForm } from './object-write.ts';
import { isManagedBy, rivalIn } from './rival.ts';

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
}

/** How long a server may take for a write, in milliseconds. */
const writeTimeout = 30_000;

/**
 * Returns why a write need not be sent: its object is `gone`, or has changed after the plan, so that the write is `outdated`.
 *
 * @returns The reason; `undefined` if the write is worth a request.
 */
export function reasonNotToSend(write: ObjectWrite, sources: WriteSources): 'gone' | 'outdated' | undefined {
  const object = sources.get(write.locator);
  const isServed = sources.resourceOf(write.ref) !== undefined;
  if (write.action === 'apply') return isServed ? undefined : 'gone';
  if (object === undefined || !isServed) return 'gone';
  const planned = plannedVersion(write);
  if (planned !== undefined && planned !== object.metadata.resourceVersion) return 'outdated';
  return write.action !== 'delete' && write.apply.apiVersion !== object.apiVersion ? 'outdated' : undefined;
}

/**
 * Sends a write. Its answer goes into the sources, so that the next plan sees the written object; so does the object
 * after a conflict.
 *
 * @returns The result. Never rejects.
 */
export async function sendWrite(write: ObjectWrite, context: SendContext): Promise<Sent> {
  const { sources, form, fieldManager } = context;
  const resource = sources.resourceOf(write.ref);
  if (resource === undefined) return { result: 'gone' };
  const target = sources.get(write.locator);
  const { uid = target?.metadata.uid, resourceVersion = target?.metadata.resourceVersion } = plannedObject(write);
  try {
    if (write.action === 'apply' && target === undefined && (await isOfOthers(write, resource, context))) {
      return {
        result: 'refused',
        error: new Error(
          `the name of ${write.locator} is taken by an object that this field manager does not own; delete it, or apply another name`,
        ),
      };
    }
    const request = requestOf(write, { resource, form, fieldManager, uid, resourceVersion });
    if (write.action === 'delete') {
      await answerTo(request, context); // An object, or a Status.
      return { result: 'written' };
    }
    const body = await exchange(request, write.ref.name, context);
    sources.writeBack(write.ref, body);
    const object = sources.get(write.locator);
    return object === undefined ? { result: 'written' } : { result: 'written', object };
  } catch (error) {
    const fault = writeFaultOf(error);
    return isOpen(fault) ? look(write, { error, fault, uid, resource }, context) : { result: fault, error };
  }
}

/**
 * Returns whether an object exists that the sources do not have, because they read a part of its kind, and without fields of this manager. An apply
 * would take it over.
 */
async function isOfOthers({ ref }: ObjectWrite, resource: ApiResource, context: SendContext): Promise<boolean> {
  try {
    return !isManagedBy(await readFrom(resource, ref, context), context.fieldManager);
  } catch (error) {
    if (error instanceof StatusError && error.code === 404 && error.isFromApiServer) return false;
    throw error;
  }
}

/** A fault that only reading the object explains. */
type OpenFault = 'conflict' | 'invalid' | 'gone';

function isOpen(fault: WriteFault): fault is OpenFault {
  return fault === 'conflict' || fault === 'invalid' || fault === 'gone';
}

interface RefusedWrite {
  readonly error: unknown;
  readonly fault: OpenFault;
  readonly uid: string | undefined;
  readonly resource: ApiResource;
}

/** Reads an object after a write to it was refused: the object may have changed or be gone, or the write may be invalid. */
async function look(write: ObjectWrite, refusal: RefusedWrite, context: SendContext): Promise<Sent> {
  const { sources } = context;
  const { error, fault, uid, resource } = refusal;
  try {
    const body = await readFrom(resource, write.ref, context);
    // Created again under the same name: the watch brings the new object.
    if (stringIn(metadataOf(body).uid) !== uid) return { result: 'gone', error };
    if (fault === 'gone') return { result: 'refused', error }; // The object exists, but its written part does not.
    const planned = plannedVersion(write);
    const isSame = planned === undefined || resourceVersionIn(body) === planned;
    if (fault === 'invalid' && isSame) return { result: 'refused', error };
    sources.writeBack(write.ref, body);
    return { result: 'conflict', error };
  } catch (failure) {
    const result = writeFaultOf(failure);
    // The answer to the write has more details, for example that the namespace does not exist.
    return { result, error: result === fault ? error : failure };
  }
}

/**
 * Returns the other manager that has written to an object last; `undefined` if none is known. Never rejects.
 *
 * @param write The write that is about to restore the fields that the other manager has changed.
 */
export async function rivalOf({ ref, subresource }: ObjectWrite, context: SendContext): Promise<string | undefined> {
  const resource = context.sources.resourceOf(ref);
  try {
    return resource && rivalIn(await readFrom(resource, ref, context), subresource, context.fieldManager);
  } catch {
    return undefined; // The write that follows reports the fault.
  }
}

function readFrom(resource: ApiResource, ref: ObjectWrite['ref'], context: SendContext): Promise<JsonObject> {
  return exchange({ method: 'GET', path: resourcePath(resource, ref) }, ref.name, context);
}

/** Sends a request about an object, and returns the object. Rejects with the reason why there is none. */
async function exchange(request: TransportRequest, name: string, context: SendContext): Promise<JsonObject> {
  const body = await answerTo(request, context);
  if (isJsonObject(body) && metadataOf(body).name === name) return body;
  const what = `${request.method} ${request.path}`;
  throw new Error(`${what}: the answer is not the object; it may come from a proxy in front of the API server`);
}

async function answerTo(request: TransportRequest, { transport, clock, signal }: SendContext): Promise<unknown> {
  const what = `${request.method} ${request.path}`;
  const deadline = startDeadline(clock, writeTimeout, `${what}: no answer`, signal);
  try {
    const guarded = { ...request, signal: deadline.signal };
    const response = await transport.request(guarded);
    if (response.status >= 300) throw await readStatusError(response, guarded);
    return await response.json();
  } finally {
    deadline.clear();
  }
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isJsonObject(metadata) ? metadata : {};
}
