import { type AncestorOverflow, type ConditionUpdate, gep713, type Vocabulary } from '@policy-machinery/conditions';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { checkControllerName, type GroupKind, groupKindKey } from '@policy-machinery/resource';
import type { PolicyNode, RequiredKind } from '@policy-machinery/topology';
import { completenessOf } from './completeness.ts';
import { UnlistedAncestors } from './limit-signals.ts';
import { type StatusPlace, statusPlaces } from './places.ts';
import type { PolicyPlan } from './plan-policies.ts';
import { planWork, type Scope, type Unlisted } from './plan-work.ts';
import type { AncestorReport, PolicyReport } from './policy-report.ts';
import type { StatusWrite } from './status-write.ts';
import { unlistedNow } from './unlisted-now.ts';
import { topologyOf, type Views, viewsIn } from './views.ts';

/** How statuses are written. */
export interface PlanStatusOptions {
  /** The controller, as in GatewayClass: `example.com/gateway-controller`. Its domain names the conditions (D-02). */
  readonly controllerName: string;
  /** The time of the plan, for conditions whose status flips. */
  readonly now: Date;
  /** The words of the dialect. Default: those of current GEP-713. */
  readonly vocabulary?: Vocabulary;
  /** Where policies have their conditions: under `status.ancestors` (the default), or directly under `status`. */
  readonly rendering?: 'ancestors' | 'conditions';
  /** What happens when a policy has more than 16 ancestors. Default `refuse-and-signal`. */
  readonly overflow?: AncestorOverflow;
  /** Whether rejected policies also have the conditions that say that they are not in force. Default `omit`. */
  readonly rejectedProgrammed?: 'omit' | 'false';
  /** Whether a target that does not exist is reported, or left to controllers that may know it. Default `report`. */
  readonly unknownTarget?: 'report' | 'ignore';
  /** Where kinds of objects bear conditions of policies, by `Kind.group`, beside {@link statusPlaces}. */
  readonly places?: Readonly<Record<string, StatusPlace>>;
  /**
   * Whether the conditions on objects name the policies that affect them (D-06). Names are what owners want to know; without
   * them, an object is written to only when it starts or stops being affected, whoever comes and goes meanwhile (S-19). Default yes.
   */
  readonly namePolicies?: boolean;
  /**
   * Returns the controller's own conditions of a policy: beside those of its outcome, or in their place where the types are the same. Is
   * asked for each ancestor, or once with `rendering: 'conditions'`. Where it throws, or says what no API server takes, the policy's status is
   * left as it is, and among `refused`. Default: none.
   */
  readonly conditions?: (subject: ConditionSubject) => readonly ConditionUpdate[];
  /** The types of {@link conditions}, beside those of the vocabulary: what is no longer said of these is removed. Default: none. */
  readonly conditionTypes?: readonly string[];
  /** What marks objects that have no conditions. Default `annotations`. */
  readonly markedBy?: 'annotations' | 'labels';
  /**
   * What has changed since statuses were planned last, as `refresh` of the effective policies tells: then the plan looks at that
   * alone. Default: everything is looked at.
   */
  readonly changes?: Iterable<StatusChanges>;
}

/** What is asked about when the controller has conditions of its own. */
export interface ConditionSubject {
  readonly policy: PolicyNode;
  /** What is reported with respect to one ancestor; `undefined` where the conditions are about the policy as a whole. */
  readonly ancestor: AncestorReport | undefined;
  readonly report: PolicyReport;
}

/** What statuses have to be looked at again. */
export interface StatusChanges {
  /** The kind of policies that it is about. */
  readonly kind: GroupKind;
  /** Locators of policies. */
  readonly policies: readonly string[];
  /** Locators of the objects that policies of the kind may affect in another way than before. */
  readonly objects: readonly string[];
  /** Locators of the objects whose own status may say something else, for kinds that have one. Default none. */
  readonly statuses?: readonly string[];
}

/** All options, none left open. */
export type PlanSettings = Required<Omit<PlanStatusOptions, 'changes' | 'conditions'>> &
  Pick<PlanStatusOptions, 'conditions'>;

/** Writes, and what cannot be written. */
export interface PlannedWrites {
  /** The writes, policies first, each sort in the order of locators. */
  readonly writes: readonly StatusWrite[];
  /** What has no place in a status, because others have filled it. */
  readonly refused: readonly RefusedStatus[];
}

