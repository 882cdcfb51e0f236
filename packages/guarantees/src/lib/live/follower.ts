import type { EffectiveChanges } from '@policy-machinery/effective-policy';
import { formatLocator, hasSameContent, type KubernetesObject } from '@policy-machinery/resource';
import {
  type ChangeRecord,
  type TargetNode,
  type Topology,
  targetsAbove,
  targetsAboveChanged,
} from '@policy-machinery/topology';
import type { VerifiedKind } from '../model/verified-kind.ts';
import { isEntryNode, servedBy } from '../requests/entries.ts';
import type { Touched } from './request-space.ts';

/** What has changed since the last time. */
export interface Followed {
  /** The locators of the Gateways and Services whose requests may be taken by others; `all` if the changes are too large to follow. */
  readonly rerouted: ReadonlySet<string> | 'all';
  /** The targets at which requests may meet other policies. */
  readonly touched: Touched;
}

/** Follows the changes of a topology and of effective policies. */
export class Follower {
  readonly #topology: Topology;
  readonly #readers: readonly EffectiveChanges[];
  #version = -1;
  /** The resources that were looked at last, so that changed statuses are not taken for other routes. */
  readonly #seen = new Map<string, KubernetesObject>();

  constructor(topology: Topology, kinds: readonly VerifiedKind[]) {
    this.#topology = topology;
    this.#readers = kinds.flatMap(({ changes }) => changes?.() ?? []);
  }

  /** Returns what has changed since the last call. O(changes, and targets above them). */
  follow(): Followed {
    const { version } = this.#topology;
    const records = this.#version < 0 ? undefined : this.#topology.changesSince(this.#version);
    const effective = this.#readers.flatMap((reader) => reader.take().targets);
    this.#version = version;
    if (records === undefined) this.#startOver();
    const rerouted = records === undefined ? 'all' : this.#reroutedBy(records);
    const targets = effective.flatMap((locator) => this.#topology.get(locator) ?? []);
    const objects = new Set(targets.map(({ object }) => object));
    return { rerouted, touched: { objects, above: targetsAbove(targets) } };
  }

  #startOver(): void {
    this.#seen.clear();
    for (const { locator, section, resource } of this.#topology.targets) {
      if (section === undefined) this.#seen.set(locator, resource);
    }
  }

  /** Returns the places of requests above all that changes have touched, apart from policies. */
  #reroutedBy(records: readonly ChangeRecord[]): ReadonlySet<string> {
    const touched = records.flatMap((record) => this.#touchedBy(record));
    const rerouted = new Set<string>();
    for (const target of [...touched, ...targetsAboveChanged(this.#topology, touched)]) {
      const service = servedBy(target);
      if (service !== undefined) rerouted.add(formatLocator(service));
      if (isEntryNode(target)) rerouted.add(target.locator);
    }
    return rerouted;
  }

  /** Returns the targets whose own content or links a change has touched: if a link is gone, both of its ends. */
  #touchedBy({ came, gone, changed, entered, edited }: ChangeRecord): readonly TargetNode[] {
    const different = [...edited].filter((target) => !this.#isSeen(target));
    for (const { locator, section, resource } of came) {
      if (section === undefined) this.#seen.set(locator, resource);
    }
    for (const target of gone) {
      if (target.section === undefined && this.#topology.get(target) === undefined) this.#seen.delete(target.locator);
    }
    const moved = [...came, ...gone, ...entered];
    if (moved.length > 0) return [...moved, ...changed, ...different];
    return different; // Nothing but policies and statuses otherwise: effective policies tell what these change.
  }

  /** Returns whether a target has the content that was seen last, and remembers the present one. O(size of the resource). */
  #isSeen({ locator, resource }: TargetNode): boolean {
    const before = this.#seen.get(locator);
    this.#seen.set(locator, resource);
    return hasSameContent(resource, before);
  }
}
