import fc from 'fast-check';
import type { Condition, ConditionUpdate } from './condition.ts';

/** Returns a condition in a status: true, of generation 1, since the year 2025. */
export function stored(fields: Partial<Condition> & Pick<Condition, 'type'>): Condition {
  const since = '2025-01-01T00:00:00Z';
  return { status: 'True', observedGeneration: 1, lastTransitionTime: since, reason: 'Old', message: '', ...fields };
}

/** Returns a condition to be set. */
export function update(
  type: string,
  status: Condition['status'] = 'True',
  reason = 'New',
  message = '',
): ConditionUpdate {
  return { type, status, reason, message };
}

const statuses = fc.constantFrom<Condition['status']>('True', 'False', 'Unknown');

/** Updates of a few types, some of them twice. */
export const updates = fc.array(
  fc.record({
    type: fc.constantFrom('A', 'B', 'C'),
    status: statuses,
    reason: fc.constantFrom('R', 'S'),
    message: fc.constantFrom('', 'm'),
  }),
  { maxLength: 5 },
);

/** Possible content of a status: conditions of the controller (A, B, C) and of others (X, Y), some twice, and rubbish. */
export const storedConditions = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .record({
          type: fc.constantFrom('A', 'B', 'C', 'X', 'Y'),
          status: statuses,
          observedGeneration: fc.nat({ max: 4 }),
          reason: fc.constantFrom('R', 'S'),
        })
        .map((fields): unknown => stored(fields)),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<unknown>(
        null,
        'X',
        7,
        [],
        {},
        { type: 'A' },
        { type: 3 },
        { type: 'X', observedGeneration: 'new' },
      ),
    },
  ),
  { maxLength: 11 },
);

/** Returns the entries that are not of the controller's types. */
export function foreign(conditions: readonly unknown[]): readonly unknown[] {
  return conditions.filter((entry) => !['A', 'B', 'C'].includes((entry as { type?: string } | null)?.type ?? ''));
}
