import type { JsonObject } from '@policy-machinery/resource';
import type { Random } from './random.ts';
import { word } from './words.ts';

/** What a TrafficPolicy says: defaults or overrides, or bare; one to three of four fields. */
export function newTrafficSpec(random: Random): JsonObject {
  const proper = someOf(random, trafficFields);
  const strategy = random.pick([{}, { strategy: 'atomic' }, { strategy: 'patch' }]);
  const stanza = { ...proper, ...strategy };
  return random.pickWeighted(stanzas).around(stanza);
}

/** What a BackendPolicy says: one to three of four fields, and how they are merged with what lies above. */
export function newBackendSpec(random: Random): JsonObject {
  const mergeType = random.pick([{}, { mergeType: 'StrategicMerge' }, { mergeType: 'JSONMerge' }]);
  return { ...someOf(random, backendFields), ...mergeType };
}

const stanzas: readonly { readonly weight: number; readonly around: (stanza: JsonObject) => JsonObject }[] = [
  { weight: 40, around: (stanza) => stanza },
  { weight: 35, around: (defaults) => ({ defaults }) },
  { weight: 25, around: (overrides) => ({ overrides }) },
];

type Fields = Readonly<Record<string, (random: Random) => JsonObject[string]>>;

const seconds = (random: Random): string => `${1 + random.int(60)}s`;

const trafficFields: Fields = {
  timeouts: (random) => ({
    request: seconds(random),
    ...(random.chance(0.5) ? { backendRequest: seconds(random) } : {}),
  }),
  retries: (random) => ({ attempts: random.int(5), on: random.shuffle(['5xx', 'reset', 'connect-failure']).slice(1) }),
  limits: (random) => ({
    [random.pick(['global', 'per-user', word(random)])]: {
      requests: 1 + random.int(1000),
      per: random.pick(['second', 'minute', 'hour']),
      ...(random.chance(0.3) ? { by: 'auth.identity.user' } : {}),
    },
  }),
  headers: (random) => ({ [`x-${word(random)}`]: word(random) }),
};

const backendFields: Fields = {
  loadBalancer: (random) => ({
    type: random.pick(['RoundRobin', 'LeastRequest', 'ConsistentHash']),
    ...(random.chance(0.3) ? { slowStart: seconds(random) } : {}),
  }),
  circuitBreakers: (random) =>
    random
      .shuffle(['default', 'high', 'bulk'])
      .slice(0, 1 + random.int(2))
      .map((name) => ({ name, maxConnections: 1 + random.int(1000) })),
  healthCheck: (random) => ({ interval: seconds(random), path: `/${word(random)}`, unhealthyAfter: 1 + random.int(9) }),
  keepAlive: (random) => random.chance(0.5),
};

function someOf(random: Random, fields: Fields): JsonObject {
  const chosen = random.shuffle(Object.entries(fields)).slice(0, 1 + random.int(3));
  return Object.fromEntries(chosen.map(([name, make]) => [name, make(random)]));
}
