import { type Combine, contributors, fieldWise, type Origins, omitFields, type Traced } from '@policy-machinery/merge';
import { bareSpec, type StanzaReader } from '@policy-machinery/policy-kind';
import { formatPointer, isJsonObject, type JsonObject, objectIn } from '@policy-machinery/resource';

export const sides = ['CLIENT', 'SERVER'] as const;
export const allMetrics = 'ALL_METRICS';
/** The key of entries without providers, which are for the providers of the last entry before them. */
export const inherited = 'inherited';

/** The maps from providers to settings. A policy with providers for logs replaces the settings above, one for metrics adds to them. */
const places = [
  ...sides.map((side) => ({ path: ['accessLogging', side], isReplaced: true })),
  { path: ['metrics'], isReplaced: false },
];

const byField = fieldWise({
  at: {
    '/tracing/*/*': 'replace',
    '/accessLogging/*/*/filter': 'replace',
    '/metrics/*/*/*/tagOverrides/*': 'replace',
  },
});

/** Merges settings by side and provider. Providers of the challenger replace others, and its entries without providers are for the last ones above. */
export const combineTelemetry: Combine = (established, challenger) => {
  const meetings = places.map((place) => ({ ...place, ...meetingAt(place, established.value, challenger.value) }));
  const yielding = omitFields(established, ...meetings.flatMap(({ path, dropped }) => pointersIn(path, dropped)));
  const kept = omitFields(challenger, ...meetings.flatMap(({ path, lost }) => pointersIn(path, lost)));
  const received = meetings.flatMap(({ path, receivers }) => {
    const part = fieldAt(challenger, [...path, inherited]);
    const mark = { value: { isApplied: true }, origins: { by: contributors(part.origins) } };
    const marks = receivers.length === 0 ? [] : [movedTo([...path, inherited], mark)];
    return [...receivers.map((name) => movedTo([...path, name], part)), ...marks];
  });
  return [...received, kept].reduce(overSettings, yielding);
};

/** Merges settings of the same providers. */
export function overSettings<Origin>(established: Traced<Origin>, challenger: Traced<Origin>): Traced<Origin> {
  return byField.defaults(omitFields(established, ...coveredMetrics(established.value, challenger.value)), challenger);
}

/** Returns which providers yield, which ones receive the settings of entries without providers, and whether none does. */
function meetingAt({ path, isReplaced }: (typeof places)[number], established: JsonObject, challenger: JsonObject) {
  const [upper, lower] = [objectAt(established, path), objectAt(challenger, path)];
  const [namedAbove, named] = [namesIn(upper), namesIn(lower)];
  const isNamed = named.length > 0;
  const kept = isReplaced || !isNamed ? [] : namedAbove.filter((name) => named.includes(name));
  const isReplacedWhole = isNamed && (isReplaced || (namedAbove.length > 0 && kept.length === 0));
  const dropped = isReplacedWhole
    ? Object.keys(upper)
    : isNamed
      ? namedAbove.filter((name) => !kept.includes(name))
      : [];
  const { [inherited]: settings } = lower;
  const none = { dropped, lost: [], receivers: [] };
  if (!isJsonObject(settings)) return none;
  if (settings.isApplied === true)
    return { ...none, lost: upper[inherited] === undefined || isReplacedWhole ? [] : [inherited] };
  if (namedAbove.length === 0) return none;
  const receivers = isNamed ? kept : namedAbove.filter((name) => objectIn(upper[name]).isLast !== false);
  return { dropped, lost: receivers.length > 0 ? [] : [inherited], receivers };
}

/** Returns JSON Pointers to settings of metrics that end when a later override is for all metrics, or for one after all were disabled. */
function coveredMetrics({ metrics: upper = {} }: JsonObject, { metrics: later }: JsonObject): readonly string[] {
  return Object.entries(objectIn(later)).flatMap(([provider, settings]) =>
    sides.flatMap((side) => {
      const path = ['metrics', provider, side];
      const changes = objectIn(objectIn(settings)[side]);
      const { [allMetrics]: general, ...others } = objectAt({ metrics: upper }, path);
      const { disabled, tagOverrides } = objectIn(changes[allMetrics]);
      if (Object.keys(changes).length === 0) return [];
      const isEnabled = disabled !== true && objectIn(general).disabled === true ? [[allMetrics, 'disabled']] : [];
      const covered = Object.keys(others).flatMap((metric) => [
        ...(disabled === false ? [[metric, 'disabled']] : []),
        ...Object.keys(objectIn(tagOverrides)).map((tag) => [metric, 'tagOverrides', tag]),
      ]);
      return [...isEnabled, ...covered].map((rest) => formatPointer([...path, ...rest]));
    }),
  );
}

export function namesIn(providers: JsonObject): readonly string[] {
  return Object.keys(providers).filter((name) => name !== inherited);
}

function objectAt(value: JsonObject, path: readonly string[]): JsonObject {
  return path.reduce((part, key) => objectIn(part[key]), value);
}

function pointersIn(path: readonly string[], keys: readonly string[]): readonly string[] {
  return keys.map((key) => formatPointer([...path, key]));
}

/** Returns the part of a spec at a path, with its origins. */
function fieldAt<Origin>({ value, origins }: Traced<Origin>, path: readonly string[]): Traced<Origin> {
  return {
    value: objectAt(value, path),
    origins: path.reduce<Origins<Origin>>(
      (part, key) => ('by' in part ? part : (part.fields.get(key) ?? part)),
      origins,
    ),
  };
}

/** Returns a spec with a part at a path alone. */
function movedTo<Origin>(path: readonly string[], part: Traced<Origin>): Traced<Origin> {
  return path.reduceRight<Traced<Origin>>(
    ({ value, origins }, key) => ({ value: { [key]: value }, origins: { fields: new Map([[key, origins]]) } }),
    part,
  );
}

/** Merges the specs of policies that are by side and provider already. */
export const telemetryByProvider: StanzaReader = bareSpec({
  strategies: {
    byProvider: {
      granularity: 'Custom',
      defaults: combineTelemetry,
      ...(byField.unitAt && { unitAt: byField.unitAt }),
    },
  },
  strategyField: false,
  because: "a workload's settings prevail over its namespace's, and these over the mesh's, by provider",
});
