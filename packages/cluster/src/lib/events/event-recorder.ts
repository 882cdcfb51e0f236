import { createHash, randomUUID } from 'node:crypto';
import { setNewest } from '../bounds/set-newest.ts';
import type { Clock } from '../time/clock.ts';
import { startDeadline } from '../time/deadline.ts';
import { readStatusError, StatusError } from '../transport/status-error.ts';
import type { Transport } from '../transport/transport.ts';
import { type EventDetails, type EventSource, eventKey, eventObject } from './event.ts';
import { SpamFilter } from './spam-filter.ts';

export interface EventRecorderContext extends EventSource {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** An event that was sent, with the number of its repetitions. */
interface Series {
  readonly path: string;
  count: number;
  lastAt: number;
}

/** After that time without a repetition, the same event is a new one, in milliseconds. As in client-go. */
const seriesEnd = 360_000;

/** The most events to compare with. */
const maxSeries = 4096;

/** The most requests that wait; more events than that are dropped. */
const maxWaiting = 1000;

const requestTimeout = 30_000;

/**
 * Sends events, one after the other.
 *
 * Made with `createEventRecorder`.
 */
export class EventRecorder {
  readonly #transport: Transport;
  readonly #context: EventRecorderContext;
  readonly #series = new Map<string, Series>();
  readonly #filter: SpamFilter;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  readonly #end = new AbortController();

  private constructor(transport: Transport, context: EventRecorderContext) {
    this.#transport = transport;
    this.#context = context;
    this.#filter = new SpamFilter(context.clock);
  }

  /** @internal Use `createEventRecorder`. */
  static make(transport: Transport, context: EventRecorderContext): EventRecorder {
    return new EventRecorder(transport, context);
  }

  /**
   * Sends an event, or counts it if it was sent within the last six minutes. Events are a courtesy: if too many come, or the API server does not
   * take one, it is dropped. Never throws, and returns before anything is sent.
   *
   * @param details The event.
   */
  record(details: EventDetails): void {
    const { apiVersion, kind, metadata } = details.regarding;
    const object = JSON.stringify([apiVersion, kind, metadata.namespace, metadata.name, metadata.uid]);
    if (this.#end.signal.aborted || this.#waiting >= maxWaiting || !this.#filter.accepts(object)) return;
    this.#waiting += 1;
    this.#last = this.#last
      .then(() => this.#send(details))
      .catch((error: unknown) => {
        if (!this.#end.signal.aborted) this.#context.onError(error);
      })
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  /** Returns a promise that resolves when all events so far are sent or dropped. */
  async flush(): Promise<void> {
    await this.#last;
  }

  /** Ends at once. Events that are not sent yet are dropped. */
  close(): void {
    this.#end.abort(new Error('the event recorder is closed'));
  }

  async #send(details: EventDetails): Promise<void> {
    const key = eventKey(details);
    const time = this.#context.clock.now();
    const series = this.#series.get(key);
    if (series !== undefined && time - series.lastAt < seriesEnd) {
      series.count += 1;
      series.lastAt = time;
      if (await this.#count(series, time)) return;
    }
    setNewest(this.#series, key, { path: await this.#create(details, time), count: 1, lastAt: time }, maxSeries);
  }

  async #create(details: EventDetails, time: number): Promise<string> {
    const { metadata } = details.regarding;
    const name = `${metadata.name.slice(0, 230)}.${shortHash(randomUUID())}`;
    const path = `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(metadata.namespace ?? 'default')}/events`;
    const event = eventObject(details, this.#context, name, microTime(time));
    await this.#exchange('POST', path, 'application/json', event);
    return `${path}/${encodeURIComponent(name)}`;
  }

  /** Returns whether the event was still there. API servers delete events after an hour. */
  async #count({ path, count }: Series, time: number): Promise<boolean> {
    const series = { count, lastObservedTime: microTime(time) };
    try {
      await this.#exchange('PATCH', path, 'application/merge-patch+json', { series });
      return true;
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return false;
      throw error;
    }
  }

  async #exchange(method: string, path: string, contentType: string, content: object): Promise<void> {
    const deadline = startDeadline(
      this.#context.clock,
      requestTimeout,
      `${method} ${path}: no answer`,
      this.#end.signal,
    );
    try {
      const headers = { 'content-type': contentType };
      const request = { method, path, headers, body: JSON.stringify(content), signal: deadline.signal };
      const response = await this.#transport.request(request);
      if (response.status >= 300) throw await readStatusError(response, request);
      await response.text();
    } finally {
      deadline.clear();
    }
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function microTime(time: number): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}
