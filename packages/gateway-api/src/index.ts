export { Gateway } from './lib/gateway.ts';
export { gatewayApi } from './lib/gateway-api.ts';
export { GatewayClass } from './lib/gateway-class.ts';
export { ListenerSet, XListenerSet } from './lib/listener-set.ts';
export { Namespace } from './lib/namespace.ts';
export type { GatewayApiOptions } from './lib/options.ts';
export { GRPCRoute, HTTPRoute, TCPRoute, TLSRoute, UDPRoute } from './lib/route.ts';
export { Service } from './lib/service.ts';
export { meshRoutes, ServiceFrontend } from './lib/service-frontend.ts';
