import { describe, expect, it } from 'vitest';
import { messageOf } from '../index.ts';
import { nameOfNoJson } from '../inner.ts';

class V1Service {}

const fail = (): never => {
  throw new Error('no entry');
};

describe('nameOfNoJson', () => {
  it.each([
    ['an instance of V1Service', new V1Service()],
    ['an instance of Date', new Date(0)],
    ['an instance of Map', new Map()],
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
    ['a bigint', 1n],
    ['NaN', Number.NaN],
    ['an object that cannot be read', new Proxy({}, { getPrototypeOf: fail })],
  ])('reports that a value is %s', (name, value) => {
    expect(nameOfNoJson(value)).toBe(name);
  });

  it.each([null, undefined, 1, 'a', true, [], {}, [1n], { a: 1n }])('lacks a name for %o', (value) => {
    expect(nameOfNoJson(value)).toBeUndefined();
  });
});

describe('messageOf', () => {
  it.each([
    ['wrong', new Error('wrong')],
    ['wrong', 'wrong'],
    ['5', 5],
    ['a value without a message was thrown', Object.create(null)],
    ['a value without a message was thrown', Object.defineProperty(new Error('x'), 'message', { get: fail })],
  ])('is %j', (message, thrown) => {
    expect(messageOf(thrown)).toBe(message);
  });
});
