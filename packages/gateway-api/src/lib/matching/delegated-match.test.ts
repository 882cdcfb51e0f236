import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delegatedMatch, delegatedMatchTest } from './delegated-match.ts';

const child = (matches: readonly JsonObject[], annotations = {}): KubernetesObject => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'c', namespace: 'a', annotations },
  spec: { rules: [{ matches }] },
});
const inheriting = { 'delegation.kgateway.dev/inherit-parent-matcher': 'true' };

const value = fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
const match = fc
  .record({
    type: fc.constantFrom('PathPrefix', 'PathPrefix', 'Exact', 'RegularExpression'),
    value: fc.oneof(
      value,
      value.map((it) => `${it}/`),
    ),
    method: fc.constantFrom(undefined, 'GET'),
    header: fc.constantFrom(undefined, 'x', 'y'),
  })
  .map(
    ({ type, value, method, header }): JsonObject => ({
      path: { type, value },
      ...(method === undefined ? {} : { method }),
      ...(header === undefined ? {} : { headers: [{ name: header, value: '1' }] }),
    }),
  );

describe('delegatedMatchTest', () => {
  it('returns the same for many matches as comparing them one by one', () => {
    fc.assert(
      fc.property(
        fc.array(match, { minLength: 1, maxLength: 40 }),
        fc.array(match, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (ofParent, ofChild, inherits) => {
          const isPart = ofChild.some((it) =>
            ofParent.some((of) => delegatedMatch(it, of, { inherits }) !== undefined),
          );
          const test = delegatedMatchTest(ofParent);
          expect(test(child(ofChild, inherits ? inheriting : {}))).toBe(isPart ? 'some' : 'none');
        },
      ),
    );
  });

  it('skips matches of the rule for a match of a child with another beginning of the path', () => {
    let reads = 0;
    const counted = (path: string): JsonObject => ({
      path: { type: 'PathPrefix', value: path },
      get headers() {
        reads += 1;
        return [];
      },
    });
    const ofParent = Array.from({ length: 1000 }, (_, place) => counted(`/x${place}`));
    const matches = Array.from({ length: 1000 }, (_, place) => ({ path: { type: 'PathPrefix', value: `/y${place}` } }));
    expect([delegatedMatchTest(ofParent)(child(matches)), reads]).toEqual(['none', 0]);
  });

  it('gives up where more than 20,000 pairs have paths in common', () => {
    const header = (name: string) => ({ headers: [{ name, value: '1' }] });
    const ofParent = Array.from({ length: 200 }, (_, place) => header(`x${place}`));
    const matches = Array.from({ length: 200 }, (_, place) => header(`y${place}`));
    expect(delegatedMatchTest(ofParent)(child(matches))).toBe('too-many');
    expect(delegatedMatchTest(ofParent)(child(matches.slice(0, 99)))).toBe('none');
  });
});
