import type { Clock, HoldOptions, LeaseOptions, Rate, Transport, WriteForm } from '@policy-machinery/cluster';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { Logger, Meter, ProbesContent, Tracer } from '@policy-machinery/observability';
import type { PolicyKind } from '@policy-machinery/policy-kind';
import type { PlanStatusOptions } from '@policy-machinery/policy-status';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { TargetKind, Topology } from '@policy-machinery/topology';
import type { ContentOf } from './effective/content.ts';
import type { ConfigurationUnit, TargetContext } from './effective/target-context.ts';
import type { TargetFailure } from './effective/target-failure.ts';
import type { GuaranteeChange, GuaranteeOptions } from './guarantees/guarantee-options.ts';
import type { ControlledKind, KindOptions, SpecOf } from './kinds/configured-kind.ts';
import type { ObjectReader, ReadKind, SelectedObjects, Watch } from './watches/watch.ts';

/** The options of a policy controller for policies of these kinds. */
export interface PolicyControllerOptions<Kinds extends readonly ControlledKind[] = readonly ControlledKind[]> {
  /**
   * The name of the controller: `timeouts.example.com/controller`. It is in the statuses that the controller writes, in managed fields, in events
   * and in the User-Agent header.
   */
  readonly name: string;
  /**
   * For a controller that runs Gateways: only Gateways of GatewayClasses with this `spec.controllerName` count, for effective policies, statuses, metrics
   * and `onEffective`. Statuses have it as `controllerName`. Default: all Gateways count, and statuses have `name`.
   */
  readonly gatewaysOf?: string | undefined;
  /** With `gatewaysOf`: whether only the controller's own Gateways count (`ours`), or others as well (`all`). Default: `ours`. */
  readonly gateways?: 'ours' | 'all' | undefined;
  /** The connection to the cluster: the result of `connect` of `@policy-machinery/cluster`. The controller does not close it. */
  readonly connection: Transport;
  /** The kinds that policies attach to, and those between them: `gatewayApi()`. */
  readonly targetKinds: Iterable<TargetKind>;
  /** The kinds of policies: `TimeoutPolicy`, or `configured(TimeoutPolicy, { verdict })` with its own options. */
  readonly policyKinds: Kinds;
  /** The options of effective policies of all kinds, such as `only`. Options of {@link configured} come first. Default: none. */
  readonly effective?: Omit<KindOptions, 'verdict' | 'definition'> | undefined;
  /** Further kinds that matter, such as Secrets that policies refer to. Default: none. */
  readonly watches?: readonly Watch[] | undefined;
  /**
   * The namespaces to read namespaced kinds in, each by its own watches, so that Roles are enough; `kinds` and `watches` may say otherwise for one
   * kind. Default: all namespaces.
   */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * The kinds of objects that `onEffective` applies for targets, such as ConfigMaps. The controller reads those with its own label; all of a kind that
   * `watches` names as well, without a selection. Default: none.
   */
  readonly owns?: readonly OwnedKind[] | undefined;
  /**
   * The finalizer that keeps objects of targets until `onEffective` has returned for their removal, for configuration that a data plane keeps
   * outside of the cluster:
   * `timeouts.example.com/cleanup`. A target is called for when its object has the finalizer, and is in `gone` when the object's deletion begins.
   * Objects cannot be deleted without the controller then: see how to give the finalizer up. Only the leader may call. Default: none.
   */
  readonly finalizer?: string | undefined;
  /** How statuses are written; see `planStatus`. */
  readonly status?: StatusOptions | undefined;
  /**
   * The budget of all writes: statuses, owned objects, finalizers and guarantees, with a fair turn for each kind of object. Default: 20 in a second, 40 at
   * once after a pause, 16 requests in flight.
   */
  readonly writes?: (Rate & { readonly parallel?: number }) | undefined;
  /** The lease that decides which of several replicas acts. Default: no election; this process always acts. */
  readonly lease?:
    | (Pick<LeaseOptions, 'namespace' | 'identity' | 'leaseDuration' | 'renewDeadline' | 'retryPeriod'> & {
        /** The name of the Lease. Default: the name of the controller, with `-` in place of invalid characters. */
        readonly name?: string;
      })
    | undefined;
  /**
   * The Leases that distribute the cluster among replicas, instead of one `lease`: each writes the statuses about its own Gateways and other objects,
   * and calls `onEffective` for everything, because each has its own data plane. Default: the cluster is not shared.
   */
  readonly shards?:
    | (Pick<HoldOptions, 'namespace' | 'identity' | 'leaseDuration' | 'renewDeadline' | 'retryPeriod'> & {
        /** The name that the Leases begin with. Default: the name of the controller, with `-` in place of invalid characters. */
        readonly name?: string;
      })
    | undefined;
  /**
   * Which objects of a kind to read, and how to treat a kind that the API server does not serve or refuses to show, by `Kind.group`:
   * `ListenerSet.gateway.networking.k8s.io`.
   */
  readonly kinds?: Readonly<Record<string, KindSelection>> | undefined;
  /**
   * Called with the changes in the effective policies of a kind: to configure a data plane. Called first with all targets, and again with all
   * when this process becomes the leader, unless it has called before that. Calls must be idempotent.
   *
   * Return the targets that the data plane has not taken: the statuses of their policies say so, and each is called for again, after 5 ms, then twice
   * as long each time, up to 1,000 s; other targets do not wait for it. If a call throws or rejects, its targets are called for again in halves, until
   * those that fail are alone. No target is in two calls at a time.
   */
  onEffective?(
    change: EffectivePoliciesChange<SpecOf<Kinds[number]>>,
  ): void | readonly TargetFailure[] | Promise<void> | Promise<readonly TargetFailure[] | undefined>;
  /**
   * The unit of configuration of your data plane: `contexts` of a call has one entry for each Gateway, or other ancestor, that leads to a target, or
   * one for each `target`. Default: `ancestor`.
   */
  readonly unit?: ConfigurationUnit | undefined;
  /**
   * Which replicas call `onEffective`: the `leader`, or `every-replica` if each has its own data plane. Statuses then have the answers of the
   * leader's data plane. Default: `leader`; with `shards`, every replica calls.
   */
  readonly callOn?: 'leader' | 'every-replica' | undefined;
  /**
   * The guarantees for every request: it is verified after each change, at a cost that depends on the change alone. `{}` verifies the Guarantees of the
   * cluster. Default: nothing is verified.
   */
  readonly guarantees?: GuaranteeOptions | undefined;
  /** Called with each guarantee that got another answer, for an alert; on the leader, and first with all. It must not wait. Its errors are logged. */
  onGuarantee?(change: GuaranteeChange): void;
  /**
   * Returns the part of a target object that your data plane is configured with, beside policies: when it changes, the targets below the object are
   * news. Default: the spec.
   */
  readonly contentOf?: ContentOf | undefined;
  /** Whether conflicts with other controllers and quarantined objects are reported as Kubernetes events. Default: `true`. */
  readonly events?: boolean | undefined;
  /**
   * Whether the controller only logs its writes instead of making them: it plans, calls `onEffective`, and logs each write instead of making it. It
   * takes no lease, and records no events. Default: `false`.
   */
  readonly dryRun?: boolean | undefined;
  /**
   * Called when this process begins or ceases to act, as the leader or without an election; to start and stop work that only one process may do. It must
   * not wait. Its errors are logged.
   */
  onLeading?(isLeader: boolean): void;
  /** Where `/healthz`, `/readyz` and `/metrics` are served. Default: nowhere. */
  readonly probes?: ProbeOptions | undefined;
  /** Takes metrics: `promClient(register)` of `@policy-machinery/observability/prom-client`, or `openTelemetry(meter)`. Default: none. */
  readonly metrics?: Meter | undefined;
  /** Takes traces: `openTelemetryTracer(tracer)` of `@policy-machinery/observability/opentelemetry`. Default: none. */
  readonly traces?: Tracer | undefined;
  /** The log. A message is lost if the log throws. Default: JSON lines on standard error. */
  readonly log?: Logger | undefined;
  /** How long a stop may take for the last writes and calls, in milliseconds. Then the lease is released. Default: 10 s. */
  readonly drain?: number | undefined;
  /**
   * How old the last list of a kind may be when a watch ends, in milliseconds; if it is older, all objects of the kind are read again. Watches last 5 to
   * 10 minutes. `Infinity` relies on watches alone. Default: 5 minutes.
   */
  readonly relistAfter?: number | undefined;
  /** The milliseconds until a kind that cannot be read leads to a Kubernetes event about the lease. Default: 10 minutes. */
  readonly staleAfter?: number | undefined;
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** Returns numbers from 0 up to 1, for delays. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** A kind of owned objects. Default: `v1`, in namespaces. */
export type OwnedKind = ReadKind;

/** Where probes are served. */
export interface ProbeOptions {
  /** The port: 8081 by convention; 0 for any that is free. */
  readonly port: number;
  /** The address to listen on. Default: all addresses of the machine. */
  readonly host?: string | undefined;
  /** Your own checks beside the controller's: of a data plane, for example. */
  readonly checks?: ProbesContent['checks'] | undefined;
  /**
   * Whether clients on the same machine, such as `kubectl port-forward`, get `/debug`: sources, queue and last plan, and `/debug/policies/<locator>`:
   * effective policies. Default: `false`.
   */
  readonly debug?: boolean | DebugOptions | undefined;
}

/** Pages of `/debug` in addition to the state of the controller. */
export interface DebugOptions {
  /** Returns the page at `/debug/report`: `reportPage` of `@policy-machinery/report`. */
  readonly report?:
    | ((content: {
        readonly topology: Topology;
        readonly views: readonly EffectivePolicies<unknown>[];
        readonly title: string;
      }) => string)
    | undefined;
}

/** How statuses are written. */
export interface StatusOptions
  extends Omit<PlanStatusOptions, 'controllerName' | 'now' | 'changes' | 'unprogrammed' | 'answersFor'> {
  /** How writes are sent. Default: `json-patch`. */
  readonly form?: WriteForm | undefined;
}

/** Which objects of a kind are read, and whether the controller waits for them. */
export interface KindSelection extends KindTolerance, SelectedObjects {
  /**
   * The versions to read, best first, if the controller waits because the API server serves none that the kind names.
   * Default: the kind's versions.
   */
  readonly versions?: readonly string[];
}

/** How to treat a kind that the controller would otherwise wait for. */
export interface KindTolerance {
  /** Whether a kind that the API server does not serve counts as a kind without objects (`ignore`, the default), or holds everything up (`wait`). */
  readonly whenAbsent?: 'ignore' | 'wait';
  /** Whether a kind that the controller may not read counts as a kind without objects (`ignore`), or holds everything up (`wait`, the default). */
  readonly whenForbidden?: 'ignore' | 'wait';
}

/** The changes in the effective policies of a kind with this spec. */
export interface EffectivePoliciesChange<Spec = unknown> {
  readonly kind: PolicyKind<Spec>;
  /** The effective policies, up to date when the call begins. Read them before you await anything. */
  readonly view: EffectivePolicies<Spec>;
  readonly topology: Topology;
  /**
   * Why the function is called: because of changes, for targets that have failed, or for all targets of a process that starts or takes over. With
   * `callOn: 'every-replica'`, no call is due to a takeover: the process has called before that. With `shards`, calls are when its share changes.
   */
  readonly cause: 'start' | 'takeover' | 'change' | 'retry';
  /** Whether `targets` has all targets with effective policies: then you can remove all other targets from your data plane. */
  readonly isComplete: boolean;
  /**
   * The locators of the effective targets that are news, sorted: their effective policy was added, removed or changed, in its spec, its origins or
   * its paths; or the content of an object that leads to them has.
   */
  readonly targets: readonly string[];
  /**
   * The contexts of these targets, as data planes are configured with them: one for each Gateway that leads to a target, for example; see `unit`. A target
   * that nothing applies to has none.
   */
  readonly contexts: readonly TargetContext[];
  /**
   * The targets among these without an effective policy, because they or their policies are gone. With a finalizer, these are also targets with
   * objects that are being deleted, whatever `view` contains; and objects in place of sections that are no longer known.
   */
  readonly gone: readonly string[];
  /** Returns the effective policies of another kind, as up to date as `view`. */
  readonly effective: <Other>(kind: PolicyKind<Other>) => EffectivePolicies<Other>;
  /** Reads all objects that the controller watches. */
  readonly objects: ObjectReader;
  /**
   * Sets the objects that the controller owns for a context, in place of earlier ones, whichever kind of policies they are for. They are created and
   * restored by server-side apply, and deleted when policies do not apply to the context any more, also if that happens while no process runs. If one call
   * applies different objects for one context, the target fails, and none of them count.
   *
   * @param context One of `contexts`; or the locator of a target, for objects that all its contexts share.
   * @param objects The objects, of kinds among `owns`. Objects of different contexts must have different names.
   * @throws {PolicyMachineryError} `unowned-kind` or `owned-twice`.
   */
  readonly apply: <Owned extends KubernetesObject>(context: TargetContext | string, objects: readonly Owned[]) => void;
  /**
   * Returns whether this process answers for an object, such as a Gateway, by its locator: with `shards`, for its share. When the share changes, all
   * targets are called for, with the cause `takeover`.
   */
  readonly answersFor: (object: string) => boolean;
  /** Locators of the policies with an outcome that may differ, sorted. */
  readonly policies: readonly string[];
  /** Aborts when this process stops, or may no longer call because it is not the leader. */
  readonly signal: AbortSignal;
}
