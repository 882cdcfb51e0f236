/** Whether an HTTPRoute and a GRPCRoute may share a hostname at one listener: both are served, or the younger one is refused. */
export type SharedHostnames = 'allowed' | 'refused';

/**
 * Which hostnames of two routes at one listener decide between them: the hostnames of the routes (`route`), or their intersection with the hostname of the listener (`intersection`), so that routes with the same intersection tie.
 */
export type HostnamePrecedence = 'route' | 'intersection';

/** Whether a route may refer to a port that a Service does not have: the reference resolves all the same, or it does not. */
export type MissingPorts = 'accepted' | 'refused';

/**
 * Whether a request that one listener takes can reach the routes of another listener of the port with a less specific hostname. If it is `unsupported`, how
 * the routes of both compete is not specified.
 */
export type ListenerIsolation = 'supported' | 'unsupported';

/**
 * The precedence of paths that are regular expressions, which Gateway API leaves to the implementation. Exact paths always precede
 * them. Envoy Gateway, Contour and kgateway put them `before-prefixes`, Istio `after-prefixes`; `both` if that is not known. Longer expressions precede
 * shorter ones. The facts of a data plane come first.
 */
export type RegularExpressionPaths = 'before-prefixes' | 'after-prefixes' | 'both';

/**
 * The choices of a Gateway's data plane where Gateway API leaves a choice to implementations. A fact is `both` if it is not known: an answer is
 * undecided if the two readings differ.
 */
export interface DataPlane {
  /** Default `both`. */
  readonly sharedHostnames?: SharedHostnames | 'both';
  /** Default `both`. */
  readonly hostnamePrecedence?: HostnamePrecedence | 'both';
  /** Default `both`. */
  readonly missingPorts?: MissingPorts | 'both';
  /** Default `both`. */
  readonly listenerIsolation?: ListenerIsolation | 'both';
  /** Whether an HTTPS listener without `tls` takes requests. Default `both`. */
  readonly listenersWithoutTls?: 'accepted' | 'refused' | 'both';
  /** Whether a listener without its certificate still excludes others with its port and hostname (`kept`). Default `both`. */
  readonly claimsWithoutCertificate?: 'kept' | 'dropped' | 'both';
  /** Whether a listener reads CA certificates for clients from Secrets, too. Default `both`. */
  readonly caCertificatesInSecrets?: 'accepted' | 'refused' | 'both';
  /** Whether a request for `//cart` is one for `/cart` (`merged`), or matches compare the unchanged path (`kept`). Default `both`. */
  readonly adjacentSlashes?: 'merged' | 'kept' | 'both';
  /** Whether an HTTPS listener serves requests for hosts that another listener takes by a more specific hostname. The server name of the connection may differ from them. Guarantees are undecided because of such requests, unless they are `refused`. Default `both`. */
  readonly misdirectedRequests?: 'served' | 'refused' | 'both';
  /** Whether settings of a GatewayClass decide that its Gateways share proxies, so that their listeners can conflict. Default: they share none. */
  readonly sharedProxies?: 'by class' | 'none';
  /** The precedence of paths that are regular expressions. Default: as the options for requests say. */
  readonly regularExpressionPaths?: RegularExpressionPaths;
}

/** A fact that decides whether a listener takes any requests: that it lacks `tls`, or that a listener lacks its certificate. */
export type ListenerUncertainty = 'missing tls' | 'missing certificate';

/** Facts about the controller of a Gateway. */
export interface GatewayFacts {
  readonly dataPlane: DataPlane;
  /** Whether the statuses of Gateways and listeners count. */
  readonly statusCounts: boolean;
}

/**
 * Returns the data plane of the Gateways of a controller.
 *
 * @param controllerName The `controllerName` of the GatewayClass; `undefined` if the class is not among the resources, or names no controller.
 */
export type DataPlaneOf = (controllerName: string | undefined) => DataPlane;

export const unknownDataPlane: Required<
  Omit<DataPlane, 'regularExpressionPaths' | 'sharedProxies' | 'misdirectedRequests'>
> = {
  sharedHostnames: 'both',
  hostnamePrecedence: 'both',
  missingPorts: 'both',
  listenerIsolation: 'both',
  listenersWithoutTls: 'both',
  claimsWithoutCertificate: 'both',
  caCertificatesInSecrets: 'both',
  adjacentSlashes: 'both',
};
