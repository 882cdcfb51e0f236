import { describe, expect, it } from 'vitest';
import { atomic } from './atomic.ts';
import { customStrategy } from './custom.ts';
import { deepFreeze } from './deep-freeze.fixture.ts';
import { none } from './none.ts';
import { contributors, originsAt } from './origin-queries.ts';
import { trace } from './origins.ts';
import { patch } from './patch.ts';
import { type MergeStrategy, type Stanza, strategyName } from './strategy.ts';

const established = trace<string>(deepFreeze({ timeout: '5s', limits: { total: 100, burst: 5 } }), 'established');
const challenger = trace<string>(deepFreeze({ limits: { total: 10 }, mode: 'lax' }), 'challenger');
const combine = (strategy: MergeStrategy, stanza: Stanza) => strategy[stanza]?.(established, challenger);

describe('none', () => {
  it('does not change the established spec (M-02)', () => {
    expect(combine(none, 'defaults')).toBe(established);
  });

  it('does not support overrides', () => {
    expect(none.overrides).toBeUndefined();
  });
});

describe('atomic', () => {
  it('yields to the whole challenger as defaults, with its origins (M-03)', () => {
    expect(combine(atomic, 'defaults')).toBe(challenger);
  });

  it('replaces the challenger as overrides (M-04)', () => {
    expect(combine(atomic, 'overrides')).toBe(established);
  });

  it('lets an empty challenger win over defaults', () => {
    expect(atomic.defaults(established, trace<string>({}, 'challenger')).value).toEqual({});
  });
});

describe('patch', () => {
  it('fills in, as defaults, fields that the challenger omits (M-05)', () => {
    const merged = combine(patch, 'defaults');
    expect(merged?.value).toEqual({ timeout: '5s', limits: { total: 10, burst: 5 }, mode: 'lax' });
    expect(merged && originsAt(merged.origins, '/limits/total')).toEqual(['challenger']);
  });

  it('replaces, as overrides, fields that both set (M-06)', () => {
    const merged = combine(patch, 'overrides');
    expect(merged?.value).toEqual({ timeout: '5s', limits: { total: 100, burst: 5 }, mode: 'lax' });
    expect(merged && originsAt(merged.origins, '/limits/total')).toEqual(['established']);
  });

  it.each<[Stanza, 'established' | 'challenger']>([
    ['defaults', 'challenger'],
    ['overrides', 'established'],
  ])('as %s, a null of the %s policy removes a field (M-20)', (stanza, remover) => {
    const specs = { established: { timeout: '5s' }, challenger: { timeout: '1s' }, [remover]: { timeout: null } };
    const merged = patch[stanza](
      trace<string>(specs.established, 'established'),
      trace<string>(specs.challenger, 'challenger'),
    );
    expect(merged.value).toEqual({});
    expect(contributors(merged.origins)).toEqual([remover]);
  });

  it('keeps overrides over everything below, and defaults under everything above (M-11)', () => {
    const spec = (policy: string, ...fields: string[]) =>
      trace<string>(Object.fromEntries(fields.map((field) => [field, policy])), policy);
    const layers: [Stanza, string, ...string[]][] = [
      ['defaults', 'B.default', '1', '2', '3', '4', '5'],
      ['defaults', 'A.default', '1', '2', '3', '4', '5', '6'],
      ['overrides', 'C.override', '1', '2', '3'],
      ['overrides', 'B.override', '1', '2'],
      ['overrides', 'A.override', '1'],
    ];
    let merged = spec('C.default', '1', '2', '3', '4');
    for (const [stanza, ...layer] of layers) merged = patch[stanza](spec(...layer), merged);
    expect(merged.value).toEqual({
      1: 'A.override',
      2: 'B.override',
      3: 'C.override',
      4: 'C.default',
      5: 'B.default',
      6: 'A.default',
    });
  });
});

describe('strategyName', () => {
  const custom = customStrategy({ defaults: () => undefined, overrides: () => undefined });

  it.each<[MergeStrategy, Stanza, string]>([
    [none, 'defaults', 'None'],
    [atomic, 'defaults', 'Atomic defaults'],
    [atomic, 'overrides', 'Atomic overrides'],
    [patch, 'defaults', 'Patch defaults'],
    [patch, 'overrides', 'Patch overrides'],
    [custom, 'defaults', 'Custom'],
    [custom, 'overrides', 'Custom'],
  ])('spells strategies as GEP-713 requires (M-08): %o with %s is %s', (strategy, stanza, expected) => {
    expect(strategyName(strategy, stanza)).toBe(expected);
  });
});
