import { type HttpRequest, type RequestTrace, traceRequest } from '@policy-machinery/gateway-api';
import { printable } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import type { ConcreteRequest } from '../requests/concrete-request.ts';
import { type Contender, protocolOf } from '../requests/contender.ts';
import { type ContestOptions, engineFor } from '../requests/contest.ts';
import { type Entry, meshHostOf } from '../requests/entries.ts';

/** A request, and where it arrives. */
export interface Replayable {
  readonly request: ConcreteRequest;
  /** The match that takes it. Of a request that none takes: a match for requests of its kind, with the place where it arrives. */
  readonly contender: Pick<Contender, 'entry' | 'listener' | 'match'>;
}

/**
 * Asks `traceRequest` about the request of a counterexample.
 *
 * @param topology The topology where it was found.
 * @param example The counterexample.
 * @param options The options that Gateway API leaves to implementations.
 * @returns The trace. Its winner is the match of the counterexample.
 */
export function replay(
  topology: Topology,
  { request, contender: { entry } }: Replayable,
  options: ContestOptions = {},
): RequestTrace | undefined {
  const { regularExpressionPaths } = options;
  const regularExpression = engineFor(options);
  const [trace] = traceRequest(topology, httpRequestOf(request, entry), {
    ...(entry.client === undefined ? { gateway: entry.node } : { client: entry.client }),
    ...(regularExpression === undefined ? {} : { regularExpression }),
    ...(regularExpressionPaths === undefined ? {} : { regularExpressionPaths }),
  });
  return trace;
}

/** Returns a request for `traceRequest`, at an entry. */
export function httpRequestOf({ host, path, method, headers, query }: ConcreteRequest, entry: Entry): HttpRequest {
  const { port, transport } = entry;
  return { host: meshHostOf(entry) ?? host, path, method, headers, query, port, transport };
}

/**
 * Returns a request as people write it: `GET https://shop.example.com/cart x-canary: yes`.
 *
 * @param example A counterexample.
 * @returns The method, the URL and the headers, in one printable line. For a connection that is not HTTP: the protocol, host and port.
 */
export function formatRequest({ request, contender }: Replayable): string {
  const { method, headers } = request;
  const url = urlOf({ request, contender });
  const { kind } = contender.match;
  const parts = kind === 'HTTPRoute' || kind === 'GRPCRoute' ? [kind === 'GRPCRoute' ? 'POST' : method, url] : [url];
  return printable([...parts, ...[...headers].map(([name, value]) => `${name}: ${value}`)].join(' '));
}

/** Returns the URL of a request: `https://shop.example.com/cart?color=red`. The port is left out if it is the scheme's. */
export function urlOf({ request, contender: { entry, listener, match } }: Replayable): string {
  const { host, path, query } = httpRequestOf(request, entry);
  const protocol = protocolOf(listener);
  const isHttp = match.kind === 'HTTPRoute' || match.kind === 'GRPCRoute';
  // A frontend in a mesh does not have a protocol, and URLs cannot name the protocol of a vendor.
  const carrier = /^(TLS|TCP|UDP)$/.test(protocol) ? protocol : match.kind.replace(/Route$/, '');
  const scheme = isHttp ? (protocol === 'HTTPS' ? 'https' : 'http') : carrier.toLowerCase();
  const usual = scheme === 'https' ? 443 : 80;
  const search = new URLSearchParams(
    [...(query ?? [])].map(([name, value]): [string, string] => [name, value]),
  ).toString();
  const authority = `${host}${isHttp && entry.port === usual ? '' : `:${entry.port}`}`;
  return `${scheme}://${authority}${isHttp ? `${path}${search === '' ? '' : `?${search}`}` : ''}`;
}
