import type { KubernetesObject } from '@policy-machinery/resource';
import type { HttpRequest } from '../matching/http-request.ts';
import type { RequestAnswer, RequestListener } from './answer.ts';
import { type MatchOptions, matchRequest } from './match-request.ts';

/** Returns a route `ns/name`, created in that year. */
export function route(kind: string, name: string, spec: unknown, year = 2024): KubernetesObject {
  const metadata = { namespace: 'ns', name, creationTimestamp: `${year}-01-01T00:00:00Z` };
  return { apiVersion: 'gateway.networking.k8s.io/v1', kind, metadata, spec };
}

interface RouteOptions {
  readonly year?: number;
  readonly hostnames?: unknown;
}

const withOneRule =
  (kind: string) =>
  (name: string, matches: unknown, { year, hostnames }: RouteOptions = {}): KubernetesObject =>
    route(kind, name, { hostnames, rules: [{ matches }] }, year);

/** A route with one rule of these matches. */
export const http = withOneRule('HTTPRoute');
export const grpc = withOneRule('GRPCRoute');

export function listener(name: string, options: Partial<RequestListener> = {}): RequestListener {
  return { name, port: 443, routes: [], ...options };
}

export const request: HttpRequest = { host: 'shop.example.com', path: '/cart' };

/** Returns the answer to a request at a listener for all hosts. Default: a request to `shop.example.com/cart`. */
export function ask(
  routes: readonly KubernetesObject[],
  asked: Partial<HttpRequest> = {},
  options: MatchOptions = {},
): RequestAnswer {
  return askAt(listener('https', { routes }), asked, options);
}

/** Returns the answer to a request at a listener. Default: a request to `shop.example.com/cart`. */
export function askAt(
  at: RequestListener,
  asked: Partial<HttpRequest> = {},
  options: MatchOptions = {},
): RequestAnswer {
  const [answer] = matchRequest({ ...request, ...asked }, [at], options);
  if (answer === undefined) throw new Error('no listener');
  return answer;
}

/** Returns whether the only route takes a request. */
export function takes(only: KubernetesObject, asked: Partial<HttpRequest> = {}, options: MatchOptions = {}): boolean {
  return ask([only], asked, options).winner !== undefined;
}

/** An engine for the regular expressions of the tests. */
export const regularExpression = (pattern: string) => {
  const compiled = new RegExp(`^(?:${pattern})$`);
  return (text: string) => compiled.test(text);
};
