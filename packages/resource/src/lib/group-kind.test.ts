import { describe, expect, it } from 'vitest';
import { formatGroupKind, groupKindKey, groupKindOf, groupOf } from '../index.ts';

describe('groupOf', () => {
  it.each([
    ['v1', ''],
    ['apps/v1', 'apps'],
    ['gateway.networking.k8s.io/v1beta1', 'gateway.networking.k8s.io'],
  ])('finds in %s the group %j (T-06: the core group is empty)', (apiVersion, group) => {
    expect(groupOf(apiVersion)).toBe(group);
  });
});

describe('groupKindOf', () => {
  it('leaves the version out and keeps the spelling', () => {
    expect(groupKindOf({ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute' })).toEqual({
      group: 'gateway.networking.k8s.io',
      kind: 'HTTPRoute',
    });
  });
});

const kinds = [
  { group: '', kind: 'Service', text: 'Service', key: 'service' },
  { group: 'apps', kind: 'Deployment', text: 'Deployment.apps', key: 'deployment.apps' },
];

describe('formatGroupKind', () => {
  it.each(kinds)('writes $text', ({ text, ...groupKind }) => {
    expect(formatGroupKind(groupKind)).toBe(text);
  });
});

describe('groupKindKey', () => {
  it.each(kinds)('is $key for $text', ({ key, ...groupKind }) => {
    expect(groupKindKey(groupKind)).toBe(key);
  });
});
