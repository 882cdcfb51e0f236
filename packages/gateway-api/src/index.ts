export { Gateway } from './lib/gateway.ts';
export { gatewayApi } from './lib/gateway-api.ts';
export { GatewayClass } from './lib/gateway-class.ts';
export type { ListenerConflict } from './lib/listener-conflict.ts';
export type { Transport } from './lib/listener-protocol.ts';
export { ListenerSet, XListenerSet } from './lib/listener-set.ts';
export { Namespace } from './lib/namespace.ts';
export type { GatewayApiOptions } from './lib/options.ts';
export type {
  ListenerLoss,
  LostMatch,
  Mismatch,
  Precedence,
  RequestAnswer,
  RequestListener,
  RequestMatch,
  UndecidedMatch,
  UnmatchedRoute,
} from './lib/request/answer.ts';
export type { RegularExpression } from './lib/request/check.ts';
export type { HttpRequest } from './lib/request/http-request.ts';
export { type MatchOptions, matchRequest } from './lib/request/match-request.ts';
export type { RegularExpressionPaths } from './lib/request/precedence.ts';
export type { RequestTrace, Traced, TracedMismatch, TracedWinner } from './lib/request/request-trace.ts';
export { type TraceOptions, traceRequest } from './lib/request/trace-request.ts';
export { GRPCRoute, HTTPRoute, TCPRoute, TLSRoute, UDPRoute } from './lib/route.ts';
export { Secret } from './lib/secret.ts';
export { Service } from './lib/service.ts';
export { meshRoutes, ServiceFrontend } from './lib/service-frontend.ts';
export { type GatewayStatus, gatewayStatus, listenerStatuses } from './lib/status/gateway-status.ts';
export type { ListenerStatus } from './lib/status/listener-status.ts';
export { type RouteParentStatus, routeStatuses } from './lib/status/route-statuses.ts';
