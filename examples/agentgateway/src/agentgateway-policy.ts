import { Gateway, HTTPRoute, ListenerSet, Service } from '@policy-machinery/gateway-api';
import { agentgateway, definePolicyKind } from '@policy-machinery/policy-kind';
import { z } from 'zod';

const part = z.record(z.string(), z.unknown());

/** What agentgateway does with connections, requests and backends. The fields of its three parts are those of agentgateway. */
export const AgentgatewayPolicy = definePolicyKind({
  ...agentgateway(),
  group: 'agentgateway.dev',
  version: 'v1alpha1',
  kind: 'AgentgatewayPolicy',
  targets: [
    ...[Gateway, Gateway.sections.listener, ListenerSet, ListenerSet.sections.listener],
    ...[HTTPRoute, HTTPRoute.sections.rule, Service, Service.sections.port],
  ],
  effectiveTargets: [HTTPRoute.sections.rule, Service.sections.port],
  spec: z.strictObject({ frontend: part, traffic: part, backend: part }).partial(),
});
