export { Gateway } from './lib/gateway.ts';
export { gatewayApi } from './lib/gateway-api.ts';
export { GatewayClass } from './lib/gateway-class.ts';
export { Namespace } from './lib/namespace.ts';
export { GRPCRoute, HTTPRoute, TCPRoute, TLSRoute, UDPRoute } from './lib/route.ts';
export { Service } from './lib/service.ts';
