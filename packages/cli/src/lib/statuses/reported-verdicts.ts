import type { ParentReference } from '@policy-machinery/conditions';
import type { Verdict, VerdictOutcome } from '@policy-machinery/effective-policy';
import { formatLocator, type KubernetesObject, printable, type ResourceRef } from '@policy-machinery/resource';
import { isCurrent } from '@policy-machinery/resource/inner';
import { type StatusForm, type WrittenCondition, type WrittenEntry, writtenEntries } from './written.ts';

/** The outcomes of policies that a controller refuses, by the reason of `Accepted=False`. Any other reason is of an invalid policy. */
const outcomes: Readonly<Record<string, VerdictOutcome>> = {
  Conflicted: 'conflicted',
  TargetNotFound: 'target-not-found',
  RefNotPermitted: 'reference-not-permitted',
};

/**
 * Returns the verdicts of controllers in a policy's status: a policy that its controller has refused holds nothing, whatever is computed.
 * Conditions about an earlier generation do not count.
 *
 * @param form The form of its status.
 * @returns One verdict for each ancestor that refuses the policy; a single one about the policy if it is refused for all.
 */
export function reportedVerdicts(policy: KubernetesObject, form: StatusForm): readonly Verdict[] {
  const entries = writtenEntries(policy, form);
  const refused = entries.flatMap((entry) => {
    const condition = entry.conditions.find((it) => it.type === 'Accepted' && isCurrent(it, policy));
    return condition?.status === 'False' ? [{ entry, condition }] : [];
  });
  const verdicts = refused.map(({ entry, condition }) => verdictOf(entry, condition));
  const [first] = verdicts;
  const isRefusedForAll = refused.length === entries.length && verdicts.every((it) => it.message === first?.message);
  if (first !== undefined && isRefusedForAll) return [first];
  return verdicts.map((verdict, index) => {
    const { ancestor } = refused[index]?.entry ?? {};
    return ancestor === undefined ? verdict : { ...verdict, ancestors: [locatorIn(ancestor, policy)] };
  });
}

function verdictOf({ controllerName }: WrittenEntry, { reason, message }: WrittenCondition): Verdict {
  const words = message === '' ? reason : message;
  return {
    outcome: outcomes[reason] ?? 'invalid',
    ...(reason === '' ? {} : { reason }),
    message: printable(`${controllerName ?? 'Its controller'} refuses it: ${words.replace(/\.?$/, '.')}`),
  };
}

function locatorIn(ancestor: ParentReference, { metadata }: KubernetesObject): string {
  const { group = 'gateway.networking.k8s.io', kind = 'Gateway', namespace = metadata.namespace, name } = ancestor;
  const ref: ResourceRef = {
    group,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(ancestor.sectionName === undefined ? {} : { section: ancestor.sectionName }),
  };
  return formatLocator(ref);
}