/** What must be written so that the statuses tell the truth. */
export interface StatusPlan extends PlannedWrites {
  /**
   * The kinds that statuses of these policies rest on and that have not been listed: what rests on them is not planned. Absent where
   * all are listed, and for topologies that are only given changes: see `replace` of topologies.
   */
  readonly incomplete?: readonly RequiredKind[];
}

/** Something that a status has no room for. */
export interface RefusedStatus {
  /** Locator of the resource whose status is full. */
  readonly resource: string;
  /** What could not be written, and why. */
  readonly message: string;
}

/**
 * Plans the writes that make statuses tell the truth: on each policy what has become of it (S-01 to S-23), and on each object
 * that policies affect that they do (D-01 to D-07), together with what its kind wants its status to say. What is there already is not
 * written again, conditions and entries of others stay as they are, and what no longer holds is removed. The plan of a state in which it has been carried out is empty.
 *
 * @param effective The effective policies of one kind, or of several of the same topology.
 * @param options The controller, the time, and how statuses are written.
 * @returns The writes. O(contexts + targets); with `changes`, O(what they name, and contexts of the policies among that).
 * @throws {PolicyMachineryError} `different-topologies`, when they are of more than one topology, or there are none;
 * `invalid-controller-name`.
 * @example
 * ```ts
 * const { writes } = planStatus(effectivePolicies(topology, TimeoutPolicy), { controllerName: 'example.com/timeouts', now: new Date() });
 * for (const { locator, patch } of writes) console.log(locator, patch);
 * ```
 */
export function planStatus(effective: Views, options: PlanStatusOptions): StatusPlan {
  const views = viewsIn(effective);
  const topology = topologyOf(views);
  const { changes, now, ...rest } = options;
  const settings = { ...settingsOf(rest), now };
  const changed = changes === undefined ? undefined : scopesOf(changes);
  const { complete, missing } = completenessOf(views);
  const work = [...complete].map((view) => {
    const scope = changed === undefined ? 'all' : (changed.get(keyOf(view)) ?? nothing);
    const unlistedWith = (plan: PolicyPlan): Unlisted =>
      scope === 'all' ? unlistedIn(view, plan) : unlistedNow(view, plan, scope, settings);
    return { view, scope, unlistedWith };
  });
  return { ...planWork(work, topology, views, settings), ...missing };
}

/**
 * Returns the options with all defaults.
 *
 * @throws {PolicyMachineryError} `invalid-controller-name`.
 */
export function settingsOf(options: Omit<PlanStatusOptions, 'now' | 'changes'>): Omit<PlanSettings, 'now'> {
  checkControllerName(options.controllerName);
  return {
    vocabulary: gep713,
    rendering: 'ancestors',
    overflow: 'refuse-and-signal',
    rejectedProgrammed: 'omit',
    unknownTarget: 'report',
    markedBy: 'annotations',
    namePolicies: true,
    conditionTypes: [],
    ...options,
    places: { ...statusPlaces, ...options.places },
  };
}

const nothing: Scope = { policies: new Set(), objects: new Set(), statuses: new Set() };

/** What has to be looked at, by kinds of policies. A kind that is not among the changes has not changed. */
function scopesOf(changes: Iterable<StatusChanges>): ReadonlyMap<string, Exclude<Scope, 'all'>> {
  const all = new Map<string, Record<keyof Exclude<Scope, 'all'>, Set<string>>>();
  for (const { kind, policies, objects, statuses = [] } of changes) {
    const key = groupKindKey(kind);
    const there = all.get(key) ?? { policies: new Set(), objects: new Set(), statuses: new Set() };
    all.set(key, there);
    for (const locator of policies) there.policies.add(locator);
    for (const locator of objects) there.objects.add(locator);
    for (const locator of statuses) there.statuses.add(locator);
  }
  return all;
}

function keyOf({ kind }: EffectivePolicies<unknown>): string {
  return groupKindKey(kind);
}

function unlistedIn(view: EffectivePolicies<unknown>, plan: PolicyPlan): Unlisted {
  const ancestors = new UnlistedAncestors(view);
  return { ancestors, touched: ancestors.set(plan.unlisted) };
}
