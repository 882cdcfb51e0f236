import { type GroupKind, PolicyMachineryError, specOf } from '@policy-machinery/resource';
import { readTargetRefs, readTargetSelectors } from '@policy-machinery/target-ref';
import type { AttachableKind } from '@policy-machinery/topology';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { attachedBy } from '../policies/read-targets.ts';
import { targetFields } from '../stanzas/bare-spec.ts';
import type { PolicyKindDefinition } from './policy-kind-definition.ts';

const defaultMaxTargets = 16;

/** Returns how policies of a kind are attached: by the targets that they name or select. */
export function attachmentOf({
  extensionRefs = false,
  targetSelectors: orSelectors = false,
  coreGroupSpellings = [],
  maxTargets = defaultMaxTargets,
  defaultGroup,
  targetPorts: ports = false,
  repeatedTargets = 'refuse',
  readTargets,
  targets,
}: Pick<
  PolicyKindDefinition<StandardSchemaV1>,
  | 'extensionRefs'
  | 'targetSelectors'
  | 'coreGroupSpellings'
  | 'maxTargets'
  | 'defaultGroup'
  | 'targetPorts'
  | 'repeatedTargets'
  | 'readTargets'
  | 'targets'
>): Pick<AttachableKind, 'targetRefs' | 'targetSelectors'> {
  const common = { coreGroupSpellings, maxTargets, ports, ...(defaultGroup === undefined ? {} : { defaultGroup }) };
  if (readTargets !== undefined) return attachedBy(readTargets);
  const isClusterScoped = ({ group, kind }: GroupKind): boolean =>
    targets.some((it) => 'scope' in it && it.scope === 'Cluster' && it.group === group && it.kind === kind);
  return {
    targetRefs: (policy) => {
      const isUntargeted = extensionRefs && !targetFields.some((field) => field in specOf(policy));
      if (isUntargeted) return { refs: [], issues: [] };
      return readTargetRefs(policy, { ...common, orSelectors, isClusterScoped, repeatedTargets });
    },
    ...(orSelectors ? { targetSelectors: (policy) => readTargetSelectors(policy, common) } : {}),
  };
}

/** Returns the fields in which policies of a kind name their targets. */
export function targetFieldsOf({
  targetSelectors = false,
  readTargets,
}: Pick<PolicyKindDefinition<StandardSchemaV1>, 'targetSelectors' | 'readTargets'>): readonly string[] {
  if (readTargets !== undefined) return [];
  return ['targetRef', 'targetRefs', ...(targetSelectors ? ['targetSelectors'] : [])];
}

/**
 * Returns how many targets policies of a kind may name.
 *
 * @throws {PolicyMachineryError} `invalid-policy-kind`, if it is neither a positive integer nor `Infinity`.
 */
export function maxTargetsOf({
  kind,
  maxTargets = defaultMaxTargets,
}: Pick<PolicyKindDefinition<StandardSchemaV1>, 'kind' | 'maxTargets'>): number {
  const isLimit = Number.isSafeInteger(maxTargets) || maxTargets === Number.POSITIVE_INFINITY;
  if (isLimit && maxTargets > 0) return maxTargets;
  throw new PolicyMachineryError(
    'invalid-policy-kind',
    `maxTargets of ${kind} is ${maxTargets}; set a positive integer`,
  );
}
