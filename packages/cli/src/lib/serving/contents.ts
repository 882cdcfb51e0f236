import { gzipSync } from 'node:zlib';
import { reportData } from '@policy-machinery/report';
import { reportContent } from '../answers/report-content.ts';
import type { Options } from '../model/flags.ts';
import type { World } from '../model/world.ts';

/** The data of the page, in one version. */
export interface ServedData {
  /** A number that grows with each change. */
  readonly version: number;
  readonly json: Buffer;
  /** The same, compressed. */
  readonly zipped: Buffer;
}

/** The served data about the last world, made when somebody asks for it, and once for all who ask. */
export class Contents {
  readonly #options: Options;
  readonly #now: () => Date;
  #world: World;
  #version = 1;
  #made: ServedData | undefined;
  #count = 0;

  /**
   * @param world The first world.
   * @param options Where its objects are from.
   * @param now The clock.
   */
  constructor(world: World, options: Options, now: () => Date) {
    this.#world = world;
    this.#options = options;
    this.#now = now;
  }

  /** The version of the last world. */
  get version(): number {
    return this.#version;
  }

  /** How often data was made. */
  get count(): number {
    return this.#count;
  }

  /** Takes a world in place of the last one. */
  take(world: World): void {
    this.#world = world;
    this.#version += 1;
  }

  /** Returns the data of the last world. */
  data(): ServedData {
    const version = this.#version;
    if (this.#made?.version === version) return this.#made;
    this.#count += 1;
    const json = Buffer.from(reportData(reportContent(this.#world, this.#options, this.#now())));
    this.#made = { version, json, zipped: gzipSync(json, { level: 1 }) };
    return this.#made;
  }
}
