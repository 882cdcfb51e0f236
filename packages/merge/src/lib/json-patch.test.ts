import type { JsonObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { jsonPatch, listOrigins, trace } from '../index.ts';
import { deepFreeze } from './deep-freeze.fixture.ts';

const below = { limits: { a: 1, b: 1 }, list: [1] };

function merge(stanza: 'defaults' | 'overrides', operations: unknown, challenger: JsonObject = below) {
  const established = deepFreeze({ operations } as JsonObject);
  return jsonPatch()[stanza](trace(established, 'above'), trace(deepFreeze(challenger), 'below'));
}

describe('jsonPatch (RFC 6902)', () => {
  it('applies all operations under overrides, and records their changes', () => {
    const { value, origins, problems } = merge('overrides', [
      { op: 'replace', path: '/limits/a', value: 2 },
      { op: 'remove', path: '/limits/b' },
      { op: 'add', path: '/list/-', value: 2 },
      { op: 'add', path: '/size', value: 'big' },
    ]);
    expect(value).toEqual({ limits: { a: 2 }, list: [1, 2], size: 'big' });
    expect(problems).toEqual([]);
    expect(listOrigins(origins)).toEqual([
      { pointer: '/limits/a', by: ['above'], removed: false },
      { pointer: '/limits/b', by: ['above'], removed: true },
      { pointer: '/list', by: ['above'], removed: false },
      { pointer: '/size', by: ['above'], removed: false },
    ]);
  });

  it('does not change existing values under defaults', () => {
    const { value, problems } = merge('defaults', [
      { op: 'add', path: '/limits/a', value: 2 },
      { op: 'add', path: '/limits/c', value: 2 },
      { op: 'remove', path: '/limits/b' },
      { op: 'add', path: '', value: {} },
      { op: 'add', path: '/list/-', value: 9 },
      { op: 'copy', from: '/limits/c', path: '/limits/d' },
    ]);
    expect(value).toEqual({ ...below, limits: { a: 1, b: 1, c: 2, d: 2 } });
    expect(problems).toEqual([]);
  });

  it('reports each operation that cannot be applied by its index, and applies the others', () => {
    const { value, problems } = merge('overrides', [
      { op: 'replace', path: '/none/here', value: 1 },
      { op: 'replace', path: '/limits/a', value: 2 },
      'no operation',
      { op: 'add', path: '/__proto__/polluted', value: true },
      { op: 'replace', path: '', value: 5 },
    ]);
    expect(value).toEqual({ ...below, limits: { a: 2, b: 1 } });
    expect(problems).toEqual([
      expect.stringMatching(/^operation 0 .*PATH_UNRESOLVABLE/),
      expect.stringMatching(/^operation 2 /),
      expect.stringMatching(/^operation 3 /),
      expect.stringMatching(/^operation 4 .*no object/),
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('ends at a failing test', () => {
    const { value, problems } = merge('overrides', [
      { op: 'test', path: '/limits/a', value: 9 },
      { op: 'replace', path: '/limits/a', value: 2 },
    ]);
    expect(value).toEqual(below);
    expect(problems).toEqual([expect.stringMatching(/^operation 0 .*TEST_OPERATION_FAILED/)]);
  });

  it('does not let copies grow without end', () => {
    const doubling = Array.from({ length: 60 }, (_, step) => ({ op: 'copy', from: '', path: `/copy${step}` }));
    const { value, problems } = merge('overrides', doubling);
    expect(JSON.stringify(value).length).toBeLessThan(10_000_000);
    expect(problems).toContainEqual(expect.stringContaining('the copies have in total more than 10000 values'));
    expect(problems?.at(-1)).toMatch(/^\d+ more operations cannot be applied$/);
  });

  it('does not let copies of long texts grow without end either', () => {
    const long = { text: 'x'.repeat(1_000_000) };
    const copies = Array.from({ length: 256 }, (_, step) => ({ op: 'copy', from: '/text', path: `/copy${step}` }));
    const { value, problems } = merge('overrides', copies, long);
    expect(Object.keys(value).length).toBeLessThan(10);
    expect(problems).toContainEqual(expect.stringContaining('the copies have in total more than 10000 values'));
  });

  it('does not let moves onto big values take forever', () => {
    const big = { big: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`f${index}`, index])) };
    const moves = Array.from({ length: 256 }, () => ({ op: 'move', from: '/big', path: '/big' }));
    const { value, problems } = merge('overrides', moves, big);
    expect(value).toEqual(big);
    expect(problems?.at(-1)).toBe('240 more operations cannot be applied');
  });

  it('refuses invalid list indexes (RFC 6901)', () => {
    expect(merge('overrides', [{ op: 'add', path: '/list/01', value: 9 }]).problems).toEqual([
      expect.stringMatching(/^operation 0 .*ILLEGAL_ARRAY_INDEX/),
    ]);
  });

  it('applies 256 operations to 100,000 fields, and none of more', () => {
    const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, index]));
    const operations = Array.from({ length: 256 }, (_, index) => ({
      op: 'move',
      from: `/f${index}`,
      path: `/g${index}`,
    }));
    const { value, problems } = merge('overrides', operations, fields);
    expect(value).toMatchObject({ g0: 0, g255: 255, f256: 256 });
    expect(problems).toEqual([]);
    expect(merge('overrides', [...operations, ...operations]).problems).toEqual([
      'there are more than 256 operations; none was applied',
    ]);
    const few = jsonPatch({ maxOperations: 1 }).overrides?.(trace({ operations }, 'above'), trace({}, 'below'));
    expect(few?.problems).toEqual(['there are more than 1 operations; none was applied']);
  });

  it('changes nothing if a move would put a value into itself', () => {
    const { value, problems } = merge('overrides', [{ op: 'move', from: '/limits', path: '/limits/a/b' }]);
    expect(value).toEqual(below);
    expect(problems).toHaveLength(1);
  });

  it('treats numbers as keys of objects, and inherited properties as missing fields', () => {
    const { value, problems } = merge('overrides', [
      { op: 'add', path: '/limits/0', value: 'zero' },
      { op: 'add', path: '/constructor', value: 'data' },
      { op: 'test', path: '/toString', value: 1 },
    ]);
    expect(value).toEqual({ ...below, limits: { ...below.limits, 0: 'zero' }, constructor: 'data' });
    expect(problems).toHaveLength(1);
  });

  it('does not let later operations change the values that earlier ones have put in', () => {
    const operations = [
      { op: 'add', path: '/x', value: { y: 1 } },
      { op: 'replace', path: '/x/y', value: 2 },
    ];
    expect(merge('overrides', operations).value).toMatchObject({ x: { y: 2 } });
    expect(operations[0]?.value).toEqual({ y: 1 });
  });

  it('reports a spec without a list of operations', () => {
    expect(merge('overrides', 'replace it')).toMatchObject({
      value: below,
      problems: ['the list of operations is missing'],
    });
  });

  it('is applied to an empty spec if there is nothing below', () => {
    const operations = [{ op: 'add', path: '/limits', value: { a: 1 } }];
    expect(jsonPatch().alone?.(trace({ operations }, 'above')).value).toEqual({ limits: { a: 1 } });
  });

  it('reports operations that cannot be applied to an empty spec', () => {
    const operations = [{ op: 'replace', path: '/limits/a', value: 1 }];
    expect(jsonPatch().alone?.(trace({ operations }, 'above')).problems).toEqual([
      expect.stringMatching(/^operation 0 .*PATH_UNRESOLVABLE/),
    ]);
  });
});
