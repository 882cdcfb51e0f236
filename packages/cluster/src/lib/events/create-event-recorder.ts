import { hostname } from 'node:os';
import { type Clock, systemClock } from '../time/clock.ts';
import type { Transport } from '../transport/transport.ts';
import { EventRecorder } from './event-recorder.ts';

/** The reporter of events, and its dependencies. */
export interface EventRecorderOptions {
  /** The controller: `timeouts.example.com/controller`. */
  readonly reportingController: string;
  /** The process. Default: the name of the host, which in a pod is the name of the pod. */
  readonly reportingInstance?: string | undefined;
  /** Called with each error, for logs. The event is dropped. Default: none. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
}

/**
 * Creates a recorder of events (`events.k8s.io/v1`), for `kubectl events` and `kubectl describe`. The same event within six minutes
 * is counted, and events about one object are limited to 25 at once and one in five minutes after that.
 *
 * @param transport The connection.
 * @param options The reporter.
 * @returns The recorder.
 * @example
 * ```ts
 * const events = createEventRecorder(connection, { reportingController: 'timeouts.example.com/controller' });
 * events.record({ regarding: gateway, type: 'Warning', reason: 'StatusConflict', action: 'WriteStatus', note: '…' });
 * ```
 */
export function createEventRecorder(transport: Transport, options: EventRecorderOptions): EventRecorder {
  const { reportingController, reportingInstance = hostname(), onError = () => {}, clock = systemClock } = options;
  return EventRecorder.make(transport, { reportingController, reportingInstance, onError, clock });
}
