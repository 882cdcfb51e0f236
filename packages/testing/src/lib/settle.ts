import type { FakeApiServer } from './api-server/fake-api-server.ts';
import type { AuditEntry } from './api-server/server/audit.ts';
import { matchesPattern, type RequestPattern } from './api-server/server/pattern.ts';
import type { FakeClock } from './clock/fake-clock.ts';

/** The conditions to wait for. */
export interface SettleOptions {
  /** The clock that the controller and the server are on. */
  readonly clock: FakeClock;
  /** The server that the controller uses by its `transport`: over sockets, the arrival of an answer cannot be observed. */
  readonly server: FakeApiServer;
  /** How many milliseconds of the clock must pass without a request. Default one minute. */
  readonly quiet?: number | undefined;
  /** After how many milliseconds of the clock to give up. Default one hour. */
  readonly limit?: number | undefined;
  /** Requests that never end, and so do not count. Default: renewals of leases. Discovery never counts. */
  readonly ignore?: readonly RequestPattern[] | undefined;
  /** Returns whether other work is in progress. Default: none is. */
  readonly isBusy?: (() => boolean) | undefined;
}

const second = 1000;
const writes = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/**
 * Moves a clock until a controller has nothing more to do: until there was no request for objects for a
 * while. Timers run in their order, without any waiting.
 *
 * Other requests do not count: a controller repeats discovery for as long as a kind is not served.
 *
 * @param options The clock and the server.
 * @returns The writes that the server has got meanwhile, refused ones included.
 * @throws {Error} If requests have not ended at the limit, with the most frequent one.
 * @example
 * ```ts
 * server.create(gateway);
 * const writes = await settle({ clock, server });
 * expect(writes.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['patch gateways/status']);
 * ```
 */
export async function settle(options: SettleOptions): Promise<readonly AuditEntry[]> {
  const { clock, server, quiet = 60 * second, limit = 3600 * second, ignore = ['* leases'] } = options;
  const counts = ({ verb, resource }: AuditEntry): boolean =>
    verb !== undefined &&
    resource !== undefined &&
    !ignore.some((pattern) => matchesPattern(pattern, { verb, resource }));
  const [first, start] = [server.requests.length, clock.monotonic()];
  let [seen, lastActivity] = [first, start];
  await clock.advance(0);
  for (;;) {
    const time = clock.monotonic();
    if (server.requests.slice(seen).some(counts) || options.isBusy?.()) lastActivity = time;
    seen = server.requests.length;
    const remaining = lastActivity + quiet - time;
    if (remaining <= 0) break;
    if (time - start >= limit) throw new Error(endless(server.requests.slice(first).filter(counts), limit));
    await clock.advance(Math.min(remaining, clock.nextTimer ?? remaining));
  }
  return server.requests.slice(first).filter((entry) => counts(entry) && writes.includes(entry.verb ?? ''));
}

function endless(requests: readonly AuditEntry[], limit: number): string {
  const counts = new Map<string, number>();
  for (const { verb, resource, namespace, name } of requests) {
    const object = [namespace, name].filter((part) => part !== undefined).join('/');
    const what = [verb, resource, object].filter((part) => part !== '').join(' ');
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, count], [, other]) => other - count);
  const often = most === undefined ? 'isBusy says so' : `the most frequent request is "${most[0]}", ${most[1]} times`;
  return `Not settled after ${limit / second} s of the clock: ${often}. If that is right, name such requests in ignore, or raise limit`;
}
