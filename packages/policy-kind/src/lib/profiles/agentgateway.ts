import {
  type Combination,
  type Combine,
  type FieldStrategy,
  fieldWise,
  type MergeStrategy,
  omitFields,
  type Stanza,
} from '@policy-machinery/merge';
import {
  formatPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectIn,
  parsePointer,
} from '@policy-machinery/resource';
import { targetFields, without } from '../stanzas/bare-spec.ts';
import type { Fault, StanzaReader } from '../stanzas/stanza-reader.ts';
import { chooseStrategy, selection } from '../stanzas/strategy-choice.ts';
import type { Profile } from './profiles.ts';

/** Settings of traffic that the proxy takes apart. */
const dividedTraffic = ['rateLimit', 'headerModifiers'];

/** The authorization rules: the rules of all policies count, so that no policy can allow a request that another one denies. */
const authorizations = [
  '/frontend/networkAuthorization',
  '/traffic/authorization',
  '/preRouting/authorization',
  '/backend/authorization',
  '/backend/mcp/authorization',
];

/** The exporter of access logs is a setting by itself. */
const accessLog: Combination = {
  combine: (prevailing, yielding) => {
    const [{ otlp, ...prevailingFields }, { otlp: other }] = [objectIn(prevailing), objectIn(yielding)];
    return otlp === undefined && other !== undefined ? { ...prevailingFields, otlp: other } : undefined;
  },
};

/** The fields of each part are merged, and are wholes themselves, except for those that the proxy takes apart. */
const byPart = fieldWise({
  depth: 2,
  at: {
    ...eachMerged([
      ...authorizations,
      ...dividedTraffic.map((field) => `/traffic/${field}`),
      '/backend/ai',
      '/backend/mcp',
    ]),
    '/frontend/accessLog': accessLog,
  },
});

function eachMerged(pointers: readonly string[]): Readonly<Record<string, FieldStrategy>> {
  return Object.fromEntries(pointers.map((pointer) => [pointer, 'merge'] as const));
}

/**
 * Returns the profile of agentgateway's AgentgatewayPolicy: the fields of each part (`frontend`, `traffic`, `backend`) are merged, each as a whole,
 * and the more specific policy prevails. With `strategy.inheritance: Override`, the traffic settings of a policy prevail over settings of more
 * specific policies. Policies can select targets by label; statuses have an entry for the Gateway, also for targets below a ListenerSet.
 *
 * Effective specs differ from specs of policies in two ways: the traffic settings of the phase PreRouting are in `preRouting`, and the authorization
 * rules of all policies stay, by the names of the policies: `{ traffic: { authorization: { 'shop/staff': { … } } } }`.
 *
 * @returns The profile.
 */
export function agentgateway() {
  return {
    stanzas: byInheritance,
    sameLevel: 'oldest-wins',
    targetSelectors: true,
  } satisfies Profile;
}
/** @hidden */
agentgateway.uncalled = 'agentgateway' as const;

/** Returns the strategy that keeps some traffic settings of policies, whatever more specific policies set. */
function withLocked(stanza: Stanza, lockedIn: (traffic: JsonObject) => readonly string[]): MergeStrategy {
  const combine: Combine = (established, challenger) => {
    const open = omitFields(challenger, ...lockedIn(objectIn(established.value.traffic)));
    return byPart.defaults(omitFields(established, ...rivalsOf(objectIn(open.value.traffic).rateLimit)), open);
  };
  return { granularity: 'Custom', ...(byPart.unitAt && { unitAt: byPart.unitAt }), [stanza]: combine };
}

/** The buffer stays as the least specific policy sets it. */
const buffer = (traffic: JsonObject): readonly string[] => (traffic.buffer === undefined ? [] : ['/traffic/buffer']);

/** Returns JSON Pointers to all settings of a traffic part, as the proxy takes them apart. */
const settings = (traffic: JsonObject): readonly string[] =>
  Object.keys(traffic).flatMap((field) => [
    ...(dividedTraffic.includes(field) ? Object.keys(objectIn(traffic[field])) : ['']).map((part) =>
      formatPointer(['traffic', field, ...(part === '' ? [] : [part])]),
    ),
    ...(field === 'rateLimit' ? rivalsOf(traffic[field]) : []),
  ]);

/** Returns JSON Pointers to the rate limits that others replace: conditional ones are instead of those without conditions. */
function rivalsOf(rateLimit: JsonValue | undefined): readonly string[] {
  if (rateLimit === undefined) return [];
  return objectIn(rateLimit).conditional === undefined ? ['/traffic/rateLimit/conditional'] : ['/traffic/rateLimit'];
}

const strategies = { Default: withLocked('defaults', buffer), Override: withLocked('overrides', settings) };
const options = { strategies, defaultStrategy: 'Default', because: selection } as const;

const byInheritance: StanzaReader = {
  strategies,
  read(spec) {
    const inheritance = inheritanceIn(spec.strategy);
    const { choice, fault } = chooseStrategy(options, inheritance, ['defaults', 'overrides'], 'strategy.inheritance');
    const isForTraffic = spec.traffic !== undefined && spec.frontend === undefined && spec.backend === undefined;
    const misplaced = inheritance !== undefined && !isForTraffic ? forTrafficAlone : undefined;
    const faults = [fault, misplaced].flatMap((message): readonly Fault[] =>
      message === undefined ? [] : [{ message, pointer: '/spec/strategy/inheritance' }],
    );
    const proper = inPhases(without(spec, [...targetFields, 'strategy']));
    const layers = choice === undefined ? [] : [{ spec: proper, pointer: '/spec', kept: authorizations, ...choice }];
    return { layers, faults };
  },
  mergedSchema,
  shape: {
    stanzas: [{ field: undefined, fields: {} }],
    fields: {
      strategy: {
        type: 'object',
        properties: { inheritance: { type: 'string', enum: Object.keys(strategies) } },
        description: 'How this policy meets more specific ones.',
      },
    },
    exclusive: [],
    oneOf: [],
  },
};

const forTrafficAlone =
  'inheritance is for policies with traffic settings alone; remove it, or move other settings to another policy';

/** Returns how a policy is inherited, as it declares. A value that is not an object selects no strategy, and is a fault. */
function inheritanceIn(strategy: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(strategy) ? strategy.inheritance : strategy;
}

/** Returns a spec with the traffic settings of the phase PreRouting by themselves: the phases run one after the other, and are never merged. */
function inPhases({ traffic, ...others }: JsonObject): JsonObject {
  if (!isJsonObject(traffic)) return traffic === undefined ? others : { ...others, traffic };
  const { phase, ...fields } = traffic;
  return { ...others, [phase === 'PreRouting' ? 'preRouting' : 'traffic']: fields };
}

/** Returns the schema of effective specs, from the schema of policies. */
function mergedSchema(schema: JsonObject): JsonObject {
  const properties = objectIn(schema.properties);
  const inBoth = properties.traffic === undefined ? properties : { ...properties, preRouting: properties.traffic };
  return authorizations.map(parsePointer).reduce(withKeys, { ...schema, properties: inBoth });
}

/** Returns a schema where a field has values by the names of policies. A field that the schema does not have is left out. */
function withKeys(schema: JsonObject, [field, ...rest]: readonly string[]): JsonObject {
  if (field === undefined) return { type: 'object', additionalProperties: schema };
  const properties = objectIn(schema.properties);
  const inner = properties[field];
  if (!isJsonObject(inner)) return schema;
  return { ...schema, properties: { ...properties, [field]: withKeys(inner, rest) } };
}
