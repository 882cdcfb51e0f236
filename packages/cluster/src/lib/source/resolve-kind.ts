import { formatGroupKind } from '@policy-machinery/resource';
import { type ApiResource, isOfVersion } from '../discovery/api-resource.ts';
import { type DiscoveryRoot, discoverRoot, resourcesOf } from '../discovery/discover.ts';
import type { Clock } from '../time/clock.ts';
import { startDeadline } from '../time/deadline.ts';
import type { Transport } from '../transport/transport.ts';
import { answerTimeout } from './follow-watch.ts';
import type { WatchedKind } from './watched-kind.ts';

/** The API server has a kind, but in no version that is read: its objects are not known, so nothing must be concluded from their absence. */
export class OtherVersionError extends Error {
  constructor(kind: WatchedKind, served: string) {
    const read = kind.versions.join(', ');
    super(
      `${formatGroupKind(kind)} is served as ${served}, and can be read as ${read}; serve one of these versions, or update the program`,
    );
  }
}

export interface KindResolver {
  /**
   * Finds the first version of a kind that the API server serves.
   *
   * @param maxAge How old the API server's answer may be, in milliseconds. Default: 0.
   * @returns The resource; `undefined` if a healthy API server does not have the kind. Rejects if that is not known.
   * @throws {OtherVersionError} If the API server has the kind in other versions.
   */
  resolve(kind: WatchedKind, maxAge?: number): Promise<ApiResource | undefined>;
}

/** Kinds share the answer about a version if they ask within this time, in milliseconds. */
const sameTime = 500;

/**
 * Creates a resolver that many sources share. It asks for all kinds in one request, and group by group only where the API server cannot answer
 * so. Identical requests at the same time are sent once.
 *
 * @param transport The connection.
 * @param signal Ends all questions.
 * @returns The resolver.
 */
export function createKindResolver(transport: Transport, clock: Clock, signal: AbortSignal): KindResolver {
  const askForRoot = sharingAnswers<DiscoveryRoot>(clock, signal);
  const askForVersion = sharingAnswers<readonly ApiResource[] | undefined>(clock, signal);
  const resolveVersion = async (kind: WatchedKind, version: string, { aggregated }: DiscoveryRoot, maxAge: number) => {
    const wanted = { group: kind.group, version };
    const isWanted = (each: ApiResource) => isOfVersion(each, wanted) && each.kind === kind.kind;
    const isFresh = aggregated !== undefined && !aggregated.stale.some((it) => isOfVersion(it, wanted));
    const listed = isFresh ? aggregated.resources.find(isWanted) : undefined;
    // That a kind is not in the list of all proves nothing yet: the server of its group may be down.
    if (listed !== undefined || (isFresh && maxAge > 0)) return listed;
    const question = (until: AbortSignal) => resourcesOf(transport, wanted, until);
    const answer = await askForVersion(`discovery of ${kind.group}/${version}`, Math.max(maxAge, sameTime), question);
    return answer?.find(isWanted);
  };
  return {
    async resolve(kind, maxAge = 0) {
      const path = kind.group === '' ? '/api' : '/apis';
      const root = await askForRoot(`discovery at ${path}`, maxAge, (until) => discoverRoot(transport, path, until));
      for (const version of kind.versions) {
        const resource = await resolveVersion(kind, version, root, maxAge);
        if (resource !== undefined) return resource;
      }
      for (const { group, version } of root.served) {
        if (group !== kind.group || kind.versions.includes(version)) continue;
        // The list of all is enough here: if the kind is not in it, more proof of its absence is needed anyway.
        const other = await resolveVersion(kind, version, root, Math.max(1, maxAge));
        if (other !== undefined) throw new OtherVersionError(kind, version);
      }
      // A server that is starting may serve no groups, and would deny every kind.
      if (root.served.length > 0) return undefined;
      throw new Error(
        `GET ${path}: the API server lists no groups, so its answer does not prove that ${formatGroupKind(kind)} is absent`,
      );
    },
  };
}

/** Returns a function that asks a question, unless the last answer is younger than a number of milliseconds, or still to come. */
function sharingAnswers<Answer>(clock: Clock, signal: AbortSignal) {
  const asked = new Map<string, { readonly answer: Promise<Answer>; answeredAt: number }>();
  return (key: string, maxAge: number, question: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> => {
    const last = asked.get(key);
    if (last !== undefined && clock.monotonic() - last.answeredAt < maxAge) return last.answer;
    const deadline = startDeadline(clock, answerTimeout, `${key}: no answer`, signal);
    const answer = question(deadline.signal);
    const entry = { answer, answeredAt: Number.POSITIVE_INFINITY };
    asked.set(key, entry);
    const end = () => {
      deadline.clear();
      entry.answeredAt = clock.monotonic();
    };
    answer.then(end, () => {
      end();
      asked.delete(key);
    });
    return answer;
  };
}
