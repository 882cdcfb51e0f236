import { isJsonObject, type JsonObject, stringIn } from '@policy-machinery/resource';
import { statusError } from '../transport/status-error.ts';

/** A change, as a watch reports it. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: JsonObject;
}

/** The error of a line that is not an event: something between the API server and this process has mangled it. */
export class MalformedEventError extends Error {
  override readonly name = 'MalformedEventError';
}

const types = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'] as const satisfies readonly WatchEvent['type'][];

/**
 * Reads a line of a watch.
 *
 * @param what The request, for messages.
 * @returns The event.
 * @throws {StatusError} The error of an ERROR event.
 * @throws {MalformedEventError} If the line is something else.
 */
export function readWatchEvent(line: string, what: string): WatchEvent {
  const event = parse(line);
  if (isJsonObject(event) && isJsonObject(event.object)) {
    const { object } = event;
    const type = types.find((each) => each === event.type);
    if (type !== undefined) return { type, object };
    if (event.type === 'ERROR') throw statusError(object, { what });
  }
  throw new MalformedEventError(`${what}: a line is not an event: ${line.slice(0, 200)}`);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export function resourceVersionIn(object: JsonObject): string | undefined {
  return isJsonObject(object.metadata) ? stringIn(object.metadata.resourceVersion) : undefined;
}

/** Returns whether a bookmark marks the end of the initial objects. */
export function endsInitialEvents({ metadata }: JsonObject): boolean {
  const annotations = isJsonObject(metadata) ? metadata.annotations : undefined;
  return isJsonObject(annotations) && annotations['k8s.io/initial-events-end'] === 'true';
}
