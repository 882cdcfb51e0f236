import type { Meter } from '../metrics/meter.ts';
import { type Answer, text } from './answer.ts';
import { type Check, checksOf } from './check.ts';
import { answerDebug, type DebugContent, notLocal } from './debug.ts';
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
  /** The meter with the metrics of `/metrics`. Default: none. A meter that sends its metrics itself shows none. */
  readonly metrics?: Pick<Meter, 'scrape'>;
  /** The content of `/debug`, for clients on this machine alone. Default: nothing. */
  readonly debug?: DebugContent;
}

/** Returns the answer for the rest of a path; `undefined` if there is none. */
type Route = (
  rest: string,
  query: URLSearchParams,
  isLocal: boolean,
) => Answer | undefined | Promise<Answer | undefined>;

/** Answers requests by path. `isLocal` says whether the client is on this machine. */
export type Router = (path: string, query: URLSearchParams, isLocal: boolean) => Promise<Answer>;

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
    ...(debug === undefined ? [] : [['/debug', debugRoute(debug)] as const]),
  ];
  const known = routes.map(([beginning]) => beginning).join(', ');
  return async (path, query, isLocal) => {
    for (const [beginning, route] of routes) {
      if (path !== beginning && !path.startsWith(`${beginning}/`)) continue;
      const answer = await route(path.slice(beginning.length + 1), query, isLocal);
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

function debugRoute(content: DebugContent): Route {
  return (rest, _query, isLocal) => (isLocal ? answerDebug(content, rest) : notLocal);
}
