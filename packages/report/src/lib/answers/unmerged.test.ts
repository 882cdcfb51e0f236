import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { createTopology } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { collect } from '../data/collect.ts';
import { Report } from '../data/report.ts';
import { BackendPolicy, policy, refTo, resource, TimeoutPolicy } from '../worlds.fixture.ts';
import { ancestors } from './descendants.ts';
import { unmergedAt } from './unmerged.ts';

describe('policies of a kind with unknown merging', () => {
  it('are shown at the targets on the way and at their namespaces only', () => {
    const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy, BackendPolicy] });
    const gateway = (name: string) =>
      resource('Gateway', name, { gatewayClassName: 'edge', listeners: [{ name: 'l', port: 80, protocol: 'HTTP' }] });
    topology.apply({
      upsert: [
        resource('Namespace', 'shop'),
        gateway('above'),
        gateway('elsewhere'),
        resource('HTTPRoute', 'route', { parentRefs: [{ name: 'above' }], rules: [{}] }),
        policy('TimeoutPolicy', 'everywhere', [refTo('Namespace', 'shop')], {}),
        policy('TimeoutPolicy', 'here', [refTo('HTTPRoute', 'route')], {}),
        policy('TimeoutPolicy', 'on-the-way', [refTo('Gateway', 'above', 'l')], {}),
        policy('TimeoutPolicy', 'off-the-way', [refTo('Gateway', 'elsewhere')], {}),
        policy('BackendPolicy', 'merged', [refTo('Gateway', 'above')], {}),
      ],
    });
    const views = [effectivePolicies<unknown>(topology, BackendPolicy)];
    const report = new Report(collect({ topology, views, issues: [], title: '', now: new Date(0) }));
    const rule = report.nodes.find(({ label }) => label === 'HTTPRoute shop/route#rule-1')?.id ?? -1;
    const found = unmergedAt(report, ancestors(report, [rule]));
    expect(found.map((it) => [report.policy(it.policy).name, report.node(it.node).label])).toEqual([
      ['shop/everywhere', 'Namespace shop'],
      ['shop/here', 'HTTPRoute shop/route'],
      ['shop/on-the-way', 'Gateway shop/above#l'],
    ]);
  });
});
