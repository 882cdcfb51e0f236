import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { Topology } from '@policy-machinery/topology';
import { dataOf } from './data/collect.ts';
import { type CollectedCounts, Collection } from './data/collection.ts';
import { type Dirty, type Follower, follow } from './data/dirty.ts';
import { patchBetween } from './data/patch.ts';
import type { ReportData } from './data/report-data.ts';
import { aroundOf, checkViews, type ReportOptions } from './report-page.ts';

/** The data of a page that follows its topology, in one version. */
export interface LiveData {
  /** A number that grows with each update. */
  readonly version: number;
  /** Everything, as JSON, for a page that begins with this version. Written when it is first read. */
  readonly json: string;
  /** What is different from the version before, as JSON; `undefined` if there is none before, or if everything may be different. */
  readonly patch: string | undefined;
  /** How many rows were collected for it, of each sort. */
  readonly collected: CollectedCounts;
}

/** What a live report is about. */
export interface LiveReportOptions extends Pick<ReportOptions, 'topology' | 'views'> {
  /** The version of the first data. Default: 1. */
  readonly version?: number;
}

/** How many names that are gone a page keeps at least, before everything is collected again. */
const mostGone = 1_000;

/** How many characters the lists of a page grow by at least before that. */
const mostLeftOver = 1_000_000;

/**
 * The data of a page, which follows a topology and its effective policies: each update collects only what has changed since the last one, and tells the
 * difference. Made with {@link liveReport}.
 */
export class LiveReport {
  /** The topology that it follows. */
  readonly topology: Topology;
  readonly #views: readonly EffectivePolicies<unknown>[];
  readonly #follower: Follower;
  #collection: Collection;
  #data: ReportData | undefined;
  #version: number;
  /** The weight of the collection when it began. */
  #weight: number;

  private constructor({ topology, views, version = 1 }: LiveReportOptions) {
    this.topology = topology;
    this.#views = views;
    this.#version = version - 1;
    this.#follower = follow(topology, views);
    this.#collection = new Collection(topology, views);
    this.#weight = this.#collection.weight;
  }

  /** @internal Use {@link liveReport}. */
  static make(options: LiveReportOptions): LiveReport {
    return new LiveReport(options);
  }

  /**
   * Brings the data up to date.
   *
   * @param options What the page says beside what follows from its topology. Default: as for {@link reportPage}.
   * @returns The data. O(changes, and what is below and above them).
   */
  update(options: Omit<ReportOptions, 'topology' | 'views'> = {}): LiveData {
    const before = this.#collect();
    const data = dataOf(this.#collection, aroundOf({ ...options, topology: this.topology, views: this.#views }));
    this.#data = data;
    this.#version += 1;
    const { counts: collected } = this.#collection;
    return new Written(this.#version, data, before, collected);
  }

  /** Collects what has changed, and returns the data from before that; `undefined` if the numbers in it mean something else now. */
  #collect(): ReportData | undefined {
    const dirty = this.#follower.take();
    const before = this.#data;
    const isTooMuch =
      this.#collection.weight > 2 * this.#weight + mostLeftOver || (before !== undefined && isWasteful(before));
    if (dirty !== undefined && this.#collection.isUsable && !isTooMuch) {
      if (before !== undefined || !isEmpty(dirty)) this.#collection.update(dirty);
      return before;
    }
    this.#collection = new Collection(this.topology, this.#views);
    this.#weight = this.#collection.weight;
    return undefined;
  }
}

/**
 * Creates the data of a page that follows its topology, and collects everything. Create one for each page that is served, not for each question: it holds
 * what has changed until the next update.
 *
 * @param options The topology and the effective policies, and the version of the first data.
 * @returns The data.
 * @throws {TypeError} If a view is of another topology.
 */
export function liveReport(options: LiveReportOptions): LiveReport {
  checkViews(options);
  return LiveReport.make(options);
}

function isEmpty({ gone, targets, moved, affected, policies }: Dirty): boolean {
  return [gone, targets, moved, policies, ...affected].every(({ size }) => size === 0);
}

/** Returns whether most names of a page are of targets that are gone. */
function isWasteful({ targets }: ReportData): boolean {
  const gone = targets.reduce((count: number, row) => count + Number(row === null), 0);
  return gone > mostGone && gone > targets.length / 2;
}

class Written implements LiveData {
  readonly version: number;
  readonly patch: string | undefined;
  readonly collected: CollectedCounts;
  readonly #data: ReportData;
  #json: string | undefined;

  constructor(version: number, data: ReportData, before: ReportData | undefined, collected: CollectedCounts) {
    this.version = version;
    this.#data = data;
    this.patch = before === undefined ? undefined : JSON.stringify(patchBetween(before, data) ?? { fields: {} });
    this.collected = collected;
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.#data);
    return this.#json;
  }
}
