import {
  conditionsFor,
  envoyGatewayVocabulary,
  gep713Vocabulary,
  kgatewayVocabulary,
  kuadrantVocabulary,
  nginxGatewayFabricVocabulary,
  type ParentReference,
  type PolicyOutcome,
  type Vocabulary,
} from '@policy-machinery/conditions';
import { type PolicyReport, reportPolicies } from '@policy-machinery/policy-status';
import { type KubernetesObject, type ResourceRef, refOf, specOf, stringIn } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { stateOutcome } from '../answers/policy-state.ts';
import type { PolicyView } from '../input/hierarchies.ts';
import { keyOf, type WrittenEntry, writtenEntries } from './written.ts';

/** A difference between a status and what is computed. */
export interface StatusDifference {
  /** `missing` and `extra` are about an entry or the whole status; `outdated` means that the status is about an earlier generation of the policy. */
  readonly code: 'missing' | 'extra' | 'outdated' | 'differs';
  /** The ancestor; `undefined` for the policy as a whole. */
  readonly ancestor: ParentReference | undefined;
  /** The type of the condition; `undefined` if all are meant. */
  readonly condition: string | undefined;
  /** What the status says, and what is computed: `False (Conflicted)`. */
  readonly says: string | undefined;
  readonly computed: string | undefined;
  readonly message: string;
}

/** The comparison of the status of one policy. */
export interface StatusComparison {
  readonly policy: ResourceRef;
  readonly resource: KubernetesObject;
  /** `unknown` if the right status cannot be computed. */
  readonly result: 'same' | 'different' | 'unknown';
  readonly differences: readonly StatusDifference[];
  /** The reason for `unknown`; empty otherwise. */
  readonly why: string;
}

/** The vocabularies of systems whose conditions differ from those of GEP-713. */
const vocabularies: Readonly<Record<string, Vocabulary>> = {
  'Envoy Gateway': envoyGatewayVocabulary,
  kgateway: kgatewayVocabulary,
  Kuadrant: kuadrantVocabulary,
  'Kuadrant extensions': kuadrantVocabulary,
  'NGINX Gateway Fabric': nginxGatewayFabricVocabulary,
};

/**
 * Compares the statuses of the policies of one kind with what is computed. Conditions are compared by their status. Of those that are computed, only
 * `Accepted` is required, since controllers choose which others they write.
 *
 * @param view The kind.
 * @param controllerName The controller whose entries count; `undefined` for those of all controllers.
 * @returns One comparison for each policy, sorted by locator.
 */
export function compareStatuses(view: PolicyView, controllerName: string | undefined): readonly StatusComparison[] {
  return reportPolicies(view.effective).map((report) => compared(view, report, controllerName));
}

function compared(view: PolicyView, report: PolicyReport, controllerName: string | undefined): StatusComparison {
  const { resource, kind } = report.policy;
  const { status: form, merging, system = '' } = view.found;
  const parts = { policy: refOf(resource, kind.scope), resource };
  const unknown = (why: string): StatusComparison => ({ ...parts, result: 'unknown', differences: [], why });
  if (form === 'other') return unknown('The status of this kind has a form of its own.');
  if (stateOutcome(report.outcome, merging) === 'not-merged')
    return unknown('How policies of this kind are merged is not known.');
  const vocabulary = vocabularies[system] ?? gep713Vocabulary;
  const written = writtenEntries(resource, form).filter((entry) => isMeant(entry, controllerName));
  const expected =
    form === 'conditions'
      ? [{ key: '', ancestor: undefined, outcome: report.outcome, message: report.message }]
      : report.ancestors
          .filter(({ ancestorRef }) => isManaged(view.effective.topology, ancestorRef, resource, controllerName))
          .map(({ ancestorRef, ...rest }) => ({
            key: keyOf(ancestorRef, resource) ?? '',
            ancestor: ancestorRef,
            ...rest,
          }));
  const differences = differencesOf(resource, expected, written, vocabulary);
  return { ...parts, result: differences.length === 0 ? 'same' : 'different', differences, why: '' };
}

interface Expected {
  readonly key: string;
  readonly ancestor: ParentReference | undefined;
  readonly outcome: PolicyOutcome;
  readonly message: string;
}

function differencesOf(
  resource: KubernetesObject,
  expected: readonly Expected[],
  written: readonly WrittenEntry[],
  vocabulary: Vocabulary,
): readonly StatusDifference[] {
  const wanted = expected.filter(({ outcome }) => vocabulary.outcomes[outcome].length > 0);
  const [first] = wanted;
  if (written.length === 0 && first !== undefined) {
    const [should] = conditionsFor(vocabulary, first.outcome, { message: first.message });
    const computed = should && textOf(should);
    const message = `has no status: no controller has seen the policy. ${first.message}`;
    return [{ code: 'missing', ancestor: first.ancestor, condition: should?.type, says: undefined, computed, message }];
  }
  const byKey = new Map(expected.map((each) => [each.key, each]));
  const missing = wanted
    .filter(({ key }) => !written.some((entry) => entry.key === key))
    .map(({ ancestor, message }): StatusDifference => {
      return { code: 'missing', ancestor, condition: undefined, says: undefined, computed: 'an entry', message };
    });
  const others = written.flatMap((entry): readonly StatusDifference[] => {
    const should = byKey.get(entry.key);
    if (should !== undefined) return conditionDifferences(resource, entry, should, vocabulary);
    const message = 'The policy has nothing to do with this ancestor.';
    return [
      { code: 'extra', ancestor: entry.ancestor, condition: undefined, says: 'an entry', computed: undefined, message },
    ];
  });
  return [...missing, ...others];
}

function conditionDifferences(
  { metadata: { generation } }: KubernetesObject,
  { ancestor, conditions }: WrittenEntry,
  { outcome, message }: Expected,
  vocabulary: Vocabulary,
): readonly StatusDifference[] {
  const written = new Map(conditions.map((condition) => [condition.type, condition]));
  return conditionsFor(vocabulary, outcome, { message }).flatMap((should): readonly StatusDifference[] => {
    const { type } = should;
    const is = written.get(type);
    const computed = textOf(should);
    if (is === undefined) {
      if (type !== 'Accepted') return [];
      return [{ code: 'missing', ancestor, condition: type, says: undefined, computed, message }];
    }
    const [says, earlier] = [textOf(is), is.observedGeneration];
    if (typeof generation === 'number' && earlier !== undefined && earlier < generation) {
      const outdated = `is about generation ${earlier} of the policy, which is at ${generation}`;
      return [{ code: 'outdated', ancestor, condition: type, says, computed, message: outdated }];
    }
    return is.status === should.status ? [] : [{ code: 'differs', ancestor, condition: type, says, computed, message }];
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
