import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Transport } from '@policy-machinery/cluster';
import { type DataPlace, viewableData } from '@policy-machinery/report';
import { groupKindKey } from '@policy-machinery/resource';
import { inParallel } from '../input/cluster/in-parallel.ts';
import type { ServedKind } from '../model/served-kind.ts';
import { type Listed, mayList, UnknownViewerError } from './access-review.ts';

/** How long what a viewer may read is remembered, in milliseconds. */
const remembered = 30_000;

/** How many viewers are remembered. */
const mostViewers = 64;

/** How many questions about a viewer are open at a time. */
const questionsAtOnce = 8;

/** The data of the page, in one version. */
export interface VersionedData {
  readonly version: number;
  readonly json: string;
}

/** The data of the page for one viewer. */
export interface ViewerData {
  readonly version: number;
  readonly json: Buffer;
  readonly zipped: () => Buffer;
}

interface Viewer {
  readonly until: number;
  /** What was asked, and the answers. */
  readonly answers: Map<string, Promise<boolean>>;
  data: ViewerData | undefined;
}

/** What a viewer may read, and whether the API server has answered all questions about it. */
interface Rights {
  readonly mayRead: (place: DataPlace) => boolean;
  readonly isComplete: boolean;
}

/** What viewers need. */
export interface ViewersOptions {
  /** A connection without credentials. */
  readonly transport: Transport;
  /** Returns the kinds that the cluster serves. */
  readonly kinds: () => readonly ServedKind[];
  /** A clock that only grows, in milliseconds. */
  readonly monotonic: () => number;
  /** Called with an error that keeps the rights of a viewer from being known. */
  readonly onFault: (error: unknown) => void;
}

/** The people who look at a page, each with the rights of their own token. What is not known to be allowed is left out of their data. */
export class Viewers {
  readonly #options: ViewersOptions;
  /** By a digest of the token, the oldest first. */
  readonly #viewers = new Map<string, Viewer>();

  /** @param options The connection, the kinds and the clock. */
  constructor(options: ViewersOptions) {
    this.#options = options;
  }

  /**
   * Checks that the API server knows the owner of a token.
   *
   * @param token The token.
   * @returns Rejects with an {@link UnknownViewerError} if it does not, and with another error if that is not known.
   */
  async check(token: string): Promise<void> {
    try {
      await this.#ask(this.#viewer(token), token, { group: '', resource: 'namespaces', namespace: undefined });
    } catch (error) {
      // Guessed tokens take nobody's place.
      this.#viewers.delete(digestOf(token));
      throw error;
    }
  }

  /**
   * Returns the data of the page without what the owner of a token may not read.
   *
   * @param token The token.
   * @param dataNow Returns all data, in the version of the moment.
   * @returns The data. Rejects as {@link check} does.
   */
  async dataFor(token: string, dataNow: () => VersionedData): Promise<ViewerData> {
    await this.check(token);
    const data = dataNow();
    const viewer = this.#viewer(token);
    const { version } = data;
    if (viewer.data?.version === version) return viewer.data;
    const { places, forViewer } = viewableData(data.json);
    const { mayRead, isComplete } = await this.#rights(viewer, token, places);
    const json = Buffer.from(forViewer(mayRead));
    let zipped: Buffer | undefined;
    const made: ViewerData = {
      version,
      json,
      zipped() {
        zipped ??= gzipSync(json, { level: 1 });
        return zipped;
      },
    };
    if (isComplete) viewer.data = made;
    return made;
  }

  /** Asks about all namespaces first, then about each one in which there are objects. */
  async #rights(viewer: Viewer, token: string, places: readonly DataPlace[]): Promise<Rights> {
    const byName = kindsByName(this.#options.kinds());
    const kindsAt = ({ kind }: DataPlace): readonly ServedKind[] => byName.get(kind) ?? [];
    const allowed = new Set<string>();
    let isComplete = true;
    const ask = async (all: ReadonlyMap<string, Listed>): Promise<void> => {
      await inParallel([...all], questionsAtOnce, async ([key, listed]) => {
        const isAllowed = await this.#answer(viewer, token, listed);
        if (isAllowed === undefined) isComplete = false;
        else if (isAllowed) allowed.add(key);
      });
    };
    const everywhere = places.flatMap((place) => kindsAt(place).map((kind) => listedOf(kind, undefined)));
    await ask(new Map(everywhere));
    const within = places.flatMap((place) =>
      kindsAt(place)
        .filter((kind) => kind.namespaced && !allowed.has(listedOf(kind, undefined)[0]))
        .flatMap((kind) => (place.namespace === undefined ? [] : [listedOf(kind, place.namespace)])),
    );
    await ask(new Map(within));
    const mayRead = (place: DataPlace): boolean => {
      const kinds = kindsAt(place);
      const isAllowed = (kind: ServedKind): boolean =>
        allowed.has(listedOf(kind, undefined)[0]) ||
        (place.namespace !== undefined && allowed.has(listedOf(kind, place.namespace)[0]));
      // A kind that the cluster does not serve counts as not readable, and a name that several kinds have needs the rights for all.
      return kinds.length > 0 && kinds.every(isAllowed);
    };
    return { mayRead, isComplete };
  }

  /** Returns an answer of the API server; `undefined` if it is not known. */
  async #answer(viewer: Viewer, token: string, listed: Listed): Promise<boolean | undefined> {
    try {
      return await this.#ask(viewer, token, listed);
    } catch (error) {
      if (error instanceof UnknownViewerError) throw error;
      this.#options.onFault(error);
      return undefined;
    }
  }

  /** Asks the API server, once for all who wait. A question without an answer is asked again the next time. */
  #ask({ answers }: Viewer, token: string, listed: Listed): Promise<boolean> {
    const key = JSON.stringify(listed);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = mayList(this.#options.transport, token, listed);
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    return answer;
  }

  #viewer(token: string): Viewer {
    const key = digestOf(token);
    const now = this.#options.monotonic();
    const known = this.#viewers.get(key);
    if (known !== undefined && now < known.until) return known;
    this.#viewers.delete(key);
    const [oldest] = this.#viewers.keys();
    if (oldest !== undefined && this.#viewers.size >= mostViewers) this.#viewers.delete(oldest);
    const viewer: Viewer = { until: now + remembered, answers: new Map(), data: undefined };
    this.#viewers.set(key, viewer);
    return viewer;
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/** Returns kinds by their names on the page: alone, and with the group where kinds of several groups have the same name. */
function kindsByName(kinds: readonly ServedKind[]): ReadonlyMap<string, readonly ServedKind[]> {
  const found = new Map<string, ServedKind[]>();
  for (const kind of kinds) {
    for (const name of [kind.kind, `${kind.kind}.${kind.group}`]) found.set(name, [...(found.get(name) ?? []), kind]);
  }
  return found;
}

function listedOf(kind: ServedKind, namespace: string | undefined): readonly [key: string, Listed] {
  return [`${groupKindKey(kind)} ${namespace ?? ''}`, { group: kind.group, resource: kind.resource, namespace }];
}
