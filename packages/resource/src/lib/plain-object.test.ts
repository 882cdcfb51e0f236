import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PolicyMachineryError, plainObject } from '../index.ts';

class V1Port {
  constructor(readonly port: unknown) {}
}
const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'cart' } };
const withPort = (port: unknown) => ({ ...service, spec: { ports: [new V1Port(port)] } });

describe('plainObject', () => {
  it('returns a plain object itself', () => {
    expect(plainObject(service)).toBe(service);
    expect(plainObject(service, { apiVersion: 'v2', kind: 'Other' })).toBe(service);
  });

  it('gives the value of JSON.stringify, at any depth, and leaves the object unchanged', () => {
    const key = fc.string().filter((it) => it !== '__proto__');
    fc.assert(
      fc.property(fc.anything({ key, withDate: true, withMap: true, withNullPrototype: true }), (port) => {
        expect(plainObject(withPort(port))).toEqual(JSON.parse(JSON.stringify(withPort(port))));
      }),
    );
  });

  it('adds version and kind where they are missing', () => {
    const type = { apiVersion: 'v1', kind: 'Service' };
    const { metadata } = service;
    for (const item of [{ metadata }, { apiVersion: undefined, metadata }, { kind: 'Service', metadata }]) {
      expect(plainObject(item, type)).toEqual(service);
    }
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;

  it.each([
    ['a bigint', withPort(1n), 'serialize a BigInt'],
    ['a cycle', withPort(circular), 'circular'],
    ['a key that is unsafe', { ...withPort(1), spec: JSON.parse('{"__proto__":1}') }, '__proto__ is refused'],
    ['no name', { ...service, metadata: {} }, 'metadata.name is missing'],
    ['no kind', { metadata: service.metadata }, 'apiVersion is missing'],
    ['no object', new Date(0), 'not a Kubernetes object but an instance of Date'],
    ['nothing', undefined, 'not a Kubernetes object but missing'],
  ])('refuses %s, with the reason', (_, value, message) => {
    expect(() => plainObject(value as object)).toThrow(PolicyMachineryError);
    expect(() => plainObject(value as object)).toThrow(message);
  });
});
