import {
  type AncestorOverflow,
  type ConditionUpdate,
  gep713Vocabulary,
  type Vocabulary,
} from '@policy-machinery/conditions';
import { type Complete, checkControllerName, withDefaults } from '@policy-machinery/resource/inner';
import type { PolicyNode } from '@policy-machinery/topology';
import type { AncestorReport, PolicyReport } from '../report/policy-report.ts';
import { type StatusLocation, statusLocations } from '../status/status-locations.ts';
import type { WritePrecondition } from '../status/status-write.ts';
import type { StatusChanges } from './scope.ts';

/** How statuses are written. */
export interface PlanStatusOptions {
  /** The name of the controller, as in GatewayClass: `example.com/gateway-controller`. Its domain prefixes condition types. */
  readonly controllerName: string;
  /** The time of the plan, for conditions that change their status. */
  readonly now: Date;
  /** The condition types and reasons. Default: from current GEP-713. */
  readonly vocabulary?: Vocabulary | undefined;
  /**
   * Where the conditions of policies are: under `status.ancestors` (the default), or directly under `status`. With `targets`, entries of
   * policies with several targets also have conditions for each target, and a summary of these; experimental, as proposed in GEP-5058, and may
   * change with it.
   */
  readonly rendering?: 'ancestors' | 'conditions' | 'targets' | undefined;
  /** How to handle a policy with more than 16 ancestors. Default: `refuse-and-signal`. */
  readonly overflow?: AncestorOverflow | undefined;
  /** Whether rejected policies also have conditions which say that they are not in force. Default: `omit`. */
  readonly rejectedProgrammed?: 'omit' | 'false' | undefined;
  /** Whether a target that does not exist is reported, or ignored because another controller may know it. Default `report`. */
  readonly unknownTarget?: 'report' | 'ignore' | undefined;
  /** Where objects have conditions about policies, by `Kind.group`, in addition to {@link statusLocations}. */
  readonly places?: Readonly<Record<string, StatusLocation>> | undefined;
  /**
   * Whether the conditions on objects name the policies that affect them. Without names, an object is written only when it starts or
   * stops being affected, whichever policies come and go meanwhile. Default: yes.
   */
  readonly namePolicies?: boolean | undefined;
  /**
   * Returns the controller's own conditions of a policy, added to the conditions of its outcome, or in place of these for the same type.
   * Called for each ancestor, or once with `rendering: 'conditions'`. If it throws or returns a condition that no API server accepts, the
   * policy's status stays unchanged, and `refused` has an entry. Default: none.
   */
  readonly conditions?: ((subject: ConditionSubject) => readonly ConditionUpdate[]) | undefined;
  /**
   * The types of {@link conditions}, in addition to the types of the vocabulary. With `rendering: 'conditions'`, conditions of these types that
   * are no longer returned are removed. Default: none.
   */
  readonly conditionTypes?: readonly string[] | undefined;
  /**
   * Returns why the data plane has not taken a policy that is in force otherwise, for people; `undefined` if it has. The policy then says so in its
   * condition about being in force, such as `Programmed=False`; it still holds its fields. Called like {@link conditions}, and only for policies in
   * force. Dialects without such a condition say nothing. Default: the data plane has taken everything.
   */
  readonly unprogrammed?: (subject: ConditionSubject) => string | undefined;
  /**
   * Returns whether this process answers for an object, by its locator, where replicas share a cluster under one controller name: an entry of a
   * policy belongs to the replica that answers for the ancestor, and all other conditions to the one that answers for their object. Conditions and
   * entries of others stay unchanged. Default: it answers for all.
   */
  readonly answersFor?: ((object: string) => boolean) | undefined;
  /** How objects without conditions are marked. Default `annotations`. */
  readonly markedBy?: 'annotations' | 'labels' | undefined;
  /**
   * The objects that have conditions about the policies that affect them: `targets`, the default, that policies of the kind are attached
   * to, as a whole or by section, about these policies; `all` objects that policies affect, wherever these are attached, which may be one write
   * for each object of the cluster; or none (`off`). Conditions and marks that an earlier plan wrote elsewhere are removed.
   */
  readonly affected?: 'targets' | 'all' | 'off' | undefined;
  /**
   * How writes make sure that the object has not changed meanwhile:
   * - `resourceVersion` (the default): both forms set the resource version that was read, so the API server refuses a stale write with 409
   *   Conflict. Read the object and plan again.
   * - `test`: patches begin with a `test` of the resource version, which the API server refuses with 422 Invalid, as it does invalid statuses.
   * - `none`: nothing is checked. Patches name entries of lists by index, so use this only if no other controller writes these statuses.
   */
  readonly precondition?: WritePrecondition | undefined;
  /**
   * The changes after the last plan, as `takeChanges` of the effective policies returns them; the plan then covers only these. Default: everything.
   */
  readonly changes?: Iterable<StatusChanges> | undefined;
}

/** How a planner writes statuses: the options of `planStatus`, with a clock. */
export interface StatusPlannerOptions extends Omit<PlanStatusOptions, 'now' | 'changes'> {
  /** Returns the time of a plan, for conditions that change their status: `() => new Date()`. */
  readonly now: () => Date;
  /**
   * Which writes the next plan repeats if nothing has changed:
   * - `until-done` (the default): those that are not `done`. Each plan looks at all of them.
   * - `after-failure`: those that have `failed`, for a queue that keeps each write until the write is made or replaced.
   */
  readonly repeat?: 'until-done' | 'after-failure' | undefined;
}

/** How a plan is made in slices. */
export interface PlanSliceOptions {
  /** How many policies or objects a slice looks at, at most. Default 8. */
  readonly size?: number | undefined;
}

/** The subject of the controller's own conditions. */
export interface ConditionSubject {
  readonly policy: PolicyNode;
  /** The report for one ancestor; `undefined` if the conditions are about the policy as a whole. */
  readonly ancestor: AncestorReport | undefined;
  readonly report: PolicyReport;
}

/** All options with their defaults. */
export type PlanSettings = Complete<Omit<PlanStatusOptions, 'changes' | AskedOption>> &
  Pick<PlanStatusOptions, AskedOption>;

/** The options without a default: functions of the controller. */
type AskedOption = 'conditions' | 'unprogrammed' | 'answersFor';

/**
 * Returns the options with all defaults.
 *
 * @throws {PolicyMachineryError} `invalid-controller-name`.
 */
export function settingsOf(options: Omit<PlanStatusOptions, 'now' | 'changes'>): Omit<PlanSettings, 'now'> {
  checkControllerName(options.controllerName);
  const settings = withDefaults(options, {
    vocabulary: gep713Vocabulary,
    rendering: 'ancestors',
    overflow: 'refuse-and-signal',
    rejectedProgrammed: 'omit',
    unknownTarget: 'report',
    markedBy: 'annotations',
    namePolicies: true,
    affected: 'targets',
    precondition: 'resourceVersion',
    conditionTypes: [],
  });
  return { ...settings, places: { ...statusLocations, ...options.places } };
}
