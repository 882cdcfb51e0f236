export { Gateway } from './lib/gateway.ts';
export { gatewayApi } from './lib/gateway-api.ts';
export { GatewayClass } from './lib/gateway-class.ts';
export { ListenerSet, XListenerSet } from './lib/listener-set.ts';
export { Namespace } from './lib/namespace.ts';
export type { GatewayApiOptions } from './lib/options.ts';
export type {
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
export {
  type RequestTrace,
  type Traced,
  type TracedMismatch,
  type TracedWinner,
  type TraceOptions,
  traceRequest,
} from './lib/request/trace-request.ts';
export { GRPCRoute, HTTPRoute, TCPRoute, TLSRoute, UDPRoute } from './lib/route.ts';
export { Service } from './lib/service.ts';
export { meshRoutes, ServiceFrontend } from './lib/service-frontend.ts';
