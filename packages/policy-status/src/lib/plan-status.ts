import { type AncestorOverflow, gep713, type Vocabulary } from '@policy-machinery/conditions';
import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { isSectionKind, type TargetNode } from '@policy-machinery/topology';
import { bearsSignal } from './limit-signals.ts';
import { type StatusPlace, statusPlaces } from './places.ts';
import { planAffected } from './plan-affected.ts';
import { type PolicyPlan, planPolicies } from './plan-policies.ts';
import type { StatusWrite } from './status-write.ts';
import { unlistedAncestors } from './unlisted-known.ts';
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
  /** What marks objects that have no conditions. Default `annotations`. */
  readonly markedBy?: 'annotations' | 'labels';
  /**
   * What has changed since statuses were planned last, as `refresh` of the effective policies tells: then the plan looks at that
   * alone. Default: everything is looked at.
   */
  readonly changes?: Iterable<StatusChanges>;
}

/** What statuses have to be looked at again. All are locators. */
export interface StatusChanges {
  readonly policies: readonly string[];
  readonly objects: readonly string[];
}

/** All options, none left open. */
export type PlanSettings = Required<Omit<PlanStatusOptions, 'changes'>>;

/** What must be written so that the statuses tell the truth. */
export interface StatusPlan {
  /** The writes, policies first, each sort in the order of locators. */
  readonly writes: readonly StatusWrite[];
  /** What has no place in a status, because others have filled it. */
  readonly refused: readonly RefusedStatus[];
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
 * that policies affect that they do (D-01 to D-07). What is there already is not written again, conditions and entries of others
 * stay as they are, and what no longer holds is removed. The plan of a state in which it has been carried out is empty.
 *
 * @param effective The effective policies of one kind, or of several of the same topology.
 * @param options The controller, the time, and how statuses are written.
 * @returns The writes. O(contexts + targets); with `changes`, O(what they name, and contexts of the policies among that).
 * @throws {PolicyMachineryError} `different-topologies`, when they are of more than one topology, or there are none.
 * @example
 * ```ts
 * const { writes } = planStatus(effectivePolicies(topology, TimeoutPolicy), { controllerName: 'example.com/timeouts', now: new Date() });
 * for (const { locator, patch } of writes) console.log(locator, patch);
 * ```
 */
export function planStatus(effective: Views, options: PlanStatusOptions): StatusPlan {
  const views = viewsIn(effective);
  const topology = topologyOf(views);
  const { changes, ...rest } = options;
  const settings: PlanSettings = {
    vocabulary: gep713,
    rendering: 'ancestors',
    overflow: 'refuse-and-signal',
    rejectedProgrammed: 'omit',
    unknownTarget: 'report',
    markedBy: 'annotations',
    namePolicies: true,
    ...rest,
    places: { ...statusPlaces, ...options.places },
  };
  const only = changes === undefined ? undefined : onlyThese(changes);
  const policies = views.map((view) => planPolicies(view, settings, only?.policies));
  const objects = only && objectsToPlan(only.objects, policies, views, settings);
  const unlisted = views.map((view, index) =>
    unlistedAncestors(view, policies[index] as PolicyPlan, settings, only?.policies),
  );
  const affected = planAffected(views, objects ?? [...topology.targets].filter(isWritable), unlisted, settings);
  const plans = [...policies, affected];
  return { writes: plans.flatMap(({ writes }) => writes), refused: plans.flatMap(({ refused }) => refused) };
}

function onlyThese(changes: Iterable<StatusChanges>): { policies: ReadonlySet<string>; objects: ReadonlySet<string> } {
  const all = [...changes];
  return {
    policies: new Set(all.flatMap(({ policies }) => policies)),
    objects: new Set(all.flatMap(({ objects }) => objects)),
  };
}

/** The objects that have changed, and the ancestors of policies that have, if they say something of policies that find no place. */
function objectsToPlan(
  locators: ReadonlySet<string>,
  plans: readonly PolicyPlan[],
  views: readonly EffectivePolicies<unknown>[],
  settings: PlanSettings,
): readonly TargetNode[] {
  const topology = topologyOf(views);
  const objects = new Set<TargetNode>();
  const add = (node: TargetNode | undefined): void => {
    if (node !== undefined && isWritable(node)) objects.add(node);
  };
  for (const locator of locators) add(topology.get(locator));
  for (const [index, { ancestors, unlisted }] of plans.entries()) {
    for (const { ancestorRef } of unlisted) add(topology.get(ancestorRef)?.object);
    for (const ancestorRef of ancestors) {
      const object = topology.get(ancestorRef)?.object;
      if (object !== undefined && bearsSignal(object, views[index] as EffectivePolicies<unknown>, settings))
        add(object);
    }
  }
  return [...objects].sort((a, b) => (a.locator < b.locator ? -1 : 1));
}

/** Whether there is an object whose status can be written: no API server knows virtual kinds. */
function isWritable({ kind }: TargetNode): boolean {
  return !isSectionKind(kind) && kind.derive === undefined;
}
