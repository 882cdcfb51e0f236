import { type AncestorOverflow, type ConditionUpdate, gep713, type Vocabulary } from '@policy-machinery/conditions';
import { checkControllerName } from '@policy-machinery/resource';
import type { PolicyNode } from '@policy-machinery/topology';
import type { AncestorReport, PolicyReport } from '../report/policy-report.ts';
import { type StatusPlace, statusPlaces } from '../status/status-places.ts';
import type { StatusChanges } from './scope.ts';

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

/** All options, none left open. */
export type PlanSettings = Required<Omit<PlanStatusOptions, 'changes' | 'conditions'>> &
  Pick<PlanStatusOptions, 'conditions'>;

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
