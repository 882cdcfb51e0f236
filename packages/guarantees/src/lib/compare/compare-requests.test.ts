import { gatewayApi, type ListenerIsolation } from '@policy-machinery/gateway-api';
import type { KubernetesObject } from '@policy-machinery/resource';
import { createFixtures } from '@policy-machinery/testing';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { compareRequests } from '../../index.ts';
import { urlOf } from '../../inner.ts';

const { gateway, httpRoute } = createFixtures({ namespace: 'shop' });

/** The requests that two configurations treat differently: before, and after. */
function compared(
  before: readonly KubernetesObject[],
  after: readonly KubernetesObject[],
  listenerIsolation: ListenerIsolation = 'supported',
) {
  const [one, other] = [before, after].map((objects) => {
    const topology = createTopology({ targetKinds: gatewayApi({ dataPlane: { listenerIsolation } }) });
    topology.apply({ upsert: objects });
    return { topology, kinds: [] };
  });
  if (one === undefined || other === undefined) throw new Error('there are two');
  return compareRequests(one, other);
}

function differences(before: readonly KubernetesObject[], after: readonly KubernetesObject[]): readonly string[] {
  return compared(before, after).differences.map(({ request, before, after }) => {
    const contender = (before ?? after)?.contender;
    return `${contender && urlOf({ request, contender })}: ${before?.rule ?? 'none'} → ${after?.rule ?? 'none'}`;
  });
}

describe('compareRequests', () => {
  const search = {
    ...httpRoute('search'),
    spec: { parentRefs: [{ name: 'edge', sectionName: 'all' }], hostnames: ['*.shop.test'] },
  };
  const all = { name: 'all', hostname: '*.shop.test' };
  const before = [gateway('edge', { listeners: [all] }), search];
  const after = [gateway('edge', { listeners: [all, { name: 'one', hostname: 'a.shop.test' }] }), search];

  it('counts the hosts of a new listener as undecided if listeners may not be isolated', () => {
    expect(compared(before, after, 'unsupported')).toMatchObject({ differences: [], undecided: 1 });
  });

  it('finds the hosts that a new listener takes from another, and does not route', () => {
    expect(differences(before, after)).toEqual(['http://a.shop.test/: HTTPRoute shop/search#rule-1 → none']);
    expect(differences(after, before)).toEqual(['http://a.shop.test/: none → HTTPRoute shop/search#rule-1']);
    expect(differences(after, after)).toEqual([]);
  });
});
