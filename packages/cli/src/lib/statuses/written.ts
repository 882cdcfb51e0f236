import { ancestorKey, type ParentReference } from '@policy-machinery/conditions';
import { type JsonObject, type KubernetesObject, objectIn, objectsIn, stringIn } from '@policy-machinery/resource';

export interface WrittenCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration: number | undefined;
}

/** Whether a status has a list of conditions for each ancestor, or a single list. */
export type StatusForm = 'ancestors' | 'conditions';

/** The conditions about one ancestor, or about the policy. */
export interface WrittenEntry {
  /** The key of the ancestor; empty for conditions about the policy as a whole. */
  readonly key: string;
  readonly ancestor: ParentReference | undefined;
  /** The controller that wrote the conditions; `undefined` if the status does not name one. */
  readonly controllerName: string | undefined;
  readonly conditions: readonly WrittenCondition[];
}

/**
 * Reads the conditions in the status of a policy.
 *
 * @param form Whether the status has a list of conditions for each ancestor, or a single list.
 * @returns The entries; none without a status.
 */
export function writtenEntries(policy: KubernetesObject, form: StatusForm): readonly WrittenEntry[] {
  const status = objectIn(policy.status);
  if (form === 'conditions') {
    const conditions = conditionsIn(status);
    return conditions.length === 0 ? [] : [{ key: '', ancestor: undefined, controllerName: undefined, conditions }];
  }
  return objectsIn(status.ancestors).flatMap((entry): readonly WrittenEntry[] => {
    const key = keyOf(entry.ancestorRef, policy);
    if (key === undefined) return [];
    return [
      {
        key,
        ancestor: referenceIn(entry.ancestorRef),
        controllerName: stringIn(entry.controllerName),
        conditions: conditionsIn(entry),
      },
    ];
  });
}

/** Reads a reference to an ancestor, without the fields that are of another type. */
function referenceIn(ref: unknown): ParentReference {
  const { group, kind, namespace, name, sectionName, port } = objectIn(ref);
  const texts = Object.entries({ group, kind, namespace, sectionName }).filter(([, text]) => typeof text === 'string');
  return { ...Object.fromEntries(texts), name: stringIn(name) ?? '', ...(typeof port === 'number' ? { port } : {}) };
}

/** Returns the key of an ancestor, which is the same for all references to it. */
export function keyOf(ref: unknown, { metadata: { namespace = 'default' } }: KubernetesObject): string | undefined {
  return ancestorKey(ref, namespace)?.text;
}

/** Reads a list of conditions. Conditions without a type or a status are left out. */
export function conditionsIn({ conditions }: JsonObject): readonly WrittenCondition[] {
  return objectsIn(conditions).flatMap(({ type, status, reason, message, observedGeneration }) =>
    typeof type === 'string' && typeof status === 'string'
      ? [
          {
            type,
            status,
            reason: stringIn(reason) ?? '',
            message: stringIn(message) ?? '',
            observedGeneration: typeof observedGeneration === 'number' ? observedGeneration : undefined,
          },
        ]
      : [],
  );
}
