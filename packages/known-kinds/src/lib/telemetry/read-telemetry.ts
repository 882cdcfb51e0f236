import { trace } from '@policy-machinery/merge';
import type { StanzaReader } from '@policy-machinery/policy-kind';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectIn,
  objectsIn,
  stringIn,
} from '@policy-machinery/resource';
import {
  allMetrics,
  combineTelemetry,
  inherited,
  namesIn,
  overSettings,
  sides,
  telemetryByProvider,
} from './merge-telemetry.ts';

/** Reads Telemetry by side and provider, as Istio merges it. */
export const telemetryStanzas: StanzaReader = {
  strategies: telemetryByProvider.strategies,
  read({ selector: _selector, targetRef: _ref, targetRefs: _refs, tracing, accessLogging, metrics, ...others }) {
    return telemetryByProvider.read({
      ...others,
      ...(tracing === undefined ? {} : { tracing: objectsIn(tracing).reduce(withTracing, {}) }),
      ...(accessLogging === undefined ? {} : { accessLogging: objectsIn(accessLogging).reduce(withLogs, {}) }),
      ...objectsIn(metrics).reduce(withMetrics, {}),
    });
  },
  mergedSchema: () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
};

function sidesOf(match: JsonValue | undefined): readonly string[] {
  const { mode } = objectIn(match);
  return sides.filter((side) => typeof mode !== 'string' || mode === side || !sides.some((it) => it === mode));
}

function providersOf({ providers }: JsonObject): readonly string[] {
  return objectsIn(providers).flatMap(({ name }) => stringIn(name) ?? []);
}

/** Adds an entry of `tracing`. Of its providers, only the first one counts. */
function withTracing(tracing: JsonObject, entry: JsonObject): JsonObject {
  const { match, providers: _providers, ...settings } = entry;
  const [provider] = providersOf(entry);
  const added = provider === undefined ? settings : { provider, ...settings };
  return { ...tracing, ...bySide(match, (side) => ({ ...objectIn(tracing[side]), ...added })) };
}

/** Adds an entry of `accessLogging`. A filter without providers does not have an effect. */
function withLogs(logs: JsonObject, entry: JsonObject): JsonObject {
  const { match, disabled = false, filter } = entry;
  const named = providersOf(entry);
  return {
    ...logs,
    ...bySide(match, (side) => {
      const { [inherited]: others, ...former } = objectIn(logs[side]);
      if (named.length > 0) {
        const set = { disabled, ...(filter === undefined ? {} : { filter }) };
        return {
          ...mapValues(former, (log) => ({ ...log, isLast: false })),
          ...Object.fromEntries(named.map((name) => [name, set])),
        };
      }
      const names = Object.keys(former);
      if (names.length === 0) return { [inherited]: { ...objectIn(others), disabled } };
      return mapValues(former, (log) => (log.isLast === false ? log : { ...log, disabled }));
    }),
  };
}

/** Adds an entry of `metrics` to a spec. */
function withMetrics(spec: JsonObject, entry: JsonObject): JsonObject {
  const { overrides, reportingInterval } = entry;
  const names = providersOf(entry);
  const empty = reportingInterval === undefined ? {} : { reportingInterval };
  const settings = objectsIn(overrides).reduce<JsonObject>(withOverride, { [inherited]: empty })[inherited] ?? {};
  const former = namesIn(objectIn(spec.metrics));
  const receivers = names.length > 0 ? names : former.length > 0 ? former : [inherited];
  const added = Object.fromEntries(receivers.map((name) => [name, settings]));
  return combineTelemetry(trace(spec, undefined), trace({ metrics: added }, undefined)).value;
}

function withOverride(metrics: JsonObject, { match, ...settings }: JsonObject): JsonObject {
  const { metric, customMetric } = objectIn(match);
  const name = stringIn(metric) ?? stringIn(customMetric) ?? allMetrics;
  const isOff = name === allMetrics && settings.disabled === true;
  const added = { [inherited]: bySide(match, () => ({ [name]: isOff ? { disabled: true } : settings })) };
  return objectIn(overSettings(trace({ metrics }, undefined), trace({ metrics: added }, undefined)).value.metrics);
}

function bySide(match: JsonValue | undefined, settingsOf: (side: string) => JsonObject): JsonObject {
  return Object.fromEntries(sidesOf(match).map((side) => [side, settingsOf(side)]));
}

function mapValues(record: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, isJsonObject(value) ? change(value) : value]),
  );
}
