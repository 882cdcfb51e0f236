import { describe, expect, it } from 'vitest';
import { parseName } from './parse-name.ts';

describe('parseName', () => {
  it.each([
    [['httproute/cart'], { kind: 'httproute', name: 'cart' }, []],
    [['httproute/cart#pay', '/request'], { kind: 'httproute', name: 'cart', section: 'pay' }, ['/request']],
    [['HTTPRoute', 'shop/cart'], { kind: 'HTTPRoute', namespace: 'shop', name: 'cart' }, []],
    [
      ['HTTPRoute', 'shop/cart#a/b', '/x'],
      { kind: 'HTTPRoute', namespace: 'shop', name: 'cart', section: 'a/b' },
      ['/x'],
    ],
    [['HTTPRoute shop/cart#pay'], { kind: 'HTTPRoute', namespace: 'shop', name: 'cart', section: 'pay' }, []],
    [['httproute/shop/cart'], { kind: 'httproute', namespace: 'shop', name: 'cart' }, []],
    [['namespace/shop'], { kind: 'namespace', name: 'shop' }, []],
    [['service:shop/cart'], { kind: 'service', namespace: 'shop', name: 'cart' }, []],
    [
      ['httproute.gateway.networking.k8s.io:shop/cart#pay'],
      { kind: 'httproute.gateway.networking.k8s.io', namespace: 'shop', name: 'cart', section: 'pay' },
      [],
    ],
  ])('reads %j', (args, name, rest) => {
    expect(parseName(args)).toEqual({ name, rest });
  });

  it.each([[[]], [['httproute']], [['httproute/']], [['a/b/c/d']], [['HTTPRoute', '']]])('refuses %j', (args) => {
    expect(() => parseName(args)).toThrow(/name an object, such as httproute\/cart/);
  });
});
