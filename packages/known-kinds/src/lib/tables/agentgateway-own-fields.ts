import { isJsonObject, type JsonObject, type JsonValue, objectIn, stringIn } from '@policy-machinery/resource';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import type { OwnFieldReader } from '../model/own-fields.ts';
import { filtersOf, setFields } from '../readers/rule-fields.ts';

const sources = 'https://github.com/agentgateway/agentgateway/blob/main';
const ofRule = { counts: 'own', source: `${sources}/controller/pkg/agentgateway/translator/conversion.go` } as const;
const ofProxy = { counts: 'own', source: `${sources}/crates/agentgateway/src/proxy/httpproxy.rs` } as const;
const [httpRule, grpcRule] = ['HTTPRoute rule', 'GRPCRoute rule'];

/** Returns the timeouts of a rule, which are one setting. A timeout of zero is not set. */
function timeoutsOf({ timeouts }: JsonObject): JsonObject | undefined {
  const { request, backendRequest } = objectIn(timeouts);
  return setFields({ request: unlessZero(request), backendRequest: unlessZero(backendRequest) });
}

function unlessZero(duration: JsonValue | undefined): string | undefined {
  const text = stringIn(duration);
  return text === undefined || /^0[0a-z]*$/.test(text) ? undefined : text;
}

/** Returns the retries of a rule. Without attempts there are none. */
function retryOf({ retry }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(retry) || retry.attempts === 0) return undefined;
  const { attempts, backoff, codes } = retry;
  return setFields({ attempts, backoff, codes }) ?? {};
}

/** Returns the changes of headers of a rule: the changes of all filters of a type, in their order. */
const headers =
  (side: 'Request' | 'Response') =>
  (rule: JsonObject): JsonObject | undefined => {
    const filters = filtersOf(rule, `${side}HeaderModifier`, `${side.toLowerCase()}HeaderModifier`);
    const listOf = (list: string): JsonValue | undefined => {
      const items = filters.flatMap((filter): readonly JsonValue[] => {
        const value = filter[list];
        return Array.isArray(value) ? value : [];
      });
      return items.length === 0 ? undefined : items;
    };
    return setFields({ set: listOf('set'), add: listOf('add'), remove: listOf('remove') });
  };

const corsOf = (rule: JsonObject): JsonObject | undefined => filtersOf(rule, 'CORS', 'cors').at(-1);
const authOf = (rule: JsonObject): JsonObject | undefined => filtersOf(rule, 'ExternalAuth', 'externalAuth').at(-1);

/** The host of a rule's own rewrite ends the automatic rewrite. */
function hostRewriteOf(rule: JsonObject): JsonObject | undefined {
  const rewrites = filtersOf(rule, 'URLRewrite', 'urlRewrite');
  return rewrites.some(({ hostname }) => typeof hostname === 'string') ? { mode: 'None' } : undefined;
}

/** A redirect of a rule precedes direct responses. */
function redirectOf(rule: JsonObject): JsonObject | undefined {
  const [redirect] = filtersOf(rule, 'RequestRedirect', 'requestRedirect');
  return redirect && { status: redirect.statusCode ?? 302 };
}

/** Returns inline policies of a backend or a part of it. Authorization rules are by the name of their author, as in policies. */
function inlinePolicies(owner: JsonObject, target: TargetNode): JsonObject | undefined {
  const policies = owner.policies ?? (target.section && objectIn(owner.static).policies);
  if (!isJsonObject(policies)) return undefined;
  const { mcp } = policies;
  return { ...byOwner(policies, target), ...(isJsonObject(mcp) ? { mcp: byOwner(mcp, target) } : {}) };
}

function byOwner(settings: JsonObject, target: TargetNode): JsonObject {
  const { authorization } = settings;
  return authorization === undefined
    ? settings
    : { ...settings, authorization: { [formatTarget(target)]: authorization } };
}

/** The fields of rules and backends that an AgentgatewayPolicy also sets. */
export const agentgatewayOwnFields: readonly OwnFieldReader[] = [
  { of: httpRule, field: 'timeouts', policyField: '/traffic/timeouts', ...ofRule, read: timeoutsOf },
  { of: httpRule, field: 'retry', policyField: '/traffic/retry', ...ofRule, read: retryOf },
  { of: httpRule, field: 'filters: CORS', policyField: '/traffic/cors', ...ofRule, read: corsOf },
  { of: httpRule, field: 'filters: ExternalAuth', policyField: '/traffic/extAuth', ...ofRule, read: authOf },
  ...[httpRule, grpcRule].flatMap((of) =>
    (['Request', 'Response'] as const).map((side): OwnFieldReader => {
      const [field, policyField] = [`filters: ${side}HeaderModifier`, `/traffic/headerModifiers/${side.toLowerCase()}`];
      return { of, field, policyField, ...ofRule, read: headers(side) };
    }),
  ),
  {
    of: httpRule,
    field: 'filters: URLRewrite (hostname)',
    policyField: '/traffic/hostRewrite',
    ...ofProxy,
    read: hostRewriteOf,
  },
  {
    of: httpRule,
    field: 'filters: RequestRedirect',
    policyField: '/traffic/directResponse',
    ...ofProxy,
    read: redirectOf,
  },
  ...['AgentgatewayBackend', 'AgentgatewayBackend part'].map(
    (of): OwnFieldReader => ({ of, field: 'policies', policyField: '/backend', ...ofProxy, read: inlinePolicies }),
  ),
];
