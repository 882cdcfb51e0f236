import type { Transport } from '../listeners/listener-protocol.ts';

/**
 * A request, as it reaches a Gateway or, in a mesh, a Service. A gRPC call is a `POST` to the path `/service/method`. Of a
 * connection that carries no HTTP, only `host`, `port`, `listener` and `transport` say anything.
 *
 * Headers and query parameters are pairs of name and value: a `Headers`, a `URLSearchParams`, a `Map`, `Object.entries(…)`.
 */
export interface HttpRequest {
  /**
   * The Host header, and the server name of TLS, which is taken to be the same. A port in it is ignored, as Gateway API
   * demands. Default none: then only routes and listeners for every host take it.
   */
  readonly host?: string;
  /** The path, encoded and without dot segments: `/cart`, or with the query in it: `/cart?color=red`. Default `/`. */
  readonly path?: string;
  /** In upper case, because the comparison is case-sensitive. Default `GET`, and for GRPCRoutes `POST`: they take no request with another method. */
  readonly method?: string;
  /** Names in any case. A repeated header counts as one, its values joined by `, ` (RFC 9110, 5.3). Default none. */
  readonly headers?: Iterable<readonly [name: string, value: string]>;
  /** Decoded. Of a repeated parameter only the first counts, as Gateway API recommends. Default: those in `path`. */
  readonly query?: Iterable<readonly [name: string, value: string]>;
  /** The transport; HTTP and TLS use TCP. Default `TCP`. */
  readonly transport?: Transport;
  /** The port where it arrives. Default: an answer for each port. */
  readonly port?: number;
  /** The name of the listener where it arrives, though others may be more specific. Default: the most specific one. */
  readonly listener?: string;
}

/** A request, ready to be compared. */
export interface ReadRequest {
  readonly transport: Transport;
  readonly host: string;
  readonly path: string;
  readonly method: string;
  /** Whether the request can be a gRPC call, by its method. */
  readonly isCallable: boolean;
  /** By names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, string>;
  /** The gRPC service and method of the path; `undefined` if it has none, or if a method other than `POST` is given. */
  readonly call: { readonly service: string; readonly method: string } | undefined;
}

/** The HTTP method of all gRPC calls. */
export const grpcMethod = 'POST';

/** Returns a request with adjacent slashes of its path merged; `undefined` if the path does not contain any. */
export function mergedSlashes(request: ReadRequest): ReadRequest | undefined {
  if (!request.path.includes('//')) return undefined;
  return { ...request, ...pathParts(request.path.replace(/\/{2,}/g, '/'), request.isCallable) };
}

/** Reads the parts that {@link HttpRequest} leaves open. */
export function readRequest({
  transport = 'TCP',
  host = '',
  path = '/',
  method,
  headers = [],
  query,
}: HttpRequest): ReadRequest {
  const [, pathname = '', search = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(path) ?? [];
  const lines = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = lines.get(key);
    lines.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  const parameters = new Map<string, string>();
  for (const [name, value] of query ?? new URLSearchParams(search)) {
    if (!parameters.has(name)) parameters.set(name, value);
  }
  const isCallable = method === undefined || method === grpcMethod;
  return {
    transport,
    host,
    method: method ?? 'GET',
    isCallable,
    headers: lines,
    query: parameters,
    ...pathParts(pathname, isCallable),
  };
}

function pathParts(pathname: string, isCallable: boolean): Pick<ReadRequest, 'path' | 'call'> {
  const [, service, call] = (isCallable && /^\/([^/]+)\/([^/]+)$/.exec(pathname)) || [];
  return {
    path: pathname === '' ? '/' : pathname,
    call: service === undefined || call === undefined ? undefined : { service, method: call },
  };
}
