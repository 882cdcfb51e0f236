import { describe, expect, it } from 'vitest';
import { customStrategy, jsonPatch, listOrigins, patch, type Traced, trace } from '../index.ts';
import { removeFields } from '../inner.ts';
import { deepFreeze } from './deep-freeze.fixture.ts';

/** The result of a spec with `null` for `size`: the field is removed. */
const low = patch.withRemovals?.(trace<string>(deepFreeze({ size: null, shape: 'round' }), 'low')) as Traced<string>;
const high = trace<string>(deepFreeze({ size: 1 }), 'high');

describe('a removal stays a removal (M-20)', () => {
  it('through a JSON Patch that changes something else', () => {
    const operations = [{ op: 'add', path: '/color', value: 'red' }];
    const patched = jsonPatch().overrides(trace(deepFreeze({ operations }), 'middle'), low);
    expect(patch.defaults(high, patched).value).toEqual({ shape: 'round', color: 'red' });
  });

  it.each(['challenger', 'established'])('through a custom strategy, where it was made by the %s', (side) => {
    const keep = customStrategy<object>({ defaults: () => undefined });
    const middle = trace<string>(deepFreeze({ shape: 'round' }), 'middle');
    const [established, challenger] = side === 'established' ? [low, middle] : [middle, low];
    const merged = keep.defaults?.(established, challenger) as Traced<string>;
    expect(merged.value).toEqual({ shape: 'round' });
    expect(patch.defaults(high, merged).value).toEqual({ shape: 'round' });
  });

  it('of a whole, also where parts of it are removed later', () => {
    const spec = trace<string>(deepFreeze({ p: { q: 1 } }), 'low');
    const removed = removeFields(removeFields(spec, [['p']], 'first'), [['p', 'q']], 'second');
    expect(removed.value).toEqual({});
    expect(listOrigins(removed.origins)).toEqual([{ pointer: '/p', by: ['first'], removed: true }]);
  });
});
