export type { GatewayApiOptions } from './lib/attachment/options.ts';
export { hostnameMatches, intersectHostnames } from './lib/fields/hostname.ts';
export { gatewayApi } from './lib/gateway-api.ts';
export { type IstioMeshOptions, istioMesh, Mesh, ServiceEntry } from './lib/istio/istio-mesh.ts';
export { ConfigMap } from './lib/kinds/config-map.ts';
export { Gateway } from './lib/kinds/gateway.ts';
export { GatewayClass } from './lib/kinds/gateway-class.ts';
export { InferencePool } from './lib/kinds/inference-pool.ts';
export { ListenerSet, XListenerSet } from './lib/kinds/listener-set.ts';
export { Namespace } from './lib/kinds/namespace.ts';
export { Pod } from './lib/kinds/pod.ts';
export { GRPCRoute, HTTPRoute, TCPRoute, TLSRoute, UDPRoute } from './lib/kinds/route.ts';
export { Secret } from './lib/kinds/secret.ts';
export { Service } from './lib/kinds/service.ts';
export { ServiceFrontend } from './lib/kinds/service-frontend.ts';
export { ServiceImport } from './lib/kinds/service-import.ts';
export { XBackend } from './lib/kinds/x-backend.ts';
export type {
  DataPlane,
  DataPlaneOf,
  HostnamePrecedence,
  ListenerIsolation,
  MissingPorts,
  RegularExpressionPaths,
  SharedHostnames,
} from './lib/listeners/data-plane.ts';
export type { ListenerConflict } from './lib/listeners/listener-conflict.ts';
export type { Transport } from './lib/listeners/listener-protocol.ts';
export type { RegularExpression } from './lib/matching/check.ts';
export type { HttpRequest } from './lib/matching/http-request.ts';
export type {
  ListenerLoss,
  LostMatch,
  Mismatch,
  Precedence,
  RequestAnswer,
  RequestListener,
  RequestMatch,
  UndecidedMatch,
  UnknownFact,
  UnmatchedRoute,
} from './lib/request/answer.ts';
export { type GatewayListener, type GatewayRoute, gatewayListeners } from './lib/request/gateway-listeners.ts';
export { type MatchOptions, matchRequest } from './lib/request/match-request.ts';
export { meshRoutes } from './lib/request/mesh-routes.ts';
export type { RequestTrace, Traced, TracedMismatch, TracedWinner } from './lib/request/request-trace.ts';
export { type TraceOptions, traceRequest } from './lib/request/trace-request.ts';
export { type AttachmentDifference, attachmentDifferences } from './lib/status/attachment-differences.ts';
export { type GatewayStatus, gatewayStatus, listenerStatuses } from './lib/status/gateway-status.ts';
export type { ListenerStatus } from './lib/status/listener-status.ts';
export { type RouteParentStatus, routeStatuses } from './lib/status/route-statuses.ts';
