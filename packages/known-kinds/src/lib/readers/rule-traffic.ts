import { isJsonObject, type JsonObject, objectIn, stringIn } from '@policy-machinery/resource';

/**
 * Returns the timeouts and retries of a rule of a route, as a BackendTrafficPolicy of Envoy Gateway writes it.
 *
 * - `timeouts.request` is the timeout of a request; without retries, so is `timeouts.backendRequest`.
 * - With retries, `timeouts.backendRequest` is the timeout of each.
 *
 * @param rule The rule, which may be anything.
 * @returns The part of a policy's spec; `undefined` if the rule says nothing.
 */
export function ruleTraffic({ timeouts, retry }: JsonObject): JsonObject | undefined {
  const { request, backendRequest } = objectIn(timeouts);
  const retries = isJsonObject(retry) ? retry : undefined;
  const requestTimeout = retries === undefined ? (stringIn(backendRequest) ?? stringIn(request)) : stringIn(request);
  const own = {
    ...(requestTimeout === undefined ? {} : { timeout: { http: { requestTimeout } } }),
    ...(retries === undefined ? {} : { retry: retryOf(retries, stringIn(backendRequest)) }),
  };
  return Object.keys(own).length === 0 ? undefined : own;
}

function retryOf({ attempts, backoff, codes }: JsonObject, timeout: string | undefined): JsonObject {
  const baseInterval = stringIn(backoff);
  const perRetry = {
    ...(timeout === undefined ? {} : { timeout }),
    ...(baseInterval === undefined ? {} : { backOff: { baseInterval } }),
  };
  return {
    ...(typeof attempts === 'number' ? { numRetries: attempts } : {}),
    ...(Object.keys(perRetry).length === 0 ? {} : { perRetry }),
    ...(Array.isArray(codes) && codes.length > 0 ? { retryOn: { httpStatusCodes: codes } } : {}),
  };
}
