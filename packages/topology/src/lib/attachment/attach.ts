// attachment/: takes a policy, returns one attachment for each target that it names or selects, or that names the policy, with an outcome. A crowd
// is the policies of one kind and namespace that select targets: at each target, only the oldest of them attach.

import { type Issue, type KubernetesObject, refOf } from '@policy-machinery/resource';
import type { DeclaredTarget, DeclaredTargetSelector } from '@policy-machinery/target-ref';
import type { Kinds } from '../model/kinds.ts';
import type { AttachableKind, Attachment } from '../model/policy-node.ts';
import { readSafely } from '../model/read-safely.ts';
import { byTopologyOrder } from '../model/target-node.ts';
import { answerKeys, type Lookup } from '../references/lookup.ts';
import type { PolicyRefs } from '../references/policy-refs.ts';
import { none } from '../support/nothing.ts';
import { Target } from '../targets/target.ts';
import { targetsNamed } from './attach-by-name.ts';
import { targetsSelected } from './attach-by-selector.ts';
import type { AttachContext, AttachedPolicy, Selection } from './attach-context.ts';
import { attachmentIssue } from './attachment-issue.ts';
import { attachmentTo } from './attachment-to.ts';
import type { Crowds } from './crowds.ts';

/** The parts of a topology that attachments depend on. */
export interface AttachSources {
  readonly kinds: Kinds;
  readonly lookup: Lookup;
  /** The sections with ambiguous names. */
  readonly untargetable: ReadonlySet<Target>;
  readonly crowds: Crowds;
  readonly policyRefs: ReadonlyMap<Target, PolicyRefs>;
}

/**
 * Attaches a policy to the targets that it declares, then to those that name it.
 *
 * @param issues Takes the issues of the attachments.
 */
export function attach(
  state: AttachSources,
  attached: AttachedPolicy,
  resource: KubernetesObject,
  kind: AttachableKind,
  issues: Issue[],
): readonly Attachment[] {
  const { locator } = attached;
  const { lookup, untargetable } = state;
  const met = new Set<Target>();
  const policy = { locator, ref: refOf(resource, kind.scope), resource, kind, lookup, untargetable, met, issues };
  const selections = declarationsOf(policy, resource).map((targetRef, place, targetRefs): Selection => {
    if ('targets' in targetRef) return targetRef;
    const selection = 'name' in targetRef ? targetsNamed(targetRef, policy) : targetsSelected(targetRef, policy);
    if (place + 1 < targetRefs.length) for (const target of selection.targets) met.add(target);
    return selection;
  });
  const [only = none, ...others] = selections.map(({ crowdedOut, targets }) =>
    crowdedOut === undefined ? none : targets,
  );
  const admitted = state.crowds.admit(attached, resource, others.length === 0 ? only : [only, ...others].flat());
  const declared = selections.flatMap((selection) => attachmentsOf(selection, policy, admitted));
  for (const attachment of declared) {
    const issue = attachmentIssue(locator, attachment);
    if (issue !== undefined) issues.push(issue);
  }
  if (!state.kinds.hasPolicyRefs) return declared;
  const named = referringTargets(state, locator).flatMap((target) =>
    (state.policyRefs.get(target)?.get(locator) ?? none).map((declared) =>
      attachmentTo({ declared, via: 'policyRef' }, target, policy),
    ),
  );
  return [...declared, ...named];
}

function attachmentsOf(
  { targets, failed, crowdedOut, ...declaration }: Selection,
  policy: AttachContext,
  admitted: ReadonlySet<Target>,
): readonly Attachment[] {
  const accepted = crowdedOut === undefined ? targets : targets.filter((target) => admitted.has(target));
  const attached = accepted.map((target) => attachmentTo(declaration, target, policy));
  const isRefused = crowdedOut !== undefined && accepted.length < targets.length;
  return [...attached, ...failed, ...(isRefused ? [crowdedOut] : none)];
}

/** Returns the targets that name a policy, in order. */
function referringTargets({ lookup }: AttachSources, policy: string): readonly Target[] {
  const naming = [...lookup.dependents(answerKeys.policy(policy))].filter((who) => who instanceof Target);
  return naming.sort(byTopologyOrder);
}

/** Returns the declarations of a policy, names before selectors; if any of them is malformed, only the errors. */
function declarationsOf(
  { locator, kind, issues }: AttachContext,
  policy: KubernetesObject,
): readonly (DeclaredTarget | DeclaredTargetSelector | Selection)[] {
  return readSafely<DeclaredTarget | DeclaredTargetSelector | Selection>(locator, issues, () => {
    const named = kind.targetRefs(policy);
    const selecting = kind.targetSelectors?.(policy) ?? { selectors: none, issues: none };
    for (const issue of [...named.issues, ...selecting.issues]) issues.push({ ...issue, resource: locator });
    const faults = [...malformed('targetRef', named.issues), ...malformed('targetSelector', selecting.issues)];
    return faults.length > 0 ? faults : [...named.refs, ...selecting.selectors];
  });
}

function malformed(via: Attachment['via'], issues: readonly Issue[]): readonly Selection[] {
  const errors = issues.filter(({ severity }) => severity === 'error');
  return errors.map(({ message, pointer = '' }) => {
    const declaration = { declared: { pointer }, via };
    return { ...declaration, targets: none, failed: [{ ...declaration, outcome: 'Malformed', message }] };
  });
}
