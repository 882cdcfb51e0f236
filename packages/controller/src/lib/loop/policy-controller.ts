import type { EventDetails } from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { Guarantee } from '@policy-machinery/guarantees';
import { type Probes, startProbes } from '@policy-machinery/observability';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import { PolicyMachineryError } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { loadGuarantees } from '../guarantees/guarantee-library.ts';
import { type HeldUpBy, heldUpBy } from '../sources/barrier.ts';
import type { QuarantinedObject } from '../sources/quarantine.ts';
import type { ObjectReader } from '../watches/watch.ts';
import { type Assembly, assemble } from './assembly.ts';
import { probesOf } from './controller-probes.ts';
import { Run } from './run.ts';
import type { ControllerSettings } from './settings.ts';

/** A policy controller. Made with `createPolicyController`. */
export class PolicyController {
  readonly #settings: ControllerSettings;
  readonly #assembly: Assembly;
  #hasStarted = false;
  #run: Run | undefined;

  private constructor(settings: ControllerSettings) {
    this.#settings = settings;
    this.#assembly = assemble(settings);
  }

  /** @internal Use `createPolicyController`. */
  static make(settings: ControllerSettings): PolicyController {
    return new PolicyController(settings);
  }

  /** The resources of the cluster, kept up to date while the controller runs. Change nothing. */
  get topology(): Topology {
    return this.#assembly.topology;
  }

  /**
   * Returns the effective policies of a kind, kept up to date while the controller runs. Call their `reconsider` when something has changed that
   * your verdicts depend on: statuses follow, and `onEffective` is called.
   *
   * @throws {PolicyMachineryError} `unknown-kind`, if the controller does not have the kind.
   */
  effective<Spec>(kind: PolicyKind<Spec>): EffectivePolicies<Spec> {
    return this.#assembly.views.of(kind);
  }

  /** Reads the current state of all objects that the controller watches. */
  get objects(): ObjectReader {
    return this.#assembly.watches.reader;
  }

  /**
   * The guarantees that the controller verifies: the options', and, while it runs, the cluster's that can be verified. For
   * `createAdmission({ guarantees: () => controller.guarantees })`.
   */
  get guarantees(): readonly Guarantee[] {
    return this.#run?.outputs.guarantees?.guarantees ?? this.#settings.guarantees?.own ?? [];
  }

  /** Whether this process writes statuses and calls `onEffective`; with `shards`, whether it does the work that only one process may do. */
  get isLeader(): boolean {
    return this.#run?.role.isLeader === true;
  }

  /**
   * Returns whether this process writes the statuses about an object now, such as those about a Gateway: about all objects if it is the leader; about its
   * share with `shards`.
   *
   * @param object The locator of the object.
   */
  answersFor(object: string): boolean {
    return this.#run?.role.isHeld() === true && this.#run.role.answersFor(object);
  }

  /**
   * Whether all objects of all kinds are known, so that answers from `topology` and `effective` are complete; also in a replica that is not the
   * leader. Once it is so, it stays so.
   */
  get isSynced(): boolean {
    return this.#run?.reconciler.isOpen === true;
  }

  /** The kinds that hold the controller up; none once it has planned. Before that, nothing is written, and `onEffective` is not called. */
  get heldUpBy(): readonly HeldUpBy[] {
    return this.#run?.reconciler.heldUpBy ?? heldUpBy(this.#assembly.kinds, new Map());
  }

  /**
   * Records a Kubernetes event about an object, if this process acts: so one replica records it. Repetitions are counted. Events that the API server
   * does not take are dropped; none is recorded with `events: false`, or in a dry run.
   */
  record(event: EventDetails): void {
    if (this.isLeader) this.#settings.reporter.record(event);
  }

  /** The objects with a last change that the topology refuses: their last good version counts. */
  get quarantined(): readonly QuarantinedObject[] {
    return this.#assembly.quarantine.objects;
  }

  /**
   * Runs the controller: watches the cluster, keeps statuses accurate and calls `onEffective`, until the signal aborts. Then it finishes its
   * current work, waits for the last writes, and releases the lease.
   *
   * @param options The signal that stops the controller. Default: it runs forever.
   * @returns A promise that resolves after a clean stop, and rejects if the controller cannot start.
   * @throws {PolicyMachineryError} `already-started`, if it has run before; `invalid-guarantee`, if a guarantee of the options cannot be verified.
   */
  async run({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.#hasStarted)
      throw new PolicyMachineryError('already-started', 'This controller has run; create another one');
    this.#hasStarted = true;
    const library = await loadGuarantees(this.#settings.guarantees, this.#assembly.views.all);
    const probes = await this.#startProbes();
    try {
      this.#run = new Run(this.#settings, this.#assembly, library);
      await this.#run.untilAborted(signal);
    } finally {
      await probes?.close();
    }
  }

  async #startProbes(): Promise<Probes | undefined> {
    const { probes, telemetry } = this.#settings;
    if (probes === undefined) return undefined;
    const content = probesOf(probes, {
      ...this.#settings,
      ...this.#assembly,
      heldUpBy: () => this.heldUpBy,
      states: () => this.#run?.sources.states ?? new Map(),
      leaseFault: () => this.#run?.role.fault,
      isLeader: () => this.isLeader,
      queue: () => this.#run?.queue ?? [],
      lastPlan: () => telemetry.lastPlan,
    });
    return startProbes(content);
  }
}
