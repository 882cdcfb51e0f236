import { isJsonObject, type JsonObject, type KubernetesObject, objectsIn, stringIn } from '@policy-machinery/resource';
import type { Expectation } from '../cluster/client.ts';
import type { PolicyUnderTest } from '../subject/policy-under-test.ts';

/** One list of conditions that an implementation writes about a policy. */
export interface StatusEntry {
  /** The ancestor of the entry; absent if conditions are in the status itself. */
  readonly ancestorRef: JsonObject | undefined;
  readonly conditions: readonly JsonObject[];
}

/** Returns the entries of the implementation under test in the status of a policy. */
export function entriesOf(
  { controllerName, rendering }: PolicyUnderTest,
  object: KubernetesObject | undefined,
): readonly StatusEntry[] {
  const status = isJsonObject(object?.status) ? object.status : {};
  if (rendering === 'conditions') {
    const conditions = objectsIn(status.conditions);
    return conditions.length === 0 ? [] : [{ ancestorRef: undefined, conditions }];
  }
  return objectsIn(status.ancestors)
    .filter((entry) => entry.controllerName === controllerName)
    .map(({ ancestorRef, conditions }) => ({
      ancestorRef: isJsonObject(ancestorRef) ? ancestorRef : undefined,
      conditions: objectsIn(conditions),
    }));
}

export function conditionIn({ conditions }: StatusEntry, type: string): JsonObject | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** An expected condition: `['Accepted', 'False', 'TargetNotFound']`. Without a reason, any is accepted. */
export type Expected = readonly [type: string, status: string, reason?: string];

/** Returns an expectation that each entry of the implementation has some conditions. */
export function says(subject: PolicyUnderTest, ...expected: readonly Expected[]): Expectation {
  return (object) => {
    const entries = entriesOf(subject, object);
    if (entries.length === 0) return `no entry of ${subject.controllerName} in its status`;
    for (const entry of entries) {
      for (const [type, status, reason] of expected) {
        const condition = conditionIn(entry, type);
        const isRight = condition?.status === status && (reason === undefined || condition.reason === reason);
        if (!isRight) return `${text([type, status, reason])} is expected, but its status says ${said(entry)}`;
      }
    }
    return undefined;
  };
}

/** Returns an expectation that several others are met. */
export function all(...expectations: readonly Expectation[]): Expectation {
  return (object) => {
    for (const expectation of expectations) {
      const fault = expectation(object);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** Returns an expectation about each entry of the implementation. */
export function everyEntry(subject: PolicyUnderTest, test: (entry: StatusEntry) => string | undefined): Expectation {
  return (object) => {
    for (const entry of entriesOf(subject, object)) {
      const fault = test(entry);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

function said({ conditions }: StatusEntry): string {
  const texts = conditions.map(({ type, status, reason }) =>
    text([stringIn(type) ?? '', stringIn(status) ?? '', stringIn(reason)]),
  );
  return texts.length === 0 ? 'nothing' : texts.join(', ');
}

function text([type, status, reason]: readonly [string, string, (string | undefined)?]): string {
  return `${type}=${status}${reason === undefined ? '' : `/${reason}`}`;
}
