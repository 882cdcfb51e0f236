import { gatewayApi } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { compareRequests, urlOf } from '../../index.ts';

const { gateway, httpRoute } = createFixtures({ namespace: 'shop' });

/** The requests that two configurations treat differently: before, and after. */
function differences(before: readonly KubernetesObject[], after: readonly KubernetesObject[]): readonly string[] {
  const [one, other] = [before, after].map((objects) => {
    const topology = createTopology({ targetKinds: gatewayApi() });
    topology.apply({ upsert: objects });
    return { topology, kinds: [] };
  });
  if (one === undefined || other === undefined) throw new Error('there are two');
  return compareRequests(one, other).differences.map(({ request, before, after }) => {
    const contender = (before ?? after)?.contender;
    return `${contender && urlOf({ request, contender })}: ${before?.rule ?? 'none'} → ${after?.rule ?? 'none'}`;
  });
}

describe('compareRequests', () => {
  it('finds the hosts that a new listener takes from another, and has no route for', () => {
    const search = {
      ...httpRoute('search'),
      spec: { parentRefs: [{ name: 'edge', sectionName: 'all' }], hostnames: ['*.shop.test'] },
    };
    const all = { name: 'all', hostname: '*.shop.test' };
    const before = [gateway('edge', { listeners: [all] }), search];
    const after = [gateway('edge', { listeners: [all, { name: 'one', hostname: 'a.shop.test' }] }), search];
    expect(differences(before, after)).toEqual(['http://a.shop.test/: HTTPRoute shop/search#rule-1 → none']);
    expect(differences(after, before)).toEqual(['http://a.shop.test/: none → HTTPRoute shop/search#rule-1']);
    expect(differences(after, after)).toEqual([]);
  });
});
