import type { TargetReader, TargetReading } from '@policy-machinery/policy-kind';
import { isJsonObject, type JsonValue, type LabelSelector, specOf } from '@policy-machinery/resource';

type Namespaces = NonNullable<TargetReading['selectors']>[number]['namespaces'];

/**
 * Reads the `subject` of an AdminNetworkPolicy or BaselineAdminNetworkPolicy: all Pods in `namespaces`, or `pods`, the Pods in the
 * namespaces of `namespaceSelector` that `podSelector` selects. In both cases the policy applies to Pods.
 */
export const readSubject: TargetReader = (policy) => {
  const subject = isJsonObject(specOf(policy).subject) ? (specOf(policy).subject as Record<string, JsonValue>) : {};
  const { namespaces, pods } = subject;
  if (isJsonObject(namespaces) && pods === undefined) {
    return { selectors: [podsIn({ from: 'Selector', selector: namespaces }, {}, '/spec/subject/namespaces')] };
  }
  if (isJsonObject(pods) && namespaces === undefined) {
    const { namespaceSelector, podSelector } = pods;
    if (isJsonObject(namespaceSelector) && isJsonObject(podSelector)) {
      return {
        selectors: [podsIn({ from: 'Selector', selector: namespaceSelector }, podSelector, '/spec/subject/pods')],
      };
    }
  }
  return invalid(
    'set one of namespaces, a label selector, and pods, with namespaceSelector and podSelector',
    '/spec/subject',
  );
};

/** Reads the `podSelector` of a NetworkPolicy: Pods in its own namespace. An empty selector means all of them. */
export const readPodSelector: TargetReader = (policy) => {
  const { podSelector } = specOf(policy);
  const pointer = '/spec/podSelector';
  if (!isJsonObject(podSelector)) return invalid('set podSelector to a label selector; {} selects all Pods', pointer);
  return { selectors: [podsIn({ from: 'Same' }, podSelector, pointer)] };
};

function podsIn(namespaces: Namespaces, podSelector: LabelSelector, pointer: string) {
  const { matchLabels = {}, matchExpressions = [] } = podSelector;
  return { group: '', kind: 'Pod', matchLabels, matchExpressions, namespaces, pointer };
}

function invalid(message: string, pointer: string): TargetReading {
  return { issues: [{ code: 'invalid-subject', severity: 'error', message, pointer }] };
}
