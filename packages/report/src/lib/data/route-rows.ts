import type { GatewayRoute } from '@policy-machinery/gateway-api';
import { isJsonObject, type JsonValue, type KubernetesObject, specOf } from '@policy-machinery/resource';
import type { Names } from './names.ts';
import type { CompactRule, RouteRow } from './report-data.ts';

/** Returns the parts of a route that decide which requests it takes. */
export function routeRow(route: KubernetesObject, { node, via }: GatewayRoute, names: Names): RouteRow {
  const { hostnames = null, rules } = specOf(route);
  const created = Date.parse(route.metadata.creationTimestamp ?? '') / 1_000;
  const compact = compactRules(rules) ?? { written: withMatchesOnly(rules) };
  const row = [names.node(node), Number.isNaN(created) ? -1 : created, compact] as const;
  if (via.length > 0) return [...row, hostnames, via.map((it) => names.node(it))];
  return hostnames === null ? row : [...row, hostnames];
}

/** Returns the matches of rules; `undefined` if the rules are not a list of objects, or the matches of a rule are not a list. */
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

/** Returns a match in short: the two usual forms as text, any other unchanged. */
function compactMatch(match: JsonValue): JsonValue {
  if (!isJsonObject(match)) return [match];
  const { path, ...others } = match;
  if (!isJsonObject(path) || Object.keys(others).length > 0 || Object.keys(path).length !== 2) return match;
  const { type, value } = path;
  if (typeof value !== 'string' || !value.startsWith('/')) return match;
  if (type === 'PathPrefix') return value;
  return type === 'Exact' ? `=${value}` : match;
}

/** Returns the rules of a row as the spec of a route has them, with their matches alone. The inverse of {@link routeRow}. */
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
