import { definePolicyKind } from '@policy-machinery/policy-kind';
import { createTopology, defineTargetKind, type Targetable } from '@policy-machinery/topology';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { GatewayApiOptions } from '../attachment/options.ts';
import { gatewayApi } from '../gateway-api.ts';
import { Gateway } from './gateway.ts';
import { GatewayClass } from './gateway-class.ts';
import { ListenerSet } from './listener-set.ts';
import { Namespace } from './namespace.ts';
import { GRPCRoute, HTTPRoute } from './route.ts';
import { Service } from './service.ts';
import { ServiceFrontend } from './service-frontend.ts';

const Tunnel = defineTargetKind({ group: 'net.example.com', kind: 'Tunnel' });

function topologyFor(
  targets: readonly Targetable[],
  effectiveTargets: readonly Targetable[],
  options?: GatewayApiOptions,
) {
  const names = { group: 'example.com', version: 'v1', kind: 'TimeoutPolicy' };
  const policyKind = definePolicyKind({ ...names, targets, effectiveTargets, spec: z.object({}) });
  return () => createTopology({ targetKinds: [...gatewayApi(options), Tunnel], policyKinds: [policyKind] });
}

describe('a policy kind on the kinds of Gateway API', () => {
  it.each([
    [[GatewayClass, Namespace, Gateway, Gateway.sections.listener, ListenerSet, HTTPRoute], [HTTPRoute.sections.rule]],
    [
      [Gateway, HTTPRoute.sections.rule],
      [Service.sections.port, Tunnel],
    ],
    [[GatewayClass], [Gateway.sections.listener, ListenerSet]],
  ])('is taken where its targets lead to its effective targets (%#)', (targets, effective) => {
    expect(topologyFor(targets, effective)).not.toThrow();
  });

  it.each([
    ['upwards', [HTTPRoute], [Gateway]],
    ['between siblings', [HTTPRoute], [GRPCRoute]],
    ['from backends to routes', [Service], [HTTPRoute.sections.rule]],
    ['from a rule to its whole route', [HTTPRoute.sections.rule], [HTTPRoute]],
    ['from a backend of another kind', [Tunnel], [Service]],
  ])('is refused where it would have to lead %s', (_, targets, effective) => {
    expect(topologyFor(targets, effective)).toThrow(expect.objectContaining({ code: 'unreachable-target' }));
  });

  it('is taken where options add links', () => {
    const rule = HTTPRoute.sections.rule;
    expect(topologyFor([rule], [HTTPRoute], { delegation: true })).not.toThrow();
    expect(topologyFor([ServiceFrontend], [rule], { mesh: true })).not.toThrow();
    expect(topologyFor([Tunnel], [rule], { parents: [Tunnel] })).not.toThrow();
    expect(topologyFor([Tunnel], [rule], { mesh: true })).toThrow(
      expect.objectContaining({ code: 'unreachable-target' }),
    );
  });
});
