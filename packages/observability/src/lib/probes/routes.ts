import { toPlain } from '../log/to-plain.ts';
import type { Meter } from '../metrics/meter.ts';
import { type Answer, text } from './answer.ts';
import { type Check, checksOf } from './check.ts';
import { answerCheck, answerHealth } from './health.ts';

/** The content to serve. */
export interface ProbesContent {
  /** The checks of each path. Without any, a path answers `ok` as long as the process does. */
  readonly checks?: {
    /** The checks that must pass, or else this process should be restarted. */
    readonly healthz?: readonly Check[];
    /** The checks that must pass for this process to do its work. */
    readonly readyz?: readonly Check[];
  };
  /** The meter whose metrics `/metrics` shows. Default: none. A meter that sends its metrics itself shows none. */
  readonly metrics?: Pick<Meter, 'scrape'>;
  /**
   * Returns what `/debug/policies/<locator>` shows. Anyone who can reach the port can read it. Default: nothing.
   *
   * @param locator The locator in the path.
   * @returns A value to show as JSON; `undefined` if there is nothing with that locator.
   */
  readonly debug?: (locator: string) => unknown;
}

/** Returns the answer for the rest of a path; `undefined` if there is none. */
type Route = (rest: string, query: URLSearchParams) => Answer | undefined | Promise<Answer | undefined>;

/** Answers requests by path. */
export type Router = (path: string, query: URLSearchParams) => Promise<Answer>;

/**
 * Returns the handler of requests.
 *
 * @param content The content to serve.
 * @returns A function that answers 404 for unknown paths, and 500 if an answer cannot be made.
 * @throws {RangeError} If the names of checks are not usable.
 */
export function createRouter({ checks = {}, metrics, debug }: ProbesContent): Router {
  const routes: readonly (readonly [beginning: string, route: Route])[] = [
    ['/healthz', healthRoute('healthz', checks.healthz)],
    ['/readyz', healthRoute('readyz', checks.readyz)],
    ...(metrics?.scrape === undefined ? [] : [['/metrics', metricsRoute(metrics.scrape.bind(metrics))] as const]),
    ...(debug === undefined ? [] : [['/debug/policies', debugRoute(debug)] as const]),
  ];
  const known = routes.map(([beginning]) => beginning).join(', ');
  return async (path, query) => {
    for (const [beginning, route] of routes) {
      if (path !== beginning && !path.startsWith(`${beginning}/`)) continue;
      const answer = await route(path.slice(beginning.length + 1), query);
      if (answer !== undefined) return answer;
    }
    return text(404, `404 page not found; there are ${known}\n`);
  };
}

function healthRoute(name: string, given: readonly Check[] | undefined): Route {
  const checks = checksOf(`/${name}`, given);
  return (rest, query) => {
    if (rest === '') return answerHealth(name, checks, query);
    const check = checks.find((it) => it.name === rest);
    return check === undefined ? undefined : answerCheck(check);
  };
}

function metricsRoute(scrape: NonNullable<Meter['scrape']>): Route {
  return async (rest) => (rest === '' ? { status: 200, ...(await scrape()) } : undefined);
}

function debugRoute(debug: (locator: string) => unknown): Route {
  return async (locator) => {
    if (locator === '')
      return text(404, 'add the locator of a target or policy: /debug/policies/kind.group:namespace/name\n');
    const value = await debug(locator);
    if (value === undefined) return text(404, `nothing has the locator ${locator}\n`);
    return { status: 200, contentType: 'application/json', body: `${JSON.stringify(toPlain(value), undefined, 2)}\n` };
  };
}
