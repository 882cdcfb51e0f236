import { type EffectivePolicies, type EffectivePolicy, effectivePolicies } from '@policy-machinery/effective-policy';
import { createStatusPlanner, type StatusPlan, type StatusPlanner } from '@policy-machinery/policy-status';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createTopology, type Topology, type TopologyChange } from '@policy-machinery/topology';
import type { Workload } from '@policy-machinery/workload';

/** What a controller keeps in memory, and does about a change: a topology, and the effective policies of each kind. */
export class Controller {
  readonly topology: Topology;
  readonly #kinds: Workload['policyKinds'];
  #views: readonly EffectivePolicies<unknown>[] = [];
  #planner: StatusPlanner | undefined;

  /** Creates a controller of an empty cluster. */
  constructor(kinds: Pick<Workload, 'targetKinds' | 'policyKinds'>) {
    this.topology = createTopology(kinds);
    this.#kinds = kinds.policyKinds;
  }

  /** Takes in a change, finds what it does to effective policies, and plans the statuses that follow. */
  take(change: TopologyChange): StatusPlan {
    this.topology.apply(change);
    return this.plan();
  }

  /** Makes the effective policies of all kinds. */
  makeViews(): void {
    this.#views = this.#kinds.map((kind) => effectivePolicies(this.topology, kind));
    this.#planner = createStatusPlanner(this.#views, { controllerName: 'bench.example.com/controller', now });
  }

  /** The effective policies by kind. */
  get views(): readonly EffectivePolicies<unknown>[] {
    return this.#views;
  }

  /** Reads the spec and the origins of every effective policy. Returns how many there are. */
  readSpecs(): number {
    let count = 0;
    for (const view of this.#views) {
      for (const policy of view) if (policy.spec !== undefined && policy.origins.length > 0) count += 1;
    }
    return count;
  }

  /** Returns all effective policies. */
  effectivePolicies(): readonly EffectivePolicy<unknown>[] {
    return this.#views.flatMap((view) => [...view]);
  }

  /** Plans statuses: of everything at first, then of what has changed. */
  plan(): StatusPlan {
    if (this.#planner === undefined) throw new Error('Make the views first');
    return this.#planner.plan();
  }

  /** Takes in what a plan writes, and all that follows from it. Returns it. */
  carryOut({ writes }: StatusPlan): readonly KubernetesObject[] {
    for (const write of writes) this.#planner?.done(write);
    const written = writes.map(({ result }) => result);
    this.take({ upsert: written });
    return written;
  }
}

const now = () => new Date('2026-01-01T00:00:00Z');
