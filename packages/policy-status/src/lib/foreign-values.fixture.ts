import { PolicyMachineryError } from '@policy-machinery/resource';
import fc from 'fast-check';
import { expect } from 'vitest';

const controllerName = 'example.com/gateways';

const circular: Record<string, unknown> = { type: 'Accepted' };
circular.self = circular;
export const fail = (): never => {
  throw new Error('no entry');
};
const condition = { type: 'Accepted', status: 'True', reason: 'A', message: '', lastTransitionTime: 'x' };
const conditionLists: readonly unknown[] = [5, 'a', null, {}, [null, 5, 'a', {}, [], { type: 5 }], [condition]];
const entries = conditionLists.flatMap((conditions): readonly unknown[] => [
  { ancestorRef: 5, parentRef: 5, controllerName, conditions },
  { ancestorRef: { name: 'edge' }, parentRef: { name: 'edge' }, name: 'https', controllerName, conditions },
  { ancestorRef: { name: {} }, parentRef: { name: [] }, name: 5, controllerName: 5, conditions },
]);
/** Statuses that are JSON, and conform to no schema. */
export const odd: readonly unknown[] = [
  ...[null, 5, 'text', true, [], [{}]],
  ...conditionLists.map((conditions) => ({ conditions })),
  ...['ancestors', 'parents', 'listeners'].flatMap((field) =>
    [5, 'a', null, {}, entries].map((value) => ({ [field]: value })),
  ),
];
/** Statuses that are no JSON. */
const foreign: readonly unknown[] = [
  { conditions: [circular] },
  { ancestors: [{ ancestorRef: circular, controllerName, conditions: [circular] }], other: circular },
  { parents: [{ parentRef: circular, controllerName, conditions: [circular] }], conditions: new Map() },
  { conditions: new Proxy([{}], { get: fail }) },
  Object.defineProperty({}, 'conditions', { get: fail, enumerable: true }),
  { ancestors: [1n], parents: [Symbol('a')], listeners: [() => 1], conditions: [new Date(0)] },
  new Proxy({}, { get: fail }),
];

/** Statuses of any kind, JSON or not. */
export const anyStatus = fc.oneof(
  fc.constantFrom(...odd, ...foreign),
  fc.anything({ withBigInt: true, withDate: true, withSparseArray: true }),
);

/** Its own error, or none. */
export const attempt = <Value>(run: () => Value): Value | undefined => {
  try {
    return run();
  } catch (error) {
    expect(error).toBeInstanceOf(PolicyMachineryError);
    return undefined;
  }
};
