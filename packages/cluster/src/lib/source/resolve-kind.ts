import { isJsonObject } from '@policy-machinery/resource';
import type { ApiResource } from '../discovery/api-resource.ts';
import { resourcesOf } from '../discovery/discover.ts';
import type { Clock } from '../time/clock.ts';
import { startDeadline } from '../time/deadline.ts';
import { readStatusError } from '../transport/status-error.ts';
import type { Transport } from '../transport/transport.ts';
import { answerTimeout } from './follow-watch.ts';
import type { WatchedKind } from './watched-kind.ts';

/** Finds how kinds are served. */
export interface KindResolver {
  /**
   * Finds the first version of a kind that the API server serves.
   *
   * @returns The resource; `undefined` if a healthy API server serves none of the versions. Rejects if that is not known.
   */
  resolve(kind: WatchedKind): Promise<ApiResource | undefined>;
}

/**
 * Creates a resolver that many sources share. Identical requests at the same time are sent once.
 *
 * @param transport The connection.
 * @param clock The clock.
 * @param signal Ends all questions.
 * @returns The resolver.
 */
export function createKindResolver(transport: Transport, clock: Clock, signal: AbortSignal): KindResolver {
  const open = new Map<string, Promise<unknown>>();
  const ask = <T>(key: string, question: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const asked = open.get(key) as Promise<T> | undefined;
    if (asked !== undefined) return asked;
    const deadline = startDeadline(clock, answerTimeout, `${key}: no answer`, signal);
    const answer = question(deadline.signal).finally(() => {
      deadline.clear();
      open.delete(key);
    });
    open.set(key, answer);
    return answer;
  };
  return {
    async resolve({ group, kind, versions }) {
      for (const version of versions) {
        const resources = await ask(`discovery of ${group}/${version}`, (until) =>
          resourcesOf(transport, { group, version }, until),
        );
        const found = resources?.find((each) => each.kind === kind);
        if (found !== undefined) return found;
      }
      await ask('discovery of all groups', (until) => checkHealth(transport, until));
      return undefined;
    },
  };
}

/** Rejects unless the API server serves its own groups. A server that is starting may serve none, and would deny every kind. */
async function checkHealth(transport: Transport, signal: AbortSignal): Promise<void> {
  const request = { method: 'GET', path: '/apis', signal };
  const response = await transport.request(request);
  if (response.status !== 200) throw await readStatusError(response, request);
  const body = await response.json();
  const groups = isJsonObject(body) && Array.isArray(body.groups) ? body.groups : [];
  if (groups.length === 0)
    throw new Error('GET /apis: the API server lists no groups, so its answers do not prove that a kind is absent');
}
