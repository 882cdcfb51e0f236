import { isJsonObject, type JsonObject, type JsonValue, objectsIn, stringIn } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { OwnField, OwnFieldReader } from '../model/own-fields.ts';
import { filtersOf } from '../readers/rule-fields.ts';

const of = 'HTTPRoute rule';
const plugins = 'https://github.com/solo-io/gloo/blob/main/projects/gateway2/translator/plugins';
/** Rules are translated by the listed plugins alone, and none reads these fields. */
const unread = { of, counts: 'policies', source: `${plugins}/registry/plugin_registry.go` } as const;
/** The filters are translated before the options, which prevail unless the route says otherwise. */
const yielding = { of, counts: 'policies', source: `${plugins}/routeoptions/route_options_plugin.go` } as const;
/** The filter is translated after the options, and sets its own ones. */
const rewriting = { of, counts: 'own', source: `${plugins}/urlrewrite/url_rewrite_plugin.go` } as const;

const overrides = 'delegation.gateway.solo.io/enable-policy-overrides';

/** Reads a filter of a route that lets filters prevail in an option. */
const allowed =
  (option: string, read: (rule: JsonObject) => JsonValue | undefined) =>
  (rule: JsonObject, { resource }: TargetNode): JsonValue | undefined => {
    const fields = (resource.metadata.annotations?.[overrides] ?? '').split(',').map((field) => field.trim());
    return fields.some((field) => field === '*' || field.toLowerCase() === option.toLowerCase())
      ? read(rule)
      : undefined;
  };

function headerManipulation(rule: JsonObject): JsonObject | undefined {
  const changes = (['Request', 'Response'] as const).flatMap((side): [string, JsonValue][] => {
    const name = side.toLowerCase();
    return filtersOf(rule, `${side}HeaderModifier`, `${name}HeaderModifier`).flatMap(({ add, set, remove }) => [
      [`${name}HeadersToAdd`, [...headersIn(add, true), ...headersIn(set, false)]],
      [`${name}HeadersToRemove`, remove ?? []],
    ]);
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

function headersIn(list: JsonValue | undefined, append: boolean): readonly JsonObject[] {
  return objectsIn(list).map(({ name, value }) => ({ header: { key: name ?? '', value: value ?? '' }, append }));
}

function mirrorOf(rule: JsonObject): JsonObject | undefined {
  const [mirror] = filtersOf(rule, 'RequestMirror', 'requestMirror');
  return mirror && { percentage: 100, upstream: mirror.backendRef ?? {} };
}

const rewrite = (rule: JsonObject): JsonObject | undefined => filtersOf(rule, 'URLRewrite', 'urlRewrite')[0];
const hostOf = (rule: JsonObject): string | undefined => stringIn(rewrite(rule)?.hostname);

function pathOf(rule: JsonObject): JsonObject | undefined {
  const path = rewrite(rule)?.path;
  return isJsonObject(path) ? path : undefined;
}

/** Returns the new prefix of paths. The prefix of the whole tree becomes an expression, which depends on the match. */
function prefixRewrite(rule: JsonObject): string | undefined {
  const prefix = stringIn(pathOf(rule)?.replacePrefixMatch);
  return prefix === '/' ? undefined : prefix;
}

function regexRewrite(rule: JsonObject): JsonObject | undefined {
  const substitution = stringIn(pathOf(rule)?.replaceFullPath);
  return substitution === undefined ? undefined : { pattern: { regex: '.*' }, substitution };
}

/** Whether options of two kinds for the same rewrite go together is not known. */
const open = (option: string, read: (rule: JsonObject) => JsonValue | undefined): OwnFieldReader => ({
  of,
  field: 'filters: URLRewrite (otherwise)',
  policyField: `/options/${option}`,
  counts: 'not known',
  read,
});

/** The fields of rules that a RouteOption also sets. */
export const glooOwnFields: readonly (OwnField | OwnFieldReader)[] = [
  ...Object.entries({
    timeouts: 'timeout',
    retry: 'retries',
    'filters: CORS': 'cors',
    'filters: ExternalAuth': 'extauth',
  }).map(([field, option]) => ({ ...unread, field, policyField: `/options/${option}` })),
  ...['RequestHeaderModifier', 'ResponseHeaderModifier'].map((type) => ({
    ...yielding,
    field: `filters: ${type}`,
    policyField: '/options/headerManipulation',
    read: allowed('headerManipulation', headerManipulation),
  })),
  {
    ...yielding,
    field: 'filters: RequestMirror',
    policyField: '/options/shadowing',
    read: allowed('shadowing', mirrorOf),
  },
  { ...rewriting, field: 'filters: URLRewrite (hostname)', policyField: '/options/hostRewrite', read: hostOf },
  {
    ...rewriting,
    field: 'filters: URLRewrite (hostname)',
    policyField: '/options/autoHostRewrite',
    read: (rule) => (hostOf(rule) === undefined ? undefined : false),
  },
  {
    ...rewriting,
    field: 'filters: URLRewrite (prefix)',
    policyField: '/options/prefixRewrite',
    read: prefixRewrite,
  },
  { ...rewriting, field: 'filters: URLRewrite (path)', policyField: '/options/regexRewrite', read: regexRewrite },
  open('hostRewriteHeader', hostOf),
  open('hostRewritePathRegex', hostOf),
  open('prefixRewrite', (rule) => (prefixRewrite(rule) === undefined ? pathOf(rule) : undefined)),
  open('regexRewrite', (rule) => (regexRewrite(rule) === undefined ? pathOf(rule) : undefined)),
];
