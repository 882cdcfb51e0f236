import type { JsonObject } from '@policy-machinery/resource';

/** An object that an event is about. */
export interface EventObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
}

/** Something that people should see in `kubectl events`. */
export interface EventDetails {
  /** The object that the event is about. */
  readonly regarding: EventObject;
  /** `Warning` if the event calls for action. */
  readonly type: 'Normal' | 'Warning';
  /** Why, in one word: `StatusConflict`. */
  readonly reason: string;
  /** The action that the controller took or tried, in one word: `WriteStatus`. */
  readonly action: string;
  /** For people. Cut at 1,024 bytes. */
  readonly note: string;
}

/** The reporter of events. */
export interface EventSource {
  /** The controller: `timeouts.example.com/controller`. */
  readonly reportingController: string;
  /** The process: the name of its pod. */
  readonly reportingInstance: string;
}

/** The longest texts that the API server accepts. */
const maxNote = 1024;
const maxWord = 128;

/** Returns the key of an event. An event with the key of an earlier one is counted as its repetition. */
export function eventKey({ regarding, type, reason, action, note }: EventDetails): string {
  const { apiVersion, kind, metadata } = regarding;
  return JSON.stringify([
    apiVersion,
    kind,
    metadata.namespace,
    metadata.name,
    metadata.uid,
    type,
    reason,
    action,
    note,
  ]);
}

export function eventObject(details: EventDetails, source: EventSource, name: string, time: string): JsonObject {
  const { regarding, type, reason, action, note } = details;
  const { apiVersion, kind, metadata } = regarding;
  const { namespace = 'default' } = metadata;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace },
    eventTime: time,
    type,
    reason: reason.slice(0, maxWord),
    action: action.slice(0, maxWord),
    note: cut(note),
    reportingController: source.reportingController,
    reportingInstance: source.reportingInstance.slice(0, maxWord),
    regarding: {
      apiVersion,
      kind,
      name: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
      ...(metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion }),
    },
  };
}

function cut(note: string): string {
  const bytes = Buffer.from(note);
  if (bytes.length <= maxNote) return note;
  // The cut may have left a part of a character, which decodes as a replacement.
  return `${bytes.toString('utf8', 0, maxNote - 3).replace(/\uFFFD{1,3}$/, '')}…`;
}
