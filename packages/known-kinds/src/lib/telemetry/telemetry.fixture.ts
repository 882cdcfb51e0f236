import { type JsonObject, type JsonValue, objectIn } from '@policy-machinery/resource';

/** An entry of `accessLogging` or `metrics`. */
export interface Entry {
  readonly providers?: readonly { readonly name: string }[];
  readonly disabled?: boolean;
  readonly filter?: JsonObject;
  readonly overrides?: readonly JsonObject[];
}

/** The provider that the mesh has by default. No entry names it. */
const byDefault = 'default';
type Levels = readonly (readonly Entry[])[];

const namesIn = ({ providers = [] }: Entry): readonly string[] => providers.map(({ name }) => name);

/** Returns the logs of each provider, computed over the entries of all levels one after the other, as Istio does. */
export function logsOf(levels: Levels): JsonObject {
  const scope = levels.map((entries) => entries.flatMap(namesIn)).findLast((names) => names.length > 0) ?? [byDefault];
  const filters: Record<string, JsonObject> = {};
  for (const entry of levels.flat())
    for (const name of namesIn(entry)) filters[name] = entry.filter === undefined ? {} : { filter: entry.filter };
  const logs: Record<string, JsonValue> = {};
  let names: readonly string[] = [byDefault];
  for (const entry of levels.flat()) {
    if (namesIn(entry).length > 0) names = namesIn(entry);
    for (const name of names) if (scope.includes(name)) logs[name] = entry.disabled ? 'off' : (filters[name] ?? {});
  }
  return logs;
}

const metrics = ['M', 'N'];

/** Returns the metrics of each provider in the same way. */
export function metricsOf(levels: Levels): JsonObject {
  const entries = levels.flat();
  const scope = entries.map(namesIn).findLast((names) => names.length > 0) ?? [byDefault];
  const states = new Map<string, { isOff: boolean; readonly of: Record<string, Record<string, JsonValue>> }>();
  let names: readonly string[] = [byDefault];
  for (const entry of entries) {
    if (namesIn(entry).length > 0) names = namesIn(entry);
    for (const name of names.filter((it) => scope.includes(it))) {
      const state = states.get(name) ?? { isOff: false, of: { M: {}, N: {} } };
      states.set(name, state);
      for (const { match, disabled, tagOverrides } of entry.overrides ?? []) {
        const { metric = 'ALL_METRICS' } = objectIn(match);
        const isAll = metric === 'ALL_METRICS';
        state.isOff = isAll && disabled === true;
        if (state.isOff) continue;
        for (const each of isAll ? metrics : [String(metric)])
          state.of[each] = {
            ...state.of[each],
            ...(disabled === undefined ? {} : { disabled }),
            ...objectIn(tagOverrides),
          };
      }
    }
  }
  return Object.fromEntries(Array.from(states, ([name, { isOff, of }]) => [name, isOff ? 'off' : withoutOn(of)]));
}

function withoutOn(of: Record<string, Record<string, JsonValue>>): JsonObject {
  return Object.fromEntries(
    metrics.map((metric) => {
      const { disabled = false, ...tags } = objectIn(of[metric]);
      return [metric, { disabled, ...tags }];
    }),
  );
}

/** Returns the settings of each provider in an effective spec. */
export function byProvider(settings: JsonValue | undefined): JsonObject {
  const { inherited, ...named } = objectIn(settings);
  const all = Object.keys(named).length > 0 || inherited === undefined ? named : { [byDefault]: inherited };
  return Object.fromEntries(Object.entries(all).map(([name, it]) => [name, readable(objectIn(it))]));
}

function readable({ CLIENT, SERVER: _server, isLast: _isLast, ...log }: JsonObject): JsonValue {
  if (log.disabled !== undefined) return log.disabled === true ? 'off' : withoutDisabled(log);
  const { ALL_METRICS: all, ...of } = objectIn(CLIENT);
  if (objectIn(all).disabled === true) return 'off';
  const tagsOf = (value: JsonValue | undefined) => objectIn(objectIn(value).tagOverrides);
  return Object.fromEntries(
    metrics.map((metric) => [
      metric,
      {
        disabled: objectIn(of[metric]).disabled ?? objectIn(all).disabled ?? false,
        ...tagsOf(all),
        ...tagsOf(of[metric]),
      },
    ]),
  );
}

function withoutDisabled({ disabled: _disabled, ...log }: JsonObject): JsonObject {
  return log;
}
