import { matchesPattern, type RequestPattern, type Subject } from './pattern.ts';

/**
 * A fault:
 *
 * - `refuse`: the connection is refused; the server does nothing.
 * - `drop`: the connection breaks. The server has carried out the request; a watch has got the events before.
 * - `halfOpen`: as `drop`, but the client does not notice: nothing arrives any more.
 * - `gone`: 410. A watch gets it as an `ERROR` event, and ends.
 * - `{ status }`: the server refuses the request with this HTTP status, and does nothing else.
 * - `{ status, text }`: something between client and server answers with this text. The server does nothing.
 * - `{ delay }`: the answer comes so many milliseconds later.
 *
 * Only for watches:
 *
 * - `garbage`: a line that is not JSON comes before the event.
 * - `duplicate`: the event comes twice.
 * - `forget`: the event does not come.
 */
export type FaultAction =
  | 'refuse'
  | 'drop'
  | 'halfOpen'
  | 'gone'
  | 'garbage'
  | 'duplicate'
  | 'forget'
  | { readonly status: number; readonly retryAfter?: number; readonly reason?: string; readonly message?: string }
  | { readonly status: number; readonly text: string }
  | { readonly delay: number };

/** A fault, and when it happens. */
export interface Fault {
  /** The requests that it affects. */
  readonly at: RequestPattern;
  /**
   * How many requests succeed after the fault was added, before it happens. For `drop`, `halfOpen`, `gone`, `garbage`, `duplicate` and `forget` at a
   * watch: how many events. Default 0.
   */
  readonly after?: number;
  /** How many requests or events it affects. Default 1. */
  readonly times?: number;
  readonly do: FaultAction;
}

interface Planned extends Fault {
  seen: number;
}

/** Returns whether an action meets the events of a watch, not the request for it. */
function meetsEvents({ do: action }: Fault, { verb }: Subject): boolean {
  return verb === 'watch' && typeof action === 'string' && action !== 'refuse';
}

export class Faults {
  readonly #planned = new Set<Planned>();

  /** Adds faults. Returns a function that removes them. */
  add(faults: readonly Fault[]): () => void {
    const added = faults.map((fault) => ({ ...fault, seen: 0 }));
    for (const fault of added) {
      matchesPattern(fault.at, { verb: '', resource: '' });
      this.#planned.add(fault);
    }
    return () => {
      for (const fault of added) this.#planned.delete(fault);
    };
  }

  atRequest(subject: Subject): FaultAction | undefined {
    return this.#next(subject, false);
  }

  /** Returns the fault of an event of a watch, if there is one. */
  atEvent(subject: Subject): FaultAction | undefined {
    return this.#next(subject, true);
  }

  /** Counts a request or event for all faults that match it. Returns the first fault that is due. */
  #next(subject: Subject, isEvent: boolean): FaultAction | undefined {
    let due: FaultAction | undefined;
    for (const fault of this.#planned) {
      if (meetsEvents(fault, subject) !== isEvent || !matchesPattern(fault.at, subject)) continue;
      const { after = 0, times = 1 } = fault;
      fault.seen += 1;
      if (fault.seen > after) due ??= fault.do;
      if (fault.seen >= after + times) this.#planned.delete(fault);
    }
    return due;
  }
}
