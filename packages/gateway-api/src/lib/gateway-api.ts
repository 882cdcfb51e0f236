import type { TargetKind } from '@policy-machinery/topology';
import { Gateway } from './gateway.ts';
import { GatewayClass } from './gateway-class.ts';
import { Namespace } from './namespace.ts';
import { GRPCRoute, HTTPRoute, TCPRoute, TLSRoute, UDPRoute } from './route.ts';
import { Service } from './service.ts';

/**
 * All target kinds of this package, for `createTopology`.
 *
 * @returns GatewayClass, Gateway, the five kinds of routes, Service and Namespace.
 * @example
 * ```ts
 * const topology = createTopology({ targetKinds: gatewayApi(), policyKinds: [TimeoutPolicy] });
 * ```
 */
export function gatewayApi(): readonly TargetKind[] {
  return [GatewayClass, Gateway, HTTPRoute, GRPCRoute, TCPRoute, TLSRoute, UDPRoute, Service, Namespace];
}
