import type { JsonObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { fieldWise, type Origins, type Traced, trace } from '../index.ts';
import { visitFields } from '../inner.ts';

const { defaults, overrides } = fieldWise({ at: { '/backends': { keys: ['name'] } }, nullRemoves: true });

/** What is visited, as lines, and the origins of what is passed. */
function visited(side: Traced<string>, result: Traced<string>, isPassing = false) {
  const fields: string[] = [];
  const passed: Origins<string>[] = [];
  visitFields(
    side,
    result,
    ({ path, by, removed, value, result }) => {
      const said = removed ? 'removed' : JSON.stringify(value);
      fields.push(`/${path.join('/')}: ${said} by ${by.join(', ')}, now ${JSON.stringify(result)}`);
    },
    isPassing ? (origins) => passed.push(origins) : undefined,
  );
  return { fields, passed };
}

const base = trace({ timeout: 1, retry: { on: ['5xx'], max: 3 }, backends: [{ name: 'a', weight: 1 }] }, 'base');

describe('visitFields', () => {
  it('visits the fields of one side, with the value of the result at each place', () => {
    const result = overrides(base, trace({ timeout: 2, retry: { max: 5 } }, 'top'));
    expect(visited(trace({ timeout: 2, retry: { max: 5 } }, 'top'), result).fields).toEqual([
      '/timeout: 2 by top, now 1',
      '/retry/max: 5 by top, now 3',
    ]);
  });

  it('treats a list as one field, unless it was merged by key; then its items are at their keys', () => {
    const top = trace({ retry: { on: ['reset'] }, backends: [{ name: 'b' }, { name: 'a', zone: 'x' }] }, 'top');
    expect(visited(top, defaults(base, top)).fields).toEqual([
      '/retry/on: ["reset"] by top, now ["reset"]',
      '/backends/0/name: "b" by top, now "b"',
      '/backends/1/zone: "x" by top, now "x"',
    ]);
  });

  it('visits removed fields', () => {
    const top = defaults(base, trace({ timeout: null }, 'top'));
    expect(visited(top, top).fields).toContain('/timeout: removed by top, now undefined');
  });

  it('passes on whole unchanged parts, if asked to', () => {
    const result = defaults(base, trace({ timeout: 2 }, 'top'));
    const { fields, passed } = visited(base, result, true);
    expect(fields).toEqual(['/timeout: 1 by base, now 2']);
    expect(passed).toEqual([{ by: ['base'] }, { by: ['base'] }]);
  });

  it('reads the key of each item of a list as often in a long list as in a short one', () => {
    let reads = 0;
    const item = (index: number): JsonObject =>
      Object.defineProperty({ weight: index }, 'name', {
        enumerable: true,
        get: () => {
          reads += 1;
          return `item ${index}`;
        },
      }) as unknown as JsonObject;
    const readsPerItem = (length: number): number => {
      const side = trace({ backends: Array.from({ length }, (_, index) => item(index)) }, 'top');
      const { origins } = defaults(trace({ backends: [{ name: 'item 0', zone: 'x' }] }, 'base'), side);
      reads = 0;
      visitFields(side, { value: side.value, origins }, () => undefined);
      return reads / length;
    };
    expect(readsPerItem(100)).toBeLessThanOrEqual(2 * readsPerItem(5));
  });
});
