import { type JsonObject, type KubernetesObject, refOf, specOf } from '@policy-machinery/resource';
import { formatRef, type PolicyNode } from '@policy-machinery/topology';
import type { Effect } from '../live/effects.ts';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { VerifiedKind } from '../model/verified-kind.ts';
import type { HiddenBy } from './broken-class.ts';
import { unnamedText } from './missing-input.ts';
import { firstOf } from './not-known.ts';
import { lacksNamespace } from './possible-attachments.ts';
import type { PolicyCounterexample, Verdict } from './verdict.ts';

/** The results of a guarantee's expression, by locator of the policy. They count for as long as the policy and its effect are the same. */
export type PolicyResults = Map<string, PolicyResult>;

interface PolicyResult {
  readonly resource: KubernetesObject;
  readonly requests: number;
  readonly attached: boolean;
  readonly result: ReturnType<CompiledGuarantee['holds']['evaluate']>;
}

/**
 * Returns the verdict of a guarantee about policies: for each policy, the number of classes of requests that it sets a field for.
 *
 * @param effects The effects of policies on requests, by locator.
 * @param known The results so far, which are brought up to date.
 * @param notKnown The unknowns about requests. With any, a guarantee that reads their number is not broken, because there may be others.
 * @returns The verdict. O(policies), with an evaluation for each unknown result.
 */
export function policiesVerdict(
  { guarantee, holds, reads }: CompiledGuarantee,
  kinds: readonly VerifiedKind[],
  effects: ReadonlyMap<string, Effect>,
  known: PolicyResults,
  notKnown: readonly string[],
): Verdict {
  const broken: PolicyCounterexample[] = [];
  const hiddenBy: HiddenBy[] = [];
  const errors = new Set<string>();
  const isRead = (name: string) => reads.some(([, field = name]) => field === name);
  const open = isRead('requests') ? notKnown : [];
  // A test for a field, and a read of the whole policy, tell a missing namespace from an unknown one.
  const isSeen = reads.some((read) => read.length === 1 || (read[1] === 'namespace' && read.length > 2));
  const unnamed: string[] = [];
  const before = new Map(known);
  known.clear();
  for (const { kind, policies } of kinds) {
    for (const { node } of policies) {
      const { resource, locator } = node;
      const isUnnamed = isRead('namespace') && lacksNamespace(node);
      const { certain, hiddenBy: by } = effects.get(locator) ?? { certain: 0, hiddenBy: [] };
      const { result } = withResult(known, before.get(locator), holds, node, kind, certain);
      if (isUnnamed && (isSeen || ('error' in result && result.missing))) {
        unnamed.push(`${formatRef(refOf(resource, 'Namespaced'))} ${unnamedText}`);
        continue;
      }
      if ('holds' in result && result.holds) continue;
      const why = 'error' in result ? result.error : undefined;
      if ('error' in result && !result.missing) errors.add(result.error);
      else if (by.length > 0 && certain === 0) hiddenBy.push(...by);
      else if (open.length === 0) broken.push({ policy: locator, namespace: resource.metadata.namespace, kind, why });
    }
  }
  const isUndecided = hiddenBy.length > 0 || errors.size > 0 || open.length + unnamed.length > 0;
  const answer = broken.length > 0 ? 'broken' : isUndecided ? 'undecided' : 'holds';
  const verdict = { guarantee, kinds: [], classes: known.size, counterexamples: [], policies: broken };
  return {
    ...verdict,
    answer,
    hiddenBy,
    errors: [...errors],
    notKnown: [...open, ...firstOf(unnamed, 'policies do not name their namespaces')],
  };
}

/** Returns the result for a policy, the earlier one if the policy and its effect are the same, and adds it to the known ones. */
function withResult(
  known: PolicyResults,
  earlier: PolicyResult | undefined,
  holds: CompiledGuarantee['holds'],
  node: PolicyNode,
  kind: string,
  requests: number,
): PolicyResult {
  const { resource, locator } = node;
  const attached = node.attachments.length > 0;
  const isSame = earlier?.resource === resource && earlier.requests === requests && earlier.attached === attached;
  const evaluated = () => holds.evaluate({ policy: policyFacts(node, kind, requests, attached) });
  const current = isSame ? earlier : { resource, requests, attached, result: evaluated() };
  known.set(locator, current);
  return current;
}

/** Returns the facts of a policy; without an unknown namespace, so that expressions that depend on it have no result. */
function policyFacts(node: PolicyNode, kind: string, requests: number, attached: boolean): JsonObject {
  const { namespace = '', name, labels = {}, annotations = {} } = node.resource.metadata;
  const own = { kind, ...(!lacksNamespace(node) && { namespace }), name, labels, annotations };
  return { ...own, requests, attached, spec: specOf(node.resource) };
}
