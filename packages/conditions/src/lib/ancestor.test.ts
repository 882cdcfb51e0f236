import { describe, expect, it } from 'vitest';
import { ancestorKey } from './ancestor.ts';

describe('the key of an ancestor (S-09)', () => {
  it('is the same whether defaults are written out or not', () => {
    const written = { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'shop', name: 'eu' };
    expect(ancestorKey({ name: 'eu' }, 'shop')).toEqual(ancestorKey(written, 'elsewhere'));
  });

  it.each([
    [
      { kind: 'Gateway', name: 'a' },
      { kind: 'Service', name: 'a' },
    ],
    [{ name: 'a', sectionName: 'b' }, { name: 'a' }],
    [
      { name: 'a', port: 80 },
      { name: 'a', sectionName: '80' },
    ],
    [
      { namespace: 'a', name: 'b' },
      { namespace: 'a\nb', name: '' },
    ],
    [
      { kind: 'a\nb', name: 'c' },
      { group: 'gateway.networking.k8s.io\na', kind: 'b', name: 'c' },
    ],
  ])('distinguishes %j from %j, for any names', (one, other) => {
    expect(ancestorKey(one, 'shop')?.text).not.toBe(ancestorKey(other, 'shop')?.text);
  });

  it.each([undefined, null, 'eu', [], {}, { name: 5 }])('does not exist for %j, which is not a reference', (ref) => {
    expect(ancestorKey(ref, 'shop')).toBeUndefined();
  });
});
