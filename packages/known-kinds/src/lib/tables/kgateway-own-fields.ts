import { isJsonObject, type JsonObject, type JsonValue, objectIn, stringIn } from '@policy-machinery/resource';
import type { OwnFieldReader } from '../model/own-fields.ts';
import { filtersOf, setFields } from '../readers/rule-fields.ts';

const of = 'HTTPRoute rule';
const sources = 'https://github.com/kgateway-dev/kgateway/blob/main/pkg';
const source = `${sources}/krtcollections/builtin.go`;
const routes = `${sources}/kgateway/translator/irtranslator/route.go`;
const policies = `${sources}/kgateway/extensions2/plugins/trafficpolicy`;
const [headerModifiers, requestMirror] = [`${policies}/header_modifiers.go`, `${policies}/request_mirror.go`];
const urlRewrite = `${policies}/traffic_policy_plugin.go`;

/** The retry conditions of kgateway for a rule. */
const retryOn = [
  'cancelled',
  'connect-failure',
  'refused-stream',
  'retriable-headers',
  'retriable-status-codes',
  'unavailable',
  'reset',
];

/** Without retries, the timeout of a request to a backend is the timeout of the request. With retries, it is for each of them. */
function requestTimeout({ timeouts, retry }: JsonObject): string | undefined {
  const { request, backendRequest } = objectIn(timeouts);
  const [whole, single] = [stringIn(request), stringIn(backendRequest)];
  return isJsonObject(retry) ? whole : (single ?? whole);
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

/** The path of a rule's own rewrite is not replaced. It is as in the filter: policies have expressions. */
function pathRewrite(rule: JsonObject): JsonValue | undefined {
  return filtersOf(rule, 'URLRewrite', 'urlRewrite').find(({ path }) => isJsonObject(path))?.path;
}

const corsOf = (rule: JsonObject): JsonObject | undefined => filtersOf(rule, 'CORS', 'cors')[0];

/** GRPCRoutes have the filters of HTTPRoutes. Earlier releases do not read them. */
const ofGrpc = { of: 'GRPCRoute rule', source: `${sources}/krtcollections/grpc_route.go` };

/** The filters of a rule change headers of the route, and policies have a filter in the chain. A policy says how the requests of a mirror are sent. */
const besidePolicies = (
  [
    ['RequestHeaderModifier', '/headerModifiers/request', headerModifiers],
    ['ResponseHeaderModifier', '/headerModifiers/response', headerModifiers],
    ['RequestMirror', '/requestMirror', requestMirror],
  ] as const
).flatMap(([type, policyField, source]) =>
  [{ of, source }, ofGrpc].map(
    (place): OwnFieldReader => ({ ...place, field: `filters: ${type}`, policyField, counts: 'both' }),
  ),
);

/** The fields of rules that a TrafficPolicy also sets. */
export const kgatewayOwnFields: readonly OwnFieldReader[] = [
  { of, field: 'timeouts', policyField: '/timeouts/request', counts: 'own', source, read: requestTimeout },
  // The retries of a policy on the route itself prevail over these.
  { of, field: 'retry', policyField: '/retry', counts: 'own, over policies above the route', source, read: retryOf },
  ...besidePolicies,
  { of, field: 'filters: CORS', policyField: '/cors', counts: 'own', source: routes, read: corsOf },
  // The filter does not have an effect.
  { of, field: 'filters: ExternalAuth', policyField: '/extAuth', counts: 'policies', source },
  {
    of,
    field: 'filters: URLRewrite (path)',
    policyField: '/urlRewrite/pathRegex',
    counts: 'own',
    source: urlRewrite,
    read: pathRewrite,
  },
  {
    of,
    field: 'filters: URLRewrite (hostname)',
    policyField: '/autoHostRewrite',
    counts: 'own',
    source: 'https://github.com/kgateway-dev/kgateway/blob/main/api/v1alpha1/kgateway/traffic_policy_types.go',
    read: autoHostRewrite,
  },
];
