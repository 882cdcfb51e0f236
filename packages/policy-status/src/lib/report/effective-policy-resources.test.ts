import { effectivePolicies } from '@policy-machinery/effective-policy';
import { Gateway, HTTPRoute } from '@policy-machinery/gateway-api';
import {
  definePolicyKind,
  envoyGateway,
  gep713,
  gep713Experimental,
  kgateway,
  kuadrant,
  nginxGatewayFabric,
  type PolicyKind,
} from '@policy-machinery/policy-kind';
import type { KubernetesObject } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cluster, gateway, route, TimeoutPolicy, timeouts } from '../cluster.fixture.ts';
import { effectivePolicyResources } from './effective-policy-resources.ts';

const controllerName = 'example.com/gateways';
const gatewayGroup = 'gateway.networking.k8s.io';

describe('effectivePolicyResources', () => {
  it('refuses the name of a controller that no status can hold', () => {
    const { effective } = cluster(TimeoutPolicy);
    expect(() => effectivePolicyResources(effective, { controllerName: 'gateways' })).toThrow(
      expect.objectContaining({ code: 'invalid-controller-name' }),
    );
  });

  it('has the namespace and name of the object that it describes (D-11)', () => {
    const { effective } = cluster(
      TimeoutPolicy,
      gateway('edge'),
      gateway('west'),
      route('cart', ['edge', 'west']),
      timeouts('p', ['Gateway edge'], { request: 1, idle: 1 }),
      timeouts('r', ['HTTPRoute cart'], { idle: 2 }),
      timeouts('lost', ['HTTPRoute cart'], { idle: 3 }),
    );
    const target = { group: gatewayGroup, kind: 'HTTPRoute', name: 'cart' };
    const object = (kind: string, name: string, apiGroup = gatewayGroup) => ({
      apiGroup,
      kind,
      namespace: 'shop',
      name,
    });
    const entry = (through: string, by: string[], spec: object) => ({
      controllerName,
      targetRef: { ...target, sectionName: 'pay' },
      ancestors: [object('Gateway', through)],
      objects: by.map((name) => object('TimeoutPolicy', name, 'example.com')),
      resultantPolicy: { timeoutPolicy: { targetRefs: [{ ...target, sectionName: 'pay' }], ...spec } },
    });
    expect(effectivePolicyResources(effective, { controllerName })).toEqual([
      {
        apiVersion: 'gateway.networking.k8s.io/v1alpha2',
        kind: 'EffectivePolicy',
        metadata: { namespace: 'shop', name: 'cart' },
        policies: [entry('edge', ['r', 'p'], { idle: 2, request: 1 }), entry('west', ['r'], { idle: 2 })],
      },
    ]);
  });

  it('puts objects of one name into one resource, in the order of namespaces and names', () => {
    const { effective } = cluster(
      TimeoutPolicy,
      gateway('edge'),
      ...['b', 'a'].map((name) => route(name, ['edge'])),
      timeouts('p', ['Gateway edge'], { request: 1 }),
    );
    const resources = effectivePolicyResources([effective, effective], { controllerName });
    expect(resources.map(({ metadata, policies }) => [metadata.name, policies.length])).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
  });

  it('is empty where no policy applies', () => {
    expect(effectivePolicyResources(cluster(TimeoutPolicy, gateway('edge')).effective, { controllerName })).toEqual([]);
  });

  describe('gives a spec that has the same effect in a single policy (D-12)', () => {
    const spec = z.object({
      limits: z.record(z.string(), z.number().nullable()).optional(),
      retries: z.object({ attempts: z.number().nullable().optional() }).optional(),
      hosts: z.array(z.string()).optional(),
    });
    const named = { group: 'example.com', version: 'v1', kind: 'TimeoutPolicy', spec };
    const declared = { targets: [Gateway, HTTPRoute], effectiveTargets: [HTTPRoute.sections.rule] };
    const limits = { perUser: 5, perPath: 9 };
    const bare: readonly [object, object] = [
      { limits, hosts: ['a'] },
      { limits: { perUser: 1 }, retries: { attempts: 2 } },
    ];
    const wrapped: readonly [object, object] = [{ overrides: bare[0] }, { defaults: bare[1] }];
    const strategic = (strategy: string): readonly [object, object] => [
      { overrides: { strategy, ...bare[0] } },
      { strategy: 'atomic', ...bare[1] },
    ];
    const removing: readonly [object, object] = [bare[0], { mergeType: 'JSONMerge', limits: { perUser: null } }];

    it.each<[string, object, readonly [object, object]]>([
      ['gep713', gep713(), bare],
      ['gep713 with patches', gep713(), strategic('patch')],
      ['gep713Experimental', gep713Experimental(), [{ override: bare[0] }, { default: bare[1] }]],
      ['kuadrant', kuadrant({ rules: ['/limits'] }), strategic('merge')],
      ['kuadrant, atomic', kuadrant({ rules: ['/limits'] }), wrapped],
      ['kgateway', kgateway(), bare],
      ['envoyGateway', envoyGateway(), removing],
      ['envoyGateway without merging', envoyGateway(), bare],
      ['nginxGatewayFabric', nginxGatewayFabric(), bare],
    ])('%s', (_, profile, [onGateway, onRoute]) => {
      for (const targets of [declared.targets, [Gateway, HTTPRoute, HTTPRoute.sections.rule], [Gateway]]) {
        const kind: PolicyKind<unknown> = definePolicyKind({ ...named, ...declared, targets, ...profile });
        const targetables: KubernetesObject[] = [gateway('edge'), route('cart', ['edge']), route('menu', ['edge'])];
        const policies = [
          timeouts('p', ['Gateway edge'], onGateway),
          ...(targets.length > 1 ? [timeouts('r', ['HTTPRoute cart'], onRoute)] : []),
        ];
        const { topology, effective } = cluster(kind, ...targetables, ...policies);
        expect(effective.issues).toEqual([]);
        for (const { policies: entries } of effectivePolicyResources(effective, { controllerName })) {
          for (const { targetRef, resultantPolicy } of entries) {
            const [single] = Object.values(resultantPolicy);
            const alone = topology.with({
              remove: policies,
              upsert: [{ ...timeouts('alone', [], {}), spec: single }],
            }).topology;
            const locator = `httproute.${gatewayGroup}:shop/${targetRef.name}#pay`;
            const [expected] = effective.of(locator);
            expect(alone.issues).toEqual([]);
            expect(
              effectivePolicies(alone, kind)
                .of(locator)
                .map((it) => it.spec),
            ).toEqual([expected?.spec]);
          }
        }
      }
    });
  });
});
