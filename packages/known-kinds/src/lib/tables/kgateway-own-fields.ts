import { isJsonObject, type JsonObject, objectIn, stringIn } from '@policy-machinery/resource';
import type { OwnFieldReader } from '../model/own-fields.ts';
import { filtersOf, setFields } from './rule-fields.ts';

const of = 'HTTPRoute rule';
const source = 'https://github.com/kgateway-dev/kgateway/blob/main/pkg/krtcollections/builtin.go';

/** The conditions on which kgateway retries for a rule. */
const retryOn = [
  'cancelled',
  'connect-failure',
  'refused-stream',
  'retriable-headers',
  'retriable-status-codes',
  'unavailable',
];

/** Without retries, the timeout of a request to a backend is that of the request. */
function requestTimeout({ timeouts, retry }: JsonObject): string | undefined {
  const { request, backendRequest } = objectIn(timeouts);
  const [whole, single] = [stringIn(request), stringIn(backendRequest)];
  return isJsonObject(retry) ? (whole ?? single) : (single ?? whole);
}

function retryOf({ timeouts, retry }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(retry)) return undefined;
  const { attempts, codes, backoff } = retry;
  return setFields({
    attempts: attempts ?? 1,
    retryOn,
    statusCodes: codes,
    backoffBaseInterval: backoff,
    perTryTimeout: objectIn(timeouts).backendRequest,
  });
}

/** The host of a rule's own rewrite is not replaced by the name of the backend. */
function autoHostRewrite(rule: JsonObject): false | undefined {
  const rewrites = filtersOf(rule, 'URLRewrite', 'urlRewrite');
  return rewrites.some(({ hostname }) => typeof hostname === 'string') ? false : undefined;
}

/** The fields of rules that a TrafficPolicy also sets. */
export const kgatewayOwnFields: readonly OwnFieldReader[] = [
  { of, field: 'timeouts', policyField: '/timeouts/request', counts: 'own', source, read: requestTimeout },
  // The retries of a policy on the route itself prevail over these.
  { of, field: 'retry', policyField: '/retry', counts: 'own, over policies above the route', source, read: retryOf },
  { of, field: 'filters: RequestHeaderModifier', policyField: '/headerModifiers/request', counts: 'not known' },
  { of, field: 'filters: ResponseHeaderModifier', policyField: '/headerModifiers/response', counts: 'not known' },
  { of, field: 'filters: CORS', policyField: '/cors', counts: 'not known' },
  { of, field: 'filters: ExternalAuth', policyField: '/extAuth', counts: 'not known' },
  { of, field: 'filters: URLRewrite', policyField: '/urlRewrite', counts: 'not known' },
  {
    of,
    field: 'filters: URLRewrite (hostname)',
    policyField: '/autoHostRewrite',
    counts: 'own',
    source: 'https://github.com/kgateway-dev/kgateway/blob/main/api/v1alpha1/kgateway/traffic_policy_types.go',
    read: autoHostRewrite,
  },
];
