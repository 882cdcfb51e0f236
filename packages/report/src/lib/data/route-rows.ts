import type { GatewayRoute } from '@policy-machinery/gateway-api';
import { isJsonObject, type JsonValue, type KubernetesObject, specOf } from '@policy-machinery/resource';
import type { Names } from './names.ts';
import type { CompactRule, RouteRow } from './report-data.ts';

/** Returns what decides which requests a route takes. */
export function routeRow(route: KubernetesObject, { node, via }: GatewayRoute, names: Names): RouteRow {
  const { hostnames = null, rules } = specOf(route);
  const created = Date.parse(route.metadata.creationTimestamp ?? '') / 1_000;
  const compact = compactRules(rules) ?? { written: withMatchesOnly(rules) };
  const row = [names.node(node), Number.isNaN(created) ? -1 : created, compact] as const;
  if (via.length > 0) return [...row, hostnames, via.map((it) => names.node(it))];
  return hostnames === null ? row : [...row, hostnames];
}

/** Returns rules with nothing but their matches; `undefined` if they are written in another way than as lists of objects. */
function compactRules(rules: JsonValue | undefined): readonly CompactRule[] | undefined {
  if (!Array.isArray(rules)) return undefined;
  const compact: CompactRule[] = [];
  for (const rule of rules as readonly JsonValue[]) {
    if (!isJsonObject(rule)) return undefined;
    const { matches = [] } = rule;
    if (!Array.isArray(matches)) return undefined;
    compact.push((matches as readonly JsonValue[]).map(compactMatch));
  }
  return compact;
}

function withMatchesOnly(rules: JsonValue | undefined): JsonValue {
  if (!Array.isArray(rules)) return rules ?? null;
  return (rules as readonly JsonValue[]).map((rule) => (isJsonObject(rule) ? { matches: rule.matches ?? null } : rule));
}

/** Writes the two usual matches as texts, and others as they are. */
function compactMatch(match: JsonValue): JsonValue {
  if (!isJsonObject(match)) return [match];
  const { path, ...others } = match;
  if (!isJsonObject(path) || Object.keys(others).length > 0 || Object.keys(path).length !== 2) return match;
  const { type, value } = path;
  if (typeof value !== 'string' || !value.startsWith('/')) return match;
  if (type === 'PathPrefix') return value;
  return type === 'Exact' ? `=${value}` : match;
}

/** Reverses {@link routeRow}: the rules of a route as its spec has them, without what does not decide which requests they take. */
export function rulesOf(rules: RouteRow[2]): JsonValue {
  return 'written' in rules ? rules.written : rules.map((matches) => ({ matches: matches.map(fullMatch) }));
}

function fullMatch(match: JsonValue): JsonValue {
  if (typeof match === 'string') {
    const isExact = match.startsWith('=');
    return { path: { type: isExact ? 'Exact' : 'PathPrefix', value: isExact ? match.slice(1) : match } };
  }
  return Array.isArray(match) ? (match[0] ?? null) : match;
}
