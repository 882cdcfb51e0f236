import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatLocator,
  type KubernetesObject,
  locatorOf,
  namespaceOf,
  PolicyMachineryError,
  parseLocator,
  type ResourceRef,
  refOf,
} from '../index.ts';

const cases: readonly [string, ResourceRef][] = [
  ['service:prod/cart', { group: '', kind: 'service', namespace: 'prod', name: 'cart' }],
  ['namespace:prod', { group: '', kind: 'namespace', name: 'prod' }],
  [
    'gatewayclass.gateway.networking.k8s.io:public',
    { group: 'gateway.networking.k8s.io', kind: 'gatewayclass', name: 'public' },
  ],
  [
    'httproute.gateway.networking.k8s.io:prod/checkout#rule-1',
    { group: 'gateway.networking.k8s.io', kind: 'httproute', namespace: 'prod', name: 'checkout', section: 'rule-1' },
  ],
  [
    'clusterrole.rbac.authorization.k8s.io:system:node',
    { group: 'rbac.authorization.k8s.io', kind: 'clusterrole', name: 'system:node' },
  ],
  ['service:prod/cart#/a#b', { group: '', kind: 'service', namespace: 'prod', name: 'cart', section: '/a#b' }],
];

const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/);
const refs = fc
  .record(
    {
      group: fc.oneof(
        fc.constant(''),
        fc.array(label, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
      ),
      kind: label,
      name: fc.stringMatching(/^[^/#]{1,12}$/),
      namespace: label,
      section: fc.string({ minLength: 1 }),
    },
    { requiredKeys: ['group', 'kind', 'name'] },
  )
  .map((ref): ResourceRef => ({ ...ref }));

describe('formatLocator', () => {
  it.each(cases)('writes %s', (locator, ref) => {
    expect(formatLocator(ref)).toBe(locator);
  });

  it('writes kind and group in lower case, for any spelling', () => {
    expect(formatLocator({ group: 'Example.COM', kind: 'RatePolicy', name: 'Limits' })).toBe(
      'ratepolicy.example.com:Limits',
    );
  });

  it('gives different resources different locators', () => {
    fc.assert(
      fc.property(refs, refs, (one, other) => {
        const same =
          JSON.stringify(parseLocator(formatLocator(one))) === JSON.stringify(parseLocator(formatLocator(other)));
        expect(formatLocator(one) === formatLocator(other)).toBe(same);
      }),
    );
  });
});

describe('parseLocator', () => {
  it.each(cases)('reads %s', (locator, ref) => {
    expect(parseLocator(locator)).toEqual(ref);
  });

  it('reads the output of formatLocator', () => {
    fc.assert(
      fc.property(refs, (ref) => {
        expect(parseLocator(formatLocator(ref))).toEqual(ref);
      }),
    );
  });

  it.each([
    '',
    'cart',
    'prod/cart',
    ':prod/cart',
    '.example.com:cart',
    'service.:cart',
    'service:',
    'service:prod/',
    'service:/cart',
    'service:a/b/c',
    'service:prod/cart#',
    'ser/vice:cart',
  ])('refuses %j, and describes the form of a locator', (text) => {
    expect(() => parseLocator(text)).toThrow(PolicyMachineryError);
    expect(() => parseLocator(text)).toThrow(/write kind\.group:namespace\/name#section, for example/);
  });

  it('refuses a kind or group that is not in lower case, and describes the form of a locator', () => {
    const [text, right] = [
      'HTTPRoute.Gateway.networking.k8s.io:Prod/Cart',
      'httproute.gateway.networking.k8s.io:Prod/Cart',
    ];
    expect(() => parseLocator(text)).toThrow(
      `"${text}" is not a locator: the kind must be in lower case; write "${right}"`,
    );
  });

  it('reads or refuses any text, with the code invalid-locator', () => {
    const parts = fc
      .array(fc.constantFrom('a', '.', ':', '/', '#', ' ', '\n'))
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(parts, (text) => {
        try {
          expect(formatLocator(parseLocator(text))).toBe(text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid-locator' });
        }
      }),
    );
  });
});

const service = (metadata: object): KubernetesObject =>
  ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'cart', ...metadata } }) as KubernetesObject;

describe('refOf', () => {
  it('keeps the spelling of group and kind', () => {
    const route = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: 'a', namespace: 'b' },
    };
    expect(refOf(route)).toEqual({ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: 'b', name: 'a' });
  });

  it.each([
    ['as it is, without a scope', { namespace: 'prod' }, undefined, 'prod'],
    ['not at all, without a scope', {}, undefined, undefined],
    ['not at all, when it is empty', { namespace: '' }, undefined, undefined],
    ['as "default" for a namespaced kind', {}, 'Namespaced', 'default'],
    ['as "default" for a namespaced kind, when it is empty', { namespace: '' }, 'Namespaced', 'default'],
    ['not at all for a cluster-scoped kind', { namespace: 'prod' }, 'Cluster', undefined],
  ] as const)('gives the namespace %s', (_, metadata, scope, namespace) => {
    expect(refOf(service(metadata), scope).namespace).toBe(namespace);
  });
});

describe('locatorOf', () => {
  it('is the same for all versions of a kind', () => {
    const route = (version: string) => ({
      apiVersion: `gateway.networking.k8s.io/${version}`,
      kind: 'HTTPRoute',
      metadata: { name: 'checkout', namespace: 'prod' },
    });
    expect(locatorOf(route('v1'))).toBe('httproute.gateway.networking.k8s.io:prod/checkout');
    expect(locatorOf(route('v1beta1'))).toBe(locatorOf(route('v1')));
  });

  it('respects the scope', () => {
    expect(locatorOf(service({}), 'Namespaced')).toBe('service:default/cart');
    expect(locatorOf(service({ namespace: 'prod' }), 'Cluster')).toBe('service:cart');
  });
});

describe('namespaceOf', () => {
  it.each([
    [{ namespace: 'prod' }, 'prod'],
    [{}, 'default'],
    [{ namespace: '' }, 'default'],
  ])('finds in %j the namespace %s', (metadata, namespace) => {
    expect(namespaceOf(service(metadata))).toBe(namespace);
  });
});
