import type { Clock } from '../time/clock.ts';
import { startDeadline } from '../time/deadline.ts';
import { readStatusError } from '../transport/status-error.ts';
import type { Transport, TransportRequest } from '../transport/transport.ts';
import { readWatchEvent, type WatchEvent } from './watch-event.ts';

/** How long a server may take to begin its answer, in milliseconds. */
export const answerTimeout = 30_000;

export interface WatchToFollow {
  readonly transport: Transport;
  readonly request: TransportRequest;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when the server has agreed. An error that it throws ends the watch. */
  readonly onOpen: () => void;
  /** Called with each event. An error that it throws ends the watch. */
  readonly onEvent: (event: WatchEvent) => void;
  /** Returns how long the server may be silent from now on, in milliseconds. */
  readonly silence: () => number;
}

/**
 * Follows a watch to its end.
 *
 * @returns A promise that resolves when the server ends the watch. It rejects if the server refuses, breaks off, sends an error, or
 * is silent for too long.
 */
export async function followWatch(watch: WatchToFollow): Promise<void> {
  const { transport, request, clock, signal, onOpen, onEvent, silence } = watch;
  const what = `${request.method} ${request.path}`;
  const deadline = startDeadline(clock, answerTimeout, `${what}: the connection is silent`, signal);
  try {
    const guarded = { ...request, signal: deadline.signal };
    const response = await transport.request(guarded);
    if (response.status !== 200) throw await readStatusError(response, guarded);
    onOpen();
    deadline.extend(silence());
    for await (const line of response.lines()) {
      onEvent(readWatchEvent(line, what));
      deadline.extend(silence());
    }
  } catch (error) {
    deadline.abort(error);
    throw error;
  } finally {
    deadline.clear();
  }
}
