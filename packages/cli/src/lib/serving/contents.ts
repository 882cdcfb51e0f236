import { gzipSync } from 'node:zlib';
import { type LiveData, type LiveReport, liveReport, type ReportOptions } from '@policy-machinery/report';
import { LaggingAnswers } from '../answers/lagging-answers.ts';
import { LiveFindings } from '../answers/live-findings.ts';
import { reportContent } from '../answers/report-content.ts';
import type { Options } from '../model/flags.ts';
import type { World } from '../model/world.ts';
import { PageVerdicts } from '../verifying/page-verdicts.ts';

/** The callbacks about the data of the page. */
export interface Watching {
  /** Returns whether anyone waits for changes. Without, data is made when it is asked for. */
  readonly isWatched: () => boolean;
  /** Called with each version of the data but the first. */
  readonly onData: (data: LiveData) => void;
  /** Called with the error if data cannot be made. */
  readonly onFault: (error: unknown) => void;
}

/** The served data about the last world: made once for all who ask, and brought up to date for those who watch. */
export class Contents {
  readonly #options: Options;
  readonly #now: () => Date;
  readonly #watching: Watching;
  readonly #verdicts = new PageVerdicts();
  readonly #findings = new LiveFindings();
  readonly #aboutRequests = new LaggingAnswers();
  #world: World;
  #live: LiveReport;
  #views: ReportOptions['views'];
  #isBehind = false;
  #made: LiveData;
  #zipped: { readonly of: LiveData; readonly bytes: Buffer } | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** How long the last update took: as much time passes before the next one, so that a busy cluster leaves time for other work. */
  #took = 0;

  /**
   * @param options Where its objects are from.
   */
  constructor(world: World, options: Options, now: () => Date, watching: Watching) {
    this.#options = options;
    this.#now = now;
    this.#watching = watching;
    this.#world = world;
    const content = this.#content();
    this.#live = liveReport(content);
    this.#views = content.views;
    this.#made = this.#live.update(content);
  }

  /** Takes a world in place of the last one. */
  take(world: World): void {
    this.#world = world;
    this.#isBehind = true;
    this.#followLater(this.#took);
  }

  /** Brings the data up to date after a time, if anyone waits for it. */
  #followLater(delay: number): void {
    if (this.#timer !== undefined || !this.#watching.isWatched()) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      try {
        this.data();
      } catch (error) {
        this.#watching.onFault(error);
      }
    }, delay);
  }

  /** Returns the data of the last world. */
  data(): LiveData {
    if (!this.#isBehind && !(this.#aboutRequests.isBehind && this.#aboutRequests.wait === 0)) return this.#made;
    const began = performance.now();
    this.#isBehind = false;
    const content = this.#content();
    if (content.topology !== this.#live.topology || !isSameList(content.views, this.#views)) {
      this.#live = liveReport({ ...content, version: this.#made.version + 1 });
      this.#views = content.views;
    }
    this.#made = this.#live.update(content);
    this.#took = performance.now() - began;
    this.#watching.onData(this.#made);
    if (this.#aboutRequests.isBehind) this.#followLater(this.#aboutRequests.wait);
    return this.#made;
  }

  /** Returns the data of the last world, compressed. */
  zipped(): Buffer {
    const data = this.data();
    if (this.#zipped?.of !== data) this.#zipped = { of: data, bytes: gzipSync(data.json, { level: 1 }) };
    return this.#zipped.bytes;
  }

  #content(): ReportOptions {
    const aboutRequests = this.#aboutRequests.of(this.#world);
    return reportContent(
      this.#world,
      this.#options,
      this.#now(),
      this.#verdicts.of(this.#world),
      aboutRequests,
      this.#findings.of(this.#world, aboutRequests.findings),
    );
  }

  /** Ends the work in progress. */
  close(): void {
    clearTimeout(this.#timer);
  }
}

function isSameList(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((it, index) => it === others[index]);
}
