import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { crd, reference } from '../crd/crd.fixture.ts';
import { gateway, object, ref, route, worldOf } from '../tables/world.fixture.ts';
import { type FindInput, findPolicyKinds } from './find-policy-kinds.ts';

const base = [gateway('a/g'), route('a/r')];
const eg = 'gateway.envoyproxy.io/v1alpha1 BackendTrafficPolicy';
const retry = { retry: { numRetries: 1 } };
const bufferLimit = { connection: { bufferLimit: '1' } };
const onRoute = object(eg, 'a/r', { targetRefs: [ref('HTTPRoute', 'r')], mergeType: 'StrategicMerge', ...bufferLimit });
const traffic = (spec: object) => object(eg, 'a/p', { ...retry, ...spec });

const foundIn = (resources: readonly KubernetesObject[], more: Partial<FindInput> = {}) => {
  const { kinds, mesh } = findPolicyKinds({ resources, ...more });
  return [...kinds, ...(mesh?.kinds ?? [])];
};

describe('a reference with a field that a row of the table does not read', () => {
  it.each<[string, KubernetesObject, string]>([
    ['listeners', traffic({ targetRefs: [ref('Gateway', 'g', { listeners: ['http'] })] }), '/spec/targetRefs/0'],
    ['sectionNmae', traffic({ targetRef: ref('Gateway', 'g', { sectionNmae: 'http' }) }), '/spec/targetRef'],
    [
      'selector',
      traffic({ targetRefs: [ref('HTTPRoute', 'r'), ref('Gateway', 'g', { selector: {} })] }),
      '/spec/targetRefs/1',
    ],
    [
      'names',
      traffic({ targetSelectors: [{ kind: 'Gateway', matchLabels: { a: 'b' }, names: ['g'] }] }),
      '/spec/targetSelectors/0',
    ],
    [
      'name',
      traffic({ targetSelectors: [{ kind: 'Gateway', matchLabels: { a: 'b' }, name: 'g' }] }),
      '/spec/targetSelectors/0',
    ],
    [
      'hostname',
      object('kuadrant.io/v1 RateLimitPolicy', 'a/p', { targetRef: ref('Gateway', 'g', { hostname: 'x' }) }),
      '/spec/targetRef',
    ],
    [
      'port',
      object('security.istio.io/v1 AuthorizationPolicy', 'a/p', { targetRefs: [ref('Gateway', 'g', { port: 80 })] }),
      '/spec/targetRefs/0',
    ],
  ])('keeps the kind, and shows its policies unmerged: %s', (field, policy, pointer) => {
    const resources = [...base, policy];
    expect(foundIn(resources)).toMatchObject([
      { foundBy: 'table', merging: 'unknown', unmergedBecause: expect.stringContaining(`Not read: ${field} (a/p)`) },
    ]);
    expect(worldOf(...resources).issues).toContainEqual(
      expect.objectContaining({ code: 'unread-field', pointer: `${pointer}/${field}` }),
    );
  });

  it('shows all policies of the kind side by side, and merges policies of other kinds', () => {
    const odd = traffic({ targetRefs: [ref('Gateway', 'g', { listeners: ['http'] })] });
    const cors = { cors: { allowOrigins: ['*'] } };
    const security = object('gateway.envoyproxy.io/v1alpha1 SecurityPolicy', 'a/s', {
      targetRefs: [ref('Gateway', 'g')],
      ...cors,
    });
    const { specs } = worldOf(...base, odd, onRoute, security);
    expect(specs).toEqual({
      'HTTPRoute a/r#main': { 'a/p': retry, 'a/r': { mergeType: 'StrategicMerge', ...bufferLimit } },
      'HTTPRoute a/r#main (2)': cors,
    });
  });

  it('merges by the dialect that you choose', () => {
    const odd = traffic({ targetRefs: [ref('Gateway', 'g', { listeners: ['http'] })] });
    const dialects = { 'gateway.envoyproxy.io/BackendTrafficPolicy': 'envoy-gateway' };
    const [kind] = foundIn([...base, odd], { dialects });
    expect(kind).toMatchObject({ merging: 'known', notes: [expect.stringContaining('Not read: listeners (a/p)')] });
    expect(kind?.unmergedBecause).toBeUndefined();
  });

  it.each<[string, JsonObject]>([
    ['null', { listeners: null }],
    ['a field that API servers are known to drop', { namespace: 'a' }],
  ])('merges if the field is %s', (_, more) => {
    expect(foundIn([...base, traffic({ targetRefs: [ref('Gateway', 'g', more)] })])).toMatchObject([
      { merging: 'known' },
    ]);
  });

  it.each<[string, JsonObject, string]>([
    ['which the definition has', { listeners: { type: 'array', items: { type: 'string' } } }, 'unknown'],
    ['which the definition does not have, so that API servers drop it', {}, 'known'],
  ])('%s', (_, more, merging) => {
    const definition = crd({
      kind: 'BackendTrafficPolicy',
      versions: ['v1alpha1'],
      fields: { targetRefs: { type: 'array', items: reference([], more) }, retry: { type: 'object' } },
    });
    const defined = { ...definition, spec: { ...(definition.spec as object), group: 'gateway.envoyproxy.io' } };
    const odd = traffic({ targetRefs: [ref('Gateway', 'g', { listeners: ['http'] })] });
    expect(foundIn([...base, odd, defined])).toMatchObject([{ merging }]);
  });

  it('is noted also where only policies tell of the kind', () => {
    const named = { targetRefs: [ref('Gateway', 'g', { listeners: ['http'] })] };
    const resources = [...base, object('example.com/v1 RetryPolicy', 'a/p', named)];
    expect(foundIn(resources)).toMatchObject([
      {
        foundBy: 'objects',
        merging: 'unknown',
        notes: expect.arrayContaining([expect.stringContaining('Not read: listeners (a/p)')]),
      },
    ]);
  });

  it('names five fields at most, each shortened', () => {
    const odd = Array.from({ length: 9 }, (_, n) =>
      object(eg, `a/p${n}`, { targetRefs: [ref('Gateway', 'g', { [`x${n}${'y'.repeat(200)}`]: 1 })] }),
    );
    const [kind] = foundIn([...base, ...odd]);
    expect(kind?.unmergedBecause).toContain('and others in references');
    expect(kind?.unmergedBecause?.length).toBeLessThan(500);
  });
});
