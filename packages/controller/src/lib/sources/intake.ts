import { setImmediate } from 'node:timers/promises';
import type { SourceChanges } from '@policy-machinery/cluster';
import {
  groupKindKey,
  groupKindOf,
  type KubernetesObject,
  locatorOf,
  messageOf,
  PolicyMachineryError,
} from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import type { Quarantine } from './quarantine.ts';

/** How many objects are applied before other work comes. */
const size = 500;

/** The part of the changes of sources that a topology takes. */
type Changes = Pick<SourceChanges, 'upsert' | 'remove'>;

/**
 * Applies changes of the sources to a topology, in slices. An object that the topology refuses costs no other object its change: such an object
 * is quarantined, and the topology keeps its last good version.
 */
export class Intake {
  readonly #topology: Topology;
  readonly #quarantine: Quarantine;
  /** The kinds that the topology takes, by `groupKindKey`. */
  readonly #kinds: ReadonlySet<string>;
  /** The changes that the topology has not taken after an unexpected failure, by locator: the last version, or nothing for a deletion. */
  #left = new Map<string, KubernetesObject | undefined>();

  constructor(topology: Topology, quarantine: Quarantine) {
    this.#topology = topology;
    this.#quarantine = quarantine;
    this.#kinds = new Set(topology.requiredKinds.map(groupKindKey));
  }

  /**
   * Applies a change of the topology's kinds, with the rest of earlier ones. Never rejects because the topology refuses an object; if it fails
   * unexpectedly, the change is kept for the next call. O(change); a refused object costs O(log of the change) further attempts.
   */
  async apply(change: Changes): Promise<void> {
    const ours = this.#oursIn(change);
    const combined = this.#left.size === 0 ? ours : this.#withLeft(ours);
    if (combined.upsert.length === 0 && combined.remove.length === 0) return;
    try {
      await this.#apply(combined);
    } catch (error) {
      this.#keep(combined);
      throw error;
    }
  }

  /** Returns the part of a change that is about kinds of the topology. */
  #oursIn({ upsert, remove }: Changes): Changes {
    return {
      upsert: upsert.filter((object) => this.#kinds.has(groupKindKey(groupKindOf(object)))),
      remove: remove.filter((locator) => this.#kinds.has(locator.slice(0, locator.indexOf(':')))),
    };
  }

  #withLeft(change: Changes): Changes {
    this.#keep(change);
    const changes = [...this.#left];
    this.#left = new Map();
    return {
      upsert: changes.flatMap(([, object]) => object ?? []),
      remove: changes.flatMap(([locator, object]) => (object === undefined ? locator : [])),
    };
  }

  #keep({ upsert, remove }: Changes): void {
    for (const locator of remove) this.#left.set(locator, undefined);
    for (const object of upsert) this.#left.set(locatorOf(object), object);
  }

  async #apply({ upsert, remove }: Changes): Promise<void> {
    for (const locator of remove) this.#quarantine.release(locator);
    const refused = await this.#refusalOf({ upsert, remove });
    if (refused === undefined) {
      for (const object of upsert) this.#quarantine.releaseObject(object);
      return;
    }
    const refusedToRemove = await this.#refusalOf({ upsert: [], remove });
    if (refusedToRemove !== undefined) throw refusedToRemove;
    await this.#applyParts(upsert, refused);
  }

  /** Applies as many of some objects as possible, which are refused together. */
  async #applyParts(objects: readonly KubernetesObject[], refused: PolicyMachineryError): Promise<void> {
    const [object] = objects;
    if (object === undefined) return;
    if (objects.length === 1) {
      this.#quarantine.add(object, refused.issues[0]?.message ?? messageOf(refused));
      return;
    }
    const middle = objects.length >> 1;
    for (const part of [objects.slice(0, middle), objects.slice(middle)]) {
      const refusedPart = await this.#refusalOf({ upsert: part, remove: [] });
      if (refusedPart !== undefined) await this.#applyParts(part, refusedPart);
      else for (const accepted of part) this.#quarantine.releaseObject(accepted);
    }
  }

  /** Applies a change, or as many slices of it as the topology takes. Returns why it does not take a slice. */
  async #refusalOf(change: Changes): Promise<PolicyMachineryError | undefined> {
    try {
      const slices = this.#topology.applyInSlices(change, { size });
      while (slices.next().done !== true) await setImmediate();
      return undefined;
    } catch (error) {
      if (error instanceof PolicyMachineryError) return error;
      throw error;
    }
  }
}
