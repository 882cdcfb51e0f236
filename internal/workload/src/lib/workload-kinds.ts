import { Gateway, HTTPRoute, Namespace, Service } from '@policy-machinery/gateway-api';
import { definePolicyKind, envoyGateway, gep713, type PolicyKind } from '@policy-machinery/policy-kind';
import { z } from 'zod';

const group = 'workload.example.com';
const version = 'v1';

const duration = z.string().regex(/^([0-9]{1,5}(h|m|s|ms)){1,4}$/);
const count = z.int().min(0);

/** What happens to requests: defaults or overrides, atomic or patch, down to the rules of routes. */
export const TrafficPolicy = definePolicyKind({
  ...gep713(),
  group,
  version,
  kind: 'TrafficPolicy',
  targets: [Gateway, Gateway.sections.listener, HTTPRoute, HTTPRoute.sections.rule],
  effectiveTargets: [HTTPRoute.sections.rule],
  spec: z
    .strictObject({
      timeouts: z.strictObject({ request: duration, backendRequest: duration }).partial(),
      retries: z.strictObject({ attempts: count, on: z.array(z.enum(['5xx', 'reset', 'connect-failure'])) }).partial(),
      limits: z.record(
        z.string(),
        z.strictObject({ requests: count, per: z.enum(['second', 'minute', 'hour']), by: z.string().optional() }),
      ),
      headers: z.record(z.string(), z.string()),
    })
    .partial(),
});

/**
 * What happens on the way to backends: a bare spec whose `mergeType` says how it is merged with what lies above, down to the
 * ports of Services. Written as Envoy Gateway's policies are, but all levels are merged, not only the closest two.
 */
export const BackendPolicy = definePolicyKind({
  ...envoyGateway({ mergeKeys: { '/circuitBreakers': { keys: ['name'] } } }),
  fold: 'bottom-up',
  group,
  version,
  kind: 'BackendPolicy',
  targets: [Namespace, Gateway, HTTPRoute, Service, Service.sections.port],
  effectiveTargets: [Service.sections.port],
  spec: z
    .strictObject({
      loadBalancer: z.strictObject({
        type: z.enum(['RoundRobin', 'LeastRequest', 'ConsistentHash']),
        slowStart: duration.optional(),
      }),
      circuitBreakers: z.array(
        z.strictObject({ name: z.string(), maxConnections: count, maxPending: count.optional() }),
      ),
      healthCheck: z.strictObject({ path: z.string(), interval: duration, unhealthyAfter: count }).partial(),
      keepAlive: z.boolean(),
    })
    .partial(),
});

/** The two policy kinds of all workloads that are made of Gateway API's resources. */
export const workloadKinds: readonly PolicyKind<unknown>[] = [TrafficPolicy, BackendPolicy];
