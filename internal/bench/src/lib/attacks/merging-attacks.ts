import { gatewayApi } from '@policy-machinery/gateway-api';
import type { JsonObject, JsonValue } from '@policy-machinery/resource';
import type { Attack } from './attack.ts';
import { TimeoutPolicy } from './policy-kinds.ts';
import { attachedRoute, gateway, listener, listOf, policy, refTo, route } from './resources.ts';

const openGateway = gateway('g', [listener('l')]);
const onGateway = [refTo('Gateway', 'g')];
const gatewayLocator = 'gateway.gateway.networking.k8s.io:a/g';

/** Defaults that are merged field by field. */
const merged = (fields: JsonObject): { defaults: JsonObject } => ({ defaults: { strategy: 'patch', ...fields } });

function fieldsOf(count: number, prefix: string): JsonObject {
  return Object.fromEntries(listOf<[string, JsonValue]>(count, (place) => [`${prefix}${place}`, place]));
}

/** So many routes, each with a policy of its own. */
function routesWithPolicies(count: number, fields: (place: number) => JsonObject) {
  return listOf(count, (place) => [
    attachedRoute(`r${place}`),
    policy('TimeoutPolicy', `p${place}`, [refTo('HTTPRoute', `r${place}`)], merged(fields(place))),
  ]).flat();
}

/** Attacks on merging, and on telling who set and lost what. */
export const mergingAttacks: readonly Attack[] = [
  {
    name: 'fields × routes',
    sizes: [600, 1_200, 2_400],
    kinds: [TimeoutPolicy],
    stages: ['apply', 'specs', 'reports', 'plan', 'explain', 'change'],
    explain: gatewayLocator,
    hostile: (size) => [
      openGateway,
      policy('TimeoutPolicy', 'house', onGateway, merged(fieldsOf(1_000, 'f'))),
      ...routesWithPolicies(size, (place) => ({ [`f${place % 1_000}`]: 'own' })),
    ],
  },
  {
    name: 'policies of a Gateway × routes',
    sizes: [500, 1_000, 2_000],
    kinds: [TimeoutPolicy],
    stages: ['apply', 'specs', 'reports', 'plan', 'explain', 'change'],
    explain: gatewayLocator,
    hostile: (size) => [
      openGateway,
      ...listOf(50, (place) =>
        policy('TimeoutPolicy', `g${place}`, onGateway, merged({ [`f${place}`]: place, x: place })),
      ),
      ...routesWithPolicies(size, (place) => ({ x: `own ${place}` })),
    ],
  },
  {
    name: 'a chain of routes with policies',
    sizes: [500, 1_000, 2_000],
    kinds: [TimeoutPolicy],
    targetKinds: gatewayApi({ delegation: true }),
    stages: ['apply', 'specs', 'reports', 'plan', 'impact', 'change'],
    impact: ['timeoutpolicy.attacks.example.com:a/p0'],
    hostile: (size) => [
      openGateway,
      ...listOf(size, (place) => [
        route(`r${place}`, {
          ...(place === 0 && { parentRefs: [{ name: 'g' }] }),
          rules: [{ backendRefs: [refTo('HTTPRoute', `r${place + 1}`)] }],
        }),
        policy(
          'TimeoutPolicy',
          `p${place}`,
          [refTo('HTTPRoute', `r${place}`)],
          merged({ [`f${place}`]: place, x: place }),
        ),
      ]).flat(),
    ],
  },
];
