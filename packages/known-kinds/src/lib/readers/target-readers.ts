import type { TargetReader, TargetReading } from '@policy-machinery/policy-kind';
import {
  type Issue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  specOf,
} from '@policy-machinery/resource';
import { readTargetRefs, type TargetRefOptions } from '@policy-machinery/target-ref';

/**
 * Reads `targetRefs`: each names a target, or selects Pods in the namespace of the policy by a `selector` in place of a name (GEP-3779).
 *
 * @param options How many targets a policy may have, and whether it may name one twice.
 */
export function namedOrSelected(
  options: Partial<Pick<TargetRefOptions, 'maxTargets' | 'repeatedTargets'>> = {},
): TargetReader {
  const named: TargetRefOptions = { ...options, defaultGroup: '', coreGroupSpellings: ['core'] };
  return (policy) => {
    const { targetRefs } = specOf(policy);
    const entries: readonly JsonValue[] = Array.isArray(targetRefs) ? targetRefs : [];
    const listed: KubernetesObject = { ...policy, spec: { targetRefs: targetRefs ?? null } };
    const hasTooMany = (options.maxTargets ?? Number.POSITIVE_INFINITY) < entries.length;
    if (hasTooMany || !entries.some(isOfPods)) return readTargetRefs(listed, named);
    const parts = entries.map((entry, index): TargetReading => {
      const pointer = `/spec/targetRefs/${index}`;
      return isOfPods(entry) ? selectedPods(entry, pointer) : readOne(policy, entry, pointer, named);
    });
    return joined(parts);
  };
}

/** Returns whether a reference has a selector, or is to Pods, which need one. */
function isOfPods(entry: JsonValue): entry is JsonObject {
  return isJsonObject(entry) && (isJsonObject(entry.selector) || entry.kind === 'Pod');
}

function selectedPods({ group = '', kind, name, selector }: JsonObject, pointer: string): TargetReading {
  if (!isJsonObject(selector)) return refused('Pods are selected by their labels; set selector', `${pointer}/selector`);
  if (name !== undefined && name !== null) {
    return refused('both name and selector are set; keep one', `${pointer}/selector`);
  }
  if (kind !== 'Pod' || (group !== '' && group !== 'core')) {
    return refused('a selector selects Pods only; set kind to Pod, or name the target', `${pointer}/kind`);
  }
  const { matchLabels, matchExpressions } = selector;
  const labels = Object.fromEntries(
    Object.entries({ matchLabels, matchExpressions }).filter(([, value]) => value !== undefined && value !== null),
  );
  return {
    selectors: [{ group: '', kind: 'Pod', ...labels, namespaces: { from: 'Same' }, pointer: `${pointer}/selector` }],
  };
}

/** Reads the `targetReference` of a policy. Its default kind is `Service`. Without one, a policy does not have targets. */
export const targetReference: TargetReader = (policy) => {
  const { targetReference: reference } = specOf(policy);
  if (reference === undefined || reference === null) return {};
  const filled = isJsonObject(reference) ? { kind: 'Service', ...reference } : reference;
  return readOne(policy, filled, '/spec/targetReference', { defaultGroup: '' });
};

/** Reads a `targetRef` that may list several sections of its target, in `sectionNames`. */
export const withSectionNames: TargetReader = (policy) => {
  const { targetRef } = specOf(policy);
  const options: TargetRefOptions = { defaultGroup: '' };
  if (!isJsonObject(targetRef) || !Array.isArray(targetRef.sectionNames)) return readTargetRefs(policy, options);
  const { sectionNames, ...whole } = targetRef;
  if (sectionNames.length === 0) return readOne(policy, whole, '/spec/targetRef', options);
  return joined(
    sectionNames.map((sectionName: JsonValue) =>
      readOne(policy, { ...whole, sectionName }, '/spec/targetRef', options),
    ),
  );
};

/** Reads one reference, as if it were the only one. */
function readOne(
  policy: KubernetesObject,
  targetRef: JsonValue,
  pointer: string,
  options: TargetRefOptions,
): TargetReading {
  const { refs, issues } = readTargetRefs({ ...policy, spec: { targetRef } }, options);
  const placed = <Part extends { readonly pointer?: string }>(part: Part): Part => ({
    ...part,
    pointer: (part.pointer ?? '').replace('/spec/targetRef', pointer),
  });
  return { refs: refs.map(placed), issues: issues.map(placed) };
}

function joined(parts: readonly TargetReading[]): TargetReading {
  return {
    refs: parts.flatMap(({ refs = [] }) => refs),
    selectors: parts.flatMap(({ selectors = [] }) => selectors),
    issues: parts.flatMap(({ issues = [] }) => issues),
  };
}

function refused(message: string, pointer: string): TargetReading {
  const issue: Issue = { code: 'invalid-target-ref', severity: 'error', message, pointer };
  return { issues: [issue] };
}
