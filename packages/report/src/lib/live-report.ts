import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { createFollower, type Follower } from '@policy-machinery/effective-policy/inner';
import type { Topology } from '@policy-machinery/topology';
import { type AroundRows, aroundRows } from './data/collect.ts';
import { type CollectedCounts, Collection } from './data/collection.ts';
import { patchBetween } from './data/patch.ts';
import { patchOfFields } from './data/rows.ts';
import { aroundOf, checkViews, type ReportOptions } from './report-page.ts';

/** The data of a page that follows its topology, in one version. */
export interface LiveData {
  /** A number that grows with each update. */
  readonly version: number;
  /**
   * Everything, as JSON, for a page that begins with this version. Written when it is first read, which must be before the next update.
   *
   * @throws {TypeError} If it was not read before the next update.
   */
  readonly json: string;
  /** The differences from the version before, as JSON; `undefined` for the first version, or if everything may be different. */
  readonly patch: string | undefined;
  /** How many rows were collected for it, of each sort. */
  readonly collected: CollectedCounts;
}

/** The content of a live report. */
export interface LiveReportOptions extends Pick<ReportOptions, 'topology' | 'views' | 'secretsOf'> {
  /** The version of the first data. Default: 1. */
  readonly version?: number | undefined;
}

/** How many characters the lists of a page grow by at least, before everything is collected again. */
const mostLeftOver = 1_000_000;

/**
 * The data of a page, which follows a topology and its effective policies: each update collects only the changes after the last one, and returns the
 * difference. Made with {@link liveReport}.
 */
export class LiveReport {
  /** The topology that it follows. */
  readonly topology: Topology;
  readonly #views: readonly EffectivePolicies<unknown>[];
  readonly #secretsOf: ReportOptions['secretsOf'];
  readonly #follower: Follower;
  /** The last collected data; `undefined` before the first update. */
  #collection: Collection | undefined;
  /** The last content of the page beside the collected data; `undefined` before the first update. */
  #around: AroundRows | undefined;
  #version: number;
  /** The weight of the collection when it began. */
  #weight = 0;

  private constructor({ topology, views, secretsOf, version = 1 }: LiveReportOptions) {
    this.#secretsOf = secretsOf;
    this.topology = topology;
    this.#views = views;
    this.#version = version - 1;
    this.#follower = createFollower(topology, views);
  }

  /** @internal Use {@link liveReport}. */
  static make(options: LiveReportOptions): LiveReport {
    return new LiveReport(options);
  }

  /**
   * Brings the data up to date.
   *
   * @param options The content of the page that does not follow from its topology. Default: as for {@link reportPage}.
   * @returns The data. O(changes, and targets below and above them).
   */
  update(options: Omit<ReportOptions, 'topology' | 'views' | 'secretsOf'> = {}): LiveData {
    const { collection, isPatched } = this.#collect();
    const around = aroundRows(collection, aroundOf({ ...options, topology: this.topology, views: this.#views }));
    const fields = patchBetween(this.#around ?? {}, around);
    const changes = collection.take();
    const patch = patchOfFields({ ...(fields !== undefined && 'fields' in fields ? fields.fields : {}), ...changes });
    this.#around = around;
    this.#version += 1;
    return new Written({
      version: this.#version,
      patch: isPatched ? JSON.stringify(patch ?? { fields: {} }) : undefined,
      collected: collection.counts,
      write: (version) => this.#write(version, collection),
    });
  }

  /** Collects the changes. Returns whether the data follows from the data before; otherwise, the numbers in it mean something else now. */
  #collect(): { readonly collection: Collection; readonly isPatched: boolean } {
    const { effective, stale } = this.#follower.take();
    const last = this.#collection;
    const isTooMuch = last !== undefined && (last.weight > 2 * this.#weight + mostLeftOver || last.names.areMostGone);
    if (last?.isUsable === true && stale !== undefined && !isTooMuch) {
      last.update(effective, stale);
      return { collection: last, isPatched: true };
    }
    const collection = new Collection(this.topology, this.#views, this.#secretsOf);
    this.#collection = collection;
    this.#weight = collection.weight;
    return { collection, isPatched: false };
  }

  #write(version: number, collection: Collection): string {
    if (version !== this.#version || this.#around === undefined) {
      throw new TypeError(`The data has been updated since version ${version}; read its JSON before the next update`);
    }
    return JSON.stringify({ ...this.#around, ...collection.data });
  }
}

/**
 * Creates the data of a page that follows its topology, and collects everything. Create one for each page that is served, not for each question: it
 * holds the changes until the next update.
 *
 * @param options The topology and the effective policies, and the version of the first data.
 * @returns The data.
 * @throws {TypeError} If a view is of another topology.
 */
export function liveReport(options: LiveReportOptions): LiveReport {
  checkViews(options);
  return LiveReport.make(options);
}

/** The parts of a version of the data. */
interface Version extends Pick<LiveData, 'version' | 'patch' | 'collected'> {
  readonly write: (version: number) => string;
}

class Written implements LiveData {
  readonly version: number;
  readonly patch: string | undefined;
  readonly collected: CollectedCounts;
  readonly #write: (version: number) => string;
  #json: string | undefined;

  constructor({ version, patch, collected, write }: Version) {
    this.version = version;
    this.patch = patch;
    this.collected = collected;
    this.#write = write;
  }

  get json(): string {
    this.#json ??= this.#write(this.version);
    return this.#json;
  }
}
