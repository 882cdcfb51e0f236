import {
  holdLease,
  joinShards,
  type Lease,
  type Shard,
  type Transport,
  type WriteGate,
} from '@policy-machinery/cluster';
import { leaseOf } from '../object-names.ts';
import type { ControllerSettings } from './settings.ts';

/** The role of this process among the replicas of its controller: the only one, one with a lease, or one with a share. */
export class Role implements WriteGate {
  readonly #settings: ControllerSettings;
  readonly #connection: Transport;
  readonly #listeners = new Set<(acts: boolean) => void>();
  readonly #shards: ControllerSettings['shards'];
  readonly #lease: Lease | undefined;
  /** `undefined` before everything is known and computed: until then, others keep their shares. */
  #shard: Shard | undefined;

  /** Begins to ask for the lease, if there is one. */
  constructor(settings: ControllerSettings, connection: Transport) {
    const { lease, shards, dryRun, name, clock, random, reporter, telemetry } = settings;
    this.#settings = settings;
    this.#connection = connection;
    if (dryRun === true) return;
    this.#shards = shards;
    if (lease === undefined) return;
    const onError = (error: unknown) => reporter.leaseFailed(error);
    const onSlowPath = () => telemetry.slowPath();
    this.#lease = holdLease(connection, { ...leaseOf(name, lease), clock, random, onError, onSlowPath });
  }

  /** Decides whether this process writes; `undefined` if it always does. */
  get gate(): WriteGate | undefined {
    return (this.#lease ?? this.#shards) === undefined ? undefined : this;
  }

  /** Returns whether this process writes. */
  isHeld(): boolean {
    return this.gate === undefined || (this.#lease ?? this.#shard)?.isHeld() === true;
  }

  /** Whether this process does the work that only one may do. */
  get isLeader(): boolean {
    return this.isHeld() && this.answersFor(this.#settings.name);
  }

  /** Why this process can neither act nor see who does. */
  get fault(): Lease['fault'] {
    return (this.#lease ?? this.#shard)?.fault;
  }

  /** Returns whether this process answers for an object, by its locator, as long as it writes. */
  answersFor(object: string): boolean {
    return this.#shards === undefined || this.#shard?.owns(object) === true;
  }

  /** Calls a function when this process begins or ceases to write, or answers for other objects. Returns a function that ends the calls. */
  onChange(listener: (acts: boolean) => void): () => void {
    if (this.#lease !== undefined) return this.#lease.onChange(listener);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes part from now on, because everything is known and computed. */
  ready(): void {
    const { name, clock, random, reporter } = this.#settings;
    if (this.#shard !== undefined || this.#shards === undefined) return;
    const onError = (error: unknown) => reporter.leaseFailed(error);
    const shard = joinShards(this.#connection, { ...leaseOf(name, this.#shards), clock, random, onError });
    this.#shard = shard;
    shard.onChange((acts) => {
      reporter.shares(acts, shard.members.length);
      for (const listener of [...this.#listeners]) listener(acts);
    });
  }

  /** Lets another process act in place of this one. */
  async release(): Promise<void> {
    await (this.#lease ?? this.#shard)?.release();
  }
}
