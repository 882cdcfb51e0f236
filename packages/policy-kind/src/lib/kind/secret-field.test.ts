import { patch } from '@policy-machinery/merge';
import { describe, expect, it } from 'vitest';
import { additiveSpec } from '../stanzas/additive-spec.ts';
import { defaultsAndOverrides } from '../stanzas/defaults-and-overrides.ts';
import { effectiveSecrets, maskSecrets } from './secret-field.ts';

describe('effectiveSecrets', () => {
  const secrets = [{ pointer: '/key', isCertain: true }];

  it('are also found in the spec of each policy, by group and name, of a kind that keeps all policies', () => {
    const all = effectiveSecrets(secrets, additiveSpec({ groups: ['ALLOW', 'DENY'], by: 'action' }));
    const spec = { DENY: { 'shop/a': { key: 'x', note: 'y' } } };
    expect(maskSecrets(spec, '', all)).toEqual({ DENY: { 'shop/a': { key: '***', note: 'y' } } });
    expect(maskSecrets({ key: 'x' }, '', all)).toEqual({ key: '***' });
  });

  it('stay unchanged, of a kind with merged policies', () => {
    expect(effectiveSecrets(secrets, defaultsAndOverrides({ strategies: { patch } }))).toBe(secrets);
  });
});

describe('maskSecrets', () => {
  it.each([
    ['a certain field', { a: { key: 'x' } }, '', [{ pointer: '/a/key', isCertain: true }], { a: { key: '***' } }],
    [
      'everything in a certain field',
      { a: ['x', { b: 1, on: true }] },
      '',
      [{ pointer: '/a', isCertain: true }],
      { a: ['***', { b: '***', on: true }] },
    ],
    [
      'any item or key',
      { a: [{ key: 'x' }, { key: 'y' }] },
      '',
      [{ pointer: '/a/*/key', isCertain: true }],
      { a: [{ key: '***' }, { key: '***' }] },
    ],
    ['a field of a field', 'x', '/a/key', [{ pointer: '/a/key', isCertain: true }], '***'],
    [
      'a header by its name',
      {
        set: [
          { name: 'Authorization', value: 'x' },
          { name: 'X-Env', value: 'y' },
        ],
      },
      '',
      [{ pointer: '/set' }],
      {
        set: [
          { name: 'Authorization', value: '***' },
          { name: 'X-Env', value: 'y' },
        ],
      },
    ],
    ['a header whose name is not given', 'x', '/set/0/value', [{ pointer: '/set/*/value' }], '***'],
    [
      'a key by its name',
      { params: { client_secret: 'x', scope: 'y' } },
      '',
      [{ pointer: '/params/*' }],
      { params: { client_secret: '***', scope: 'y' } },
    ],
    [
      'what has the name of a secret, of a kind that marks none',
      { service: { password: 'x', tokenEndpoint: 'https://a' } },
      '',
      undefined,
      { service: { password: '***', tokenEndpoint: 'https://a' } },
    ],
    ['no reference to a Secret', { clientSecret: { name: 'x' } }, '', undefined, { clientSecret: { name: 'x' } }],
    ['nothing of a kind that marks that it has none', { password: 'x' }, '', [], { password: 'x' }],
  ] as const)('masks %s', (_what, value, pointer, secrets, masked) => {
    expect(maskSecrets(value as never, pointer, secrets)).toEqual(masked);
  });

  it('returns a value without secrets itself', () => {
    const value = { a: [{ b: 'x' }] };
    expect(maskSecrets(value, '', [{ pointer: '/c', isCertain: true }])).toBe(value);
  });
});
