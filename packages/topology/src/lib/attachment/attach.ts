// attachment/: takes a policy, returns one attachment for each target that it names or selects, or that names the policy, with an outcome. A crowd
// is the policies of one kind and namespace that select targets: at each target, only the oldest of them attach.

import { type Issue, type KubernetesObject, refOf } from '@policy-machinery/resource';
import type { DeclaredTarget, DeclaredTargetSelector } from '@policy-machinery/target-ref';
import type { Kinds } from '../model/kinds.ts';
import type { AttachableKind, Attachment } from '../model/policy-node.ts';
import { readSafely } from '../model/read-safely.ts';
import { byTopologyOrder } from '../model/target-node.ts';
import { answerKeys, type RecordingLookup } from '../references/lookup.ts';
import type { PolicyRefs } from '../references/policy-refs.ts';
import { Target } from '../targets/target.ts';
import { attachByName } from './attach-by-name.ts';
import { attachSelection, type Selection, selectionOf } from './attach-by-selector.ts';
import type { AttachedPolicy } from './attached-policy.ts';
import { attachmentIssue } from './attachment-issue.ts';
import { attachmentTo } from './attachment-to.ts';
import type { Crowds } from './crowds.ts';

/** The parts of a topology that attachments depend on. */
export interface AttachSources {
  readonly kinds: Kinds;
  readonly lookup: RecordingLookup<Target | AttachedPolicy>;
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
  const policy = { locator, ref: refOf(resource, kind.scope), kind, lookup, met: new Set<Target>(), issues };
  const declarations = declarationsOf(locator, resource, kind, issues);
  const selections = declarations.map((it, place): Selection => {
    if ('outcome' in it) return [it];
    if ('name' in it) return attachByName(it, policy, untargetable);
    const selection = selectionOf(it, policy, untargetable);
    if (place + 1 < declarations.length) for (const target of targetsOf(selection)) policy.met.add(target);
    return selection;
  });
  const [only = [], ...others] = selections.map(targetsOf);
  const selected = others.length === 0 ? only : [only, ...others].flat();
  const admitted = state.crowds.admit(attached, resource, selected);
  const declared = selections.flatMap((selection) => attachSelection(selection, policy, admitted));
  for (const attachment of declared) {
    const issue = attachmentIssue(locator, attachment);
    if (issue !== undefined) issues.push(issue);
  }
  if (!state.kinds.hasPolicyRefs) return declared;
  const named = referringTargets(state, locator).flatMap((target) =>
    (state.policyRefs.get(target)?.get(locator) ?? []).map((declared) =>
      attachmentTo({ declared, via: 'policyRef' }, target, policy),
    ),
  );
  return [...declared, ...named];
}

function targetsOf(selection: Selection): readonly Target[] {
  return 'targets' in selection ? selection.targets : [];
}

/** Returns the targets that name a policy, in order. */
function referringTargets({ lookup }: AttachSources, policy: string): readonly Target[] {
  const naming = [...lookup.dependents(answerKeys.policy(policy))].filter((who) => who instanceof Target);
  return naming.sort(byTopologyOrder);
}

/** A declaration to attach, or a finished attachment. */
type Declaration = DeclaredTarget | DeclaredTargetSelector | Attachment;

/** Returns the declarations of a policy, names before selectors; if any of them is malformed, only the errors. */
function declarationsOf(
  locator: string,
  policy: KubernetesObject,
  kind: AttachableKind,
  issues: Issue[],
): readonly Declaration[] {
  return readSafely<Declaration>(locator, issues, () => {
    const named = kind.targetRefs(policy);
    const selecting = kind.targetSelectors?.(policy) ?? { selectors: [], issues: [] };
    for (const issue of [...named.issues, ...selecting.issues]) issues.push({ ...issue, resource: locator });
    const faults = [...malformed('targetRef', named.issues), ...malformed('targetSelector', selecting.issues)];
    return faults.length > 0 ? faults : [...named.refs, ...selecting.selectors];
  });
}

function malformed(via: Attachment['via'], issues: readonly Issue[]): readonly Attachment[] {
  return issues
    .filter(({ severity }) => severity === 'error')
    .map(({ message, pointer = '' }) => ({ declared: { pointer }, via, outcome: 'Malformed', message }));
}
