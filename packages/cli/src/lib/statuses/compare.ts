import { conditionsFor, type ParentReference, type PolicyOutcome, type Vocabulary } from '@policy-machinery/conditions';
import { type PolicyReport, reportPolicies } from '@policy-machinery/policy-status';
import {
  groupKindKey,
  type KubernetesObject,
  type ResourceRef,
  refOf,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import { isCurrent } from '@policy-machinery/resource/inner';
import type { Topology } from '@policy-machinery/topology';
import { stateOutcome } from '../model/state-outcome.ts';
import type { PolicyView } from '../model/world.ts';
import { isFull, isRefused, isSameAncestor } from './matching.ts';
import { type ChainedAncestors, chainedAncestors } from './reference-chains.ts';
import { type WrittenEntry, writtenEntries } from './written.ts';

/** A difference between a status and the computed one. */
export interface StatusDifference {
  /** `missing` and `extra` are about an entry or the whole status; `outdated` means that the status is about an earlier generation of the policy. */
  readonly code: 'missing' | 'extra' | 'outdated' | 'differs';
  /** The ancestor; `undefined` for the policy as a whole. */
  readonly ancestor: ParentReference | undefined;
  /** The type of the condition; `undefined` if all are meant. */
  readonly condition: string | undefined;
  /** The status and the reason that are written, and those that are computed: `False (Conflicted)`. */
  readonly says: string | undefined;
  readonly computed: string | undefined;
  /** The status of the condition that is written, without its reason; `undefined` unless only this differs. */
  readonly status?: string;
  /** The controller's words; `undefined` if nothing is written. */
  readonly written?: string;
  readonly message: string;
}

/** A refusal by a controller for a reason that cannot be computed, such as a value that its data plane does not take. */
export interface StatusRefusal {
  readonly ancestor: ParentReference | undefined;
  readonly reason: string;
  /** The controller's words. */
  readonly written: string;
}

export interface StatusComparison {
  readonly policy: ResourceRef;
  readonly resource: KubernetesObject;
  /** `unknown` if the right status cannot be computed. */
  readonly result: 'same' | 'different' | 'unknown';
  readonly differences: readonly StatusDifference[];
  /** The refusals of its controller that cannot be checked here. */
  readonly refusals: readonly StatusRefusal[];
  /** The reason for `unknown`; empty otherwise. */
  readonly why: string;
}

/** The reasons of `Accepted=False` that can be checked for the kinds of other systems. */
const computedReasons: ReadonlySet<string> = new Set(['Conflicted', 'TargetNotFound', 'RefNotPermitted']);

/**
 * Compares the statuses of the policies of one kind with the computed ones. Conditions are compared by their status. Of those that are computed,
 * only `Accepted` is required, because controllers choose which others they write. The kinds of other systems are compared by the duties of their
 * controllers: an ancestor that they do not report on is not a difference, and neither is a refusal for a reason that cannot be computed.
 *
 * @param controllerName The controller of the entries that count; `undefined` for all controllers.
 * @param isLive Whether the policies are from a cluster. In files, sections may be missing that the controller knows.
 * @returns One comparison for each policy, sorted by locator.
 */
export function compareStatuses(
  view: PolicyView,
  controllerName: string | undefined,
  isLive: boolean,
): readonly StatusComparison[] {
  const chained = chainedAncestors(view);
  return reportPolicies(view.effective).map((report) => compared(view, report, { controllerName, isLive, chained }));
}

interface Circumstances {
  readonly chained: ChainedAncestors;
  readonly controllerName: string | undefined;
  readonly isLive: boolean;
}

function compared(view: PolicyView, report: PolicyReport, circumstances: Circumstances): StatusComparison {
  const { controllerName, isLive } = circumstances;
  const { resource, kind } = report.policy;
  const { status: form, merging, vocabulary, system } = view.found;
  const parts = { policy: refOf(resource, kind.scope), resource };
  const none = { differences: [], refusals: [] };
  const unknown = (why: string): StatusComparison => ({ ...parts, ...none, result: 'unknown', why });
  if (form === 'other') return unknown('The status of this kind has its own form.');
  if (stateOutcome(report.outcome, merging) === 'not-merged')
    return unknown('How policies of this kind are merged is not known.');
  if (report.outcome === 'undecided') return unknown(report.message);
  const written = writtenEntries(resource, form).filter((entry) => isMeant(entry, controllerName));
  if (report.outcome === 'section-not-found' && !isLive && written.some((entry) => !isRefused(entry)))
    return unknown('The section is not in the input, and its controller knows it.');
  const expected =
    form === 'conditions'
      ? [{ ancestor: undefined, outcome: report.outcome, message: report.message }]
      : [...report.ancestors, ...chainedReports(report, circumstances)]
          .filter(({ ancestorRef }) => isManaged(view.effective.topology, ancestorRef, resource, controllerName))
          .map(({ ancestorRef, outcome, message }) => ({ ancestor: ancestorRef, outcome, message }));
  const subject: Subject = {
    resource,
    vocabulary,
    isForeign: system !== undefined,
    isAncestor: ({ group = '', kind = 'Gateway' }) =>
      view.effective.kind.ancestors.some((it) => groupKindKey(it) === groupKindKey({ group: group || it.group, kind })),
  };
  const { differences, refusals } = differencesOf(subject, expected, written);
  if (isReachedOtherwise(subject, expected, differences))
    return unknown(
      'No route leads to its targets, and its controller also follows other references, for example in policies.',
    );
  const result = differences.length === 0 ? 'same' : 'different';
  return { ...parts, result, differences, refusals, why: '' };
}

/** Returns the entries for the ancestors that only references lead to. */
function chainedReports({ policy, ancestors, outcome, message }: PolicyReport, { chained }: Circumstances) {
  const { namespace: own = 'default' } = policy.resource.metadata;
  return [...chained(policy)]
    .filter(({ ref }) => !ancestors.some(({ ancestorRef }) => isSameAncestor(ancestorRef, ref, own)))
    .map(({ ref: ancestorRef }) => ({ ancestorRef, outcome, message }));
}

interface Subject {
  readonly resource: KubernetesObject;
  readonly vocabulary: Vocabulary;
  /** Whether the policy is of another system: its controller has different rules. */
  readonly isForeign: boolean;
  /** Returns whether an object is of a kind that statuses of the policy name as ancestors. */
  readonly isAncestor: (ref: ParentReference) => boolean;
}

interface Expected {
  readonly ancestor: ParentReference | undefined;
  readonly outcome: PolicyOutcome;
  readonly message: string;
}

type Differences = Pick<StatusComparison, 'differences' | 'refusals'>;

function differencesOf(subject: Subject, expected: readonly Expected[], written: readonly WrittenEntry[]): Differences {
  const { resource, vocabulary } = subject;
  const { namespace = 'default' } = resource.metadata;
  const wanted = expected.filter((it) => isRequired(it, subject, written));
  const [first] = wanted;
  if (written.length === 0) {
    if (first === undefined) return { differences: [], refusals: [] };
    const [should] = conditionsFor(vocabulary, first.outcome, { message: first.message });
    const computed = should && textOf(should);
    const message = `does not have a status: no controller has seen the policy. ${first.message}`;
    const { ancestor } = first;
    return {
      differences: [{ code: 'missing', ancestor, condition: should?.type, says: undefined, computed, message }],
      refusals: [],
    };
  }
  const isSame = (one: Pick<Expected, 'ancestor'>, other: Pick<WrittenEntry, 'ancestor'>) =>
    isSameAncestor(one.ancestor, other.ancestor, namespace);
  const missing = wanted
    .filter((it) => !isFull(written) && !written.some((entry) => isSame(it, entry)))
    .map(({ ancestor, message }): StatusDifference => {
      return { code: 'missing', ancestor, condition: undefined, says: undefined, computed: 'an entry', message };
    });
  const refusals: StatusRefusal[] = [];
  const others = written.flatMap((entry): readonly StatusDifference[] => {
    const should = expected.filter((it) => isSame(it, entry));
    if (should.length === 0) return extraEntry(entry, subject);
    const refusal = subject.isForeign ? refusalIn(entry, resource) : undefined;
    if (refusal === undefined) return leastDifferent(should.map((it) => conditionDifferences(subject, entry, it)));
    refusals.push(refusal);
    return [];
  });
  return { differences: [...missing, ...others], refusals };
}

/** Returns whether a status must have an entry. A controller of another system need not report on a target as its own ancestor. */
function isRequired(
  { ancestor, outcome }: Expected,
  { vocabulary, isForeign, isAncestor }: Subject,
  written: readonly WrittenEntry[],
): boolean {
  if (outcome === 'undecided' || vocabulary.outcomes[outcome].length === 0) return false;
  if (!isForeign || ancestor === undefined || isAncestor(ancestor)) return true;
  return written.length === 0 && outcome !== 'invalid' && outcome !== 'target-not-found';
}

/** Returns whether a controller names ancestors of targets without routes above: its policies and backends refer to backends, too. */
function isReachedOtherwise(
  { isForeign, isAncestor }: Subject,
  expected: readonly Expected[],
  differences: readonly StatusDifference[],
): boolean {
  const isStandIn = ({ ancestor }: Expected) => ancestor !== undefined && !isAncestor(ancestor);
  const areExtra = differences.length > 0 && differences.every(({ code }) => code === 'extra');
  return isForeign && areExtra && expected.length > 0 && expected.every(isStandIn);
}

function extraEntry(entry: WrittenEntry, { isForeign, isAncestor }: Subject): readonly StatusDifference[] {
  const { ancestor } = entry;
  if (isForeign && (isRefused(entry) || (ancestor !== undefined && !isAncestor(ancestor)))) return [];
  const message = 'This ancestor is not related to the policy.';
  return [{ code: 'extra', ancestor, condition: undefined, says: 'an entry', computed: undefined, message }];
}

/** Returns a refusal for a reason that cannot be computed. */
function refusalIn({ ancestor, conditions }: WrittenEntry, resource: KubernetesObject): StatusRefusal | undefined {
  const accepted = conditions.find(({ type }) => type === 'Accepted');
  if (accepted?.status !== 'False' || !isCurrent(accepted, resource)) return undefined;
  const { reason, message } = accepted;
  // Without creation times, which policy is older is not known.
  const isComputed = computedReasons.has(reason) && (reason !== 'Conflicted' || hasCreationTime(resource));
  return isComputed ? undefined : { ancestor, reason, written: message };
}

function hasCreationTime({ metadata }: KubernetesObject): boolean {
  return typeof metadata.creationTimestamp === 'string';
}

/** Returns the smallest of several sets of differences: where sections are reported by one entry, it is about any of them. */
function leastDifferent(all: readonly (readonly StatusDifference[])[]): readonly StatusDifference[] {
  return all.reduce((least, it) => (it.length < least.length ? it : least));
}

function conditionDifferences(
  { resource, vocabulary, isForeign }: Subject,
  { ancestor, conditions }: WrittenEntry,
  { outcome, message }: Expected,
): readonly StatusDifference[] {
  if (isForeign && outcome === 'conflicted' && !hasCreationTime(resource)) return [];
  const { generation = 0 } = resource.metadata;
  const written = new Map(conditions.map((condition) => [condition.type, condition]));
  return conditionsFor(vocabulary, outcome, { message }).flatMap((should): readonly StatusDifference[] => {
    const { type } = should;
    const is = written.get(type);
    const computed = textOf(should);
    if (is === undefined) {
      if (type !== 'Accepted' || isForeign) return []; // Some entries have one condition alone: that the policy is merged.
      return [{ code: 'missing', ancestor, condition: type, says: undefined, computed, message }];
    }
    const parts = { ancestor, condition: type, says: textOf(is), computed, written: is.message };
    if (!isCurrent(is, resource)) {
      const outdated = `is about generation ${is.observedGeneration} of the policy, which is at ${generation}`;
      return [{ code: 'outdated', ...parts, message: outdated }];
    }
    return is.status === should.status ? [] : [{ code: 'differs', ...parts, status: is.status, message }];
  });
}

function textOf({ status, reason }: { readonly status: string; readonly reason: string }): string {
  return reason === '' ? status : `${status} (${reason})`;
}

function isMeant({ controllerName }: WrittenEntry, meant: string | undefined): boolean {
  return meant === undefined || controllerName === undefined || controllerName === meant;
}

/** Returns whether a controller reports an ancestor. It does not report Gateways of classes that belong to other controllers. */
function isManaged(
  topology: Topology,
  ref: ParentReference,
  { metadata: { namespace: own } }: KubernetesObject,
  controllerName: string | undefined,
): boolean {
  const { group = '', kind = 'Gateway', namespace = own, name } = ref;
  if (controllerName === undefined || kind !== 'Gateway') return true;
  const gateway = topology.get({ group, kind, name, ...(namespace === undefined ? {} : { namespace }) });
  const className = gateway && stringIn(specOf(gateway.resource).gatewayClassName);
  if (className === undefined) return true;
  const gatewayClass = topology.get({ group, kind: 'GatewayClass', name: className });
  const manager = gatewayClass && stringIn(specOf(gatewayClass.resource).controllerName);
  return manager === undefined || manager === controllerName;
}
