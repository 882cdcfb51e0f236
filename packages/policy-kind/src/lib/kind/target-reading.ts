import { type GroupKind, namespaceOf, PolicyMachineryError, specOf } from '@policy-machinery/resource';
import { readTargetRefs, readTargetSelectors } from '@policy-machinery/target-ref';
import type { AttachableKind } from '@policy-machinery/topology';
import { attachedBy } from '../policies/read-targets.ts';
import { targetFields } from '../stanzas/bare-spec.ts';
import type { AnyPolicyKindDefinition } from './policy-kind-definition.ts';

const defaultMaxTargets = 16;

/** Returns how policies of a kind are attached: by the targets that they name or select. */
export function attachmentOf({
  extensionRefs = false,
  targetSelectors: orSelectors = false,
  coreGroupSpellings = [],
  maxTargets = defaultMaxTargets,
  maxSelectors = maxTargets,
  defaultGroup,
  targetPorts: ports = false,
  repeatedTargets = 'refuse',
  readTargets,
  globalNamespace,
  unreadAttachment,
  targets,
}: AnyPolicyKindDefinition): Pick<AttachableKind, 'targetRefs' | 'targetSelectors'> {
  const common = { coreGroupSpellings, maxTargets, ports, ...(defaultGroup === undefined ? {} : { defaultGroup }) };
  if (readTargets !== undefined) return attachedBy(readTargets);
  const clusterScoped = targets.flatMap((it) => ('scope' in it && it.scope === 'Cluster' ? [it] : []));
  const isClusterScoped = ({ group, kind }: GroupKind): boolean =>
    clusterScoped.some((it) => it.group === group && it.kind === kind);
  const refOptions = { ...common, orSelectors, isClusterScoped, repeatedTargets };
  const selectorOptions = { ...common, maxTargets: maxSelectors };
  return {
    targetRefs: (policy) => {
      const spec = specOf(policy);
      const isUntargeted = extensionRefs && !targetFields.some((field) => field in spec);
      const isElsewhere = unreadAttachment !== undefined && targetFields.every((field) => isEmpty(spec[field]));
      if (isUntargeted || isElsewhere) return { refs: [], issues: [] };
      return readTargetRefs(policy, refOptions);
    },
    ...(orSelectors
      ? {
          targetSelectors: (policy) => {
            const reading = readTargetSelectors(policy, selectorOptions);
            if (globalNamespace === undefined || namespaceOf(policy) !== globalNamespace) return reading;
            return { ...reading, selectors: reading.selectors.map((it) => ({ ...it, namespaces: { from: 'All' } })) };
          },
        }
      : {}),
  };
}

/** Returns whether a field names no targets. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

export function targetFieldsOf({
  targetSelectors = false,
  readTargets,
}: Pick<AnyPolicyKindDefinition, 'targetSelectors' | 'readTargets'>): readonly string[] {
  if (readTargets !== undefined) return [];
  return ['targetRef', 'targetRefs', ...(targetSelectors ? ['targetSelectors'] : [])];
}

/**
 * Returns how many targets policies of a kind may name, and by how many selectors they may select targets.
 *
 * @throws {PolicyMachineryError} `invalid-policy-kind`, if one of these is neither a positive integer nor `Infinity`.
 */
export function limitsOf({
  kind,
  maxTargets = defaultMaxTargets,
  maxSelectors = maxTargets,
}: Pick<AnyPolicyKindDefinition, 'kind' | 'maxTargets' | 'maxSelectors'>) {
  for (const [option, limit] of Object.entries({ maxTargets, maxSelectors })) {
    const isLimit = Number.isSafeInteger(limit) || limit === Number.POSITIVE_INFINITY;
    if (isLimit && limit > 0) continue;
    const message = `${option} of ${kind} is ${limit}; set a positive integer`;
    throw new PolicyMachineryError('invalid-policy-kind', message);
  }
  return { maxTargets, maxSelectors };
}
