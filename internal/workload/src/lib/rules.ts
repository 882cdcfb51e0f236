import { Service } from '@policy-machinery/gateway-api';
import { type JsonObject, objectsIn, specOf } from '@policy-machinery/resource';
import type { Random } from './random.ts';
import { word } from './words.ts';
import type { World } from './world.ts';

/**
 * Returns a new rule of a route.
 *
 * @param namespace Where the Services are that it leads to. Some rules lead to two, some redirect and lead to none.
 * @param index A number that no other rule of the route has, for its name; most rules have none.
 */
export function newRule(world: World, namespace: string, index: number): JsonObject {
  const { random } = world;
  const backendRefs = newBackends(world, namespace);
  const filters =
    backendRefs.length === 0 ? [redirect] : random.chance(0.08) ? [random.pick(filterMakers)(random)] : [];
  return {
    ...(backendRefs.length === 0 ? {} : { backendRefs }),
    ...(filters.length === 0 ? {} : { filters }),
    matches: [random.pickWeighted(matchMakers).match(random)],
    ...(random.chance(0.3) ? { name: `${word(random)}-${index}` } : {}),
  };
}

/** Returns the backends of a rule: none, one, or two with weights. */
export function newBackends({ random, state }: World, namespace: string): readonly JsonObject[] {
  const services = state.list(Service, namespace);
  const count = services.length === 0 ? 0 : random.pickWeighted(backendCounts).count;
  const names = new Set<string>();
  return Array.from({ length: count }, () => random.pickSkewed(services)).flatMap((service) => {
    const { name } = service.metadata;
    const ports = objectsIn(specOf(service).ports);
    if (names.has(name) || ports.length === 0) return [];
    names.add(name);
    const { port = 80 } = random.pickSkewed(ports);
    return [{ name, port, ...(count === 1 ? {} : { weight: 1 + random.int(100) }) }];
  });
}

const backendCounts = [
  { weight: 3, count: 0 },
  { weight: 84, count: 1 },
  { weight: 13, count: 2 },
];

const redirect = { requestRedirect: { scheme: 'https', statusCode: 301 }, type: 'RequestRedirect' };

const filterMakers: readonly ((random: Random) => JsonObject)[] = [
  (random) => ({
    requestHeaderModifier: { set: [{ name: 'x-team', value: word(random) }] },
    type: 'RequestHeaderModifier',
  }),
  () => ({
    type: 'URLRewrite',
    urlRewrite: { path: { replacePrefixMatch: '/', type: 'ReplacePrefixMatch' } },
  }),
];

const path = (random: Random, type: 'Exact' | 'PathPrefix' = 'PathPrefix'): JsonObject => ({
  path: { type, value: `/${word(random)}${random.chance(0.2) ? `/${word(random)}` : ''}` },
});

const matchMakers: readonly { readonly weight: number; readonly match: (random: Random) => JsonObject }[] = [
  { weight: 20, match: () => ({ path: { type: 'PathPrefix', value: '/' } }) },
  { weight: 50, match: (random) => path(random) },
  { weight: 10, match: (random) => path(random, 'Exact') },
  { weight: 12, match: (random) => ({ method: random.pick(['GET', 'POST', 'DELETE']), ...path(random) }) },
  { weight: 8, match: (random) => ({ headers: [{ name: 'x-canary', value: word(random) }], ...path(random) }) },
];
