import {
  type CelFunc,
  CelScalar,
  type CelValue,
  celEnv,
  celError,
  celFunc,
  celList,
  celMethod,
  isCelError,
  isCelList,
  isCelMap,
  isCelUint,
  listType,
} from '@bufbuild/cel';
import { isText, type Meter } from './meter.ts';
import { regexSteps } from './regex-steps.ts';
import { testFunction } from './tested-parts.ts';

/** Functions that `guard` inserts into conditions. No condition can name them, because no name in CEL begins with `@`. */
export const guards = { range: '@range', step: '@step', index: '@index' } as const;

const { BOOL, DYN, INT, STRING } = CelScalar;
const LIST = listType(DYN);

/** Answers whether a part passes a test; throws for a value that the part cannot be compared with. */
export type AnswerTest = (variable: string, part: string, name: string, operator: string, value: CelValue) => boolean;

/** Returns the functions of CEL and of `guards`: each call is charged before it runs. */
export function meteredFunctions(meter: Meter, answer: AnswerTest): CelFunc[] {
  return [
    ...[...celEnv().funcs].map((func) => metered(func, meter)),
    // The evaluator would nest lists within lists, a level for each item of a `map`: slow to read, and then too deep.
    celFunc('_+_', [LIST, LIST], LIST, (left, right) => {
      meter.chargeBulk(left.size + right.size);
      return celList([...left, ...right]);
    }),
    celFunc(guards.range, [DYN], DYN, (range) => {
      meter.charge(isCelList(range) || isCelMap(range) ? 1 + range.size : 1);
      return range;
    }),
    celFunc(guards.step, [BOOL, INT], BOOL, (goesOn, steps) => {
      meter.charge(Number(steps));
      return goesOn;
    }),
    celFunc(testFunction, [STRING, STRING, DYN, STRING, DYN], BOOL, (variable, part, name, operator, value) => {
      if (typeof name !== 'string') throw celError(`${variable}.${part} has a name that is not a string`);
      if (operator !== 'in') {
        meter.charge(1);
        return answer(variable, part, name, operator, value);
      }
      if (!isCelList(value)) throw celError(`found no matching overload for '@in' of ${variable}.${part}; use a list`);
      for (const item of value) {
        meter.charge(1);
        if (answer(variable, part, name, '==', item)) return true;
      }
      return false;
    }),
    // The evaluator goes through all keys of a map that lacks a number, uncharged.
    celFunc(guards.index, [DYN, DYN], DYN, (container: CelValue, key: CelValue) => {
      if (isCelMap(container)) meter.chargeBulk(typeof key === 'string' ? 0 : container.size);
      const item = itemAt(container, key);
      if (item === undefined) throw celError(notFound(container, key));
      return item;
    }),
  ];
}

function metered(func: CelFunc, meter: Meter): CelFunc {
  const call = (target: CelValue | undefined, args: CelValue[]): CelValue => {
    chargeFor(func.name, target === undefined ? args : [target, ...args], meter);
    const result = func.call(0, target, args);
    if (result === undefined || isCelError(result)) throw result ?? celError(`found no overload of ${func.name}`);
    return result;
  };
  return func.target === undefined
    ? celFunc(func.name, func.arguments, func.result, (...args) => call(undefined, args))
    : celMethod(func.name, func.target, func.arguments, func.result, function (...args) {
        return call(this, args);
      });
}

/** Returns the cost of a call in addition to its node in the expression, by the sizes of its arguments. */
function chargeFor(name: string, values: readonly CelValue[], meter: Meter): void {
  const [first, second] = values;
  if (name === '@in' && isCelMap(second)) {
    meter.chargeBulk(isText(first) ? first.length : second.size);
  } else if (name === '_==_' || name === '_!=_' || name === '@in') {
    for (const value of values) meter.chargeDeep(value);
  } else if (name === 'matches') {
    meter.charge(regexSteps(String(second), String(first)));
  } else if (name === 'contains') {
    meter.chargeBulk(String(first).length * (1 + String(second).length / 64));
  } else if (name.startsWith('get') && typeof second === 'string') {
    meter.charge(timeZoneSteps + second.length);
  } else {
    for (const value of values) if (isText(value)) meter.chargeBulk(value.length);
  }
}

/** The cost of reading the hour in a named time zone, which creates a formatter each time. */
const timeZoneSteps = 200;

function itemAt(container: CelValue, key: CelValue): CelValue | undefined {
  const isNumber = typeof key === 'bigint' || typeof key === 'number' || isCelUint(key);
  if (isCelList(container) && isNumber) {
    const index = Number(isCelUint(key) ? key.value : key);
    return Number.isInteger(index) ? container.get(index) : undefined;
  }
  if (isCelMap(container) && (isNumber || typeof key === 'string' || typeof key === 'boolean'))
    return container.get(key);
  throw celError("found no matching overload for '_[_]'; index lists by int, and maps by type of key");
}

/** Returns the message in the words of the evaluator, which its callers match. */
function notFound(container: CelValue, key: CelValue): string {
  const name = String(isCelUint(key) ? key.value : key);
  return isCelMap(container) ? `field not found: ${name}` : `index ${name} out of bounds`;
}
