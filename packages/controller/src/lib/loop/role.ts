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

/** What this process does among the replicas of its controller. */
export interface Role {
  /** Decides whether this process writes; `undefined` if it always does. */
  readonly gate: WriteGate | undefined;
  /** Whether this process writes. */
  readonly acts: boolean;
  /** Whether this process does what only one may do. */
  readonly isLeader: boolean;
  /** Why this process can neither act nor see who does. */
  readonly fault: Lease['fault'];
  /** Returns whether this process answers for an object, by its locator, as long as it acts. */
  answersFor(object: string): boolean;
  /** Calls a function when this process begins or ceases to act, or answers for other objects. Returns a function that ends the calls. */
  onChange(listener: (acts: boolean) => void): () => void;
  /** Takes part from now on, since everything is known and computed. */
  ready(): void;
  release(): Promise<void>;
}

/** Returns the role of a process: the only one, one with a lease, or one with a share. */
export function roleOf(settings: ControllerSettings, connection: Transport): Role {
  const { lease, shards, dryRun, name, clock, random, reporter, telemetry } = settings;
  if (dryRun === true) return onlyRole;
  if (shards !== undefined) return new SharedRole(settings, connection);
  if (lease === undefined) return onlyRole;
  const onError = (error: unknown) => reporter.leaseFailed(error);
  const onSlowPath = () => telemetry.slowPath();
  return leaderRole(holdLease(connection, { ...leaseOf(name, lease), clock, random, onError, onSlowPath }));
}

const onlyRole: Role = {
  gate: undefined,
  acts: true,
  isLeader: true,
  fault: undefined,
  answersFor: () => true,
  onChange: () => () => {},
  ready() {},
  release: () => Promise.resolve(),
};

function leaderRole(lease: Lease): Role {
  return {
    gate: lease,
    get acts() {
      return lease.isHeld();
    },
    get isLeader() {
      return lease.isHeld();
    },
    get fault() {
      return lease.fault;
    },
    answersFor: () => true,
    onChange: (listener) => lease.onChange(listener),
    ready() {},
    release: () => lease.release(),
  };
}

/** The role of one of several replicas that share a cluster. It has no share before it knows everything: until then, others keep theirs. */
class SharedRole implements Role, WriteGate {
  readonly #settings: ControllerSettings;
  readonly #connection: Transport;
  readonly #listeners = new Set<(acts: boolean) => void>();
  #shard: Shard | undefined;

  constructor(settings: ControllerSettings, connection: Transport) {
    this.#settings = settings;
    this.#connection = connection;
  }

  get gate(): WriteGate {
    return this;
  }

  get acts(): boolean {
    return this.isHeld();
  }

  get isLeader(): boolean {
    return this.answersFor(this.#settings.name);
  }

  get fault(): Lease['fault'] {
    return this.#shard?.fault;
  }

  isHeld(): boolean {
    return this.#shard?.isHeld() === true;
  }

  answersFor(object: string): boolean {
    return this.#shard?.owns(object) === true;
  }

  onChange(listener: (acts: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  ready(): void {
    const { shards, name, clock, random, reporter } = this.#settings;
    if (this.#shard !== undefined || shards === undefined) return;
    const onError = (error: unknown) => reporter.leaseFailed(error);
    const shard = joinShards(this.#connection, { ...leaseOf(name, shards), clock, random, onError });
    this.#shard = shard;
    shard.onChange((acts) => {
      reporter.shares(acts, shard.members.length);
      for (const listener of [...this.#listeners]) listener(acts);
    });
  }

  async release(): Promise<void> {
    await this.#shard?.release();
  }
}
