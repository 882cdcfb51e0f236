import type { KubernetesObject } from '@policy-machinery/resource';
import { gateway, route, timeouts } from '../shop.ts';

/** A change of one object: to what it shall be, or its end. */
export interface Change {
  readonly object: KubernetesObject;
  readonly isDeleted: boolean;
}

/** How many objects of each kind there are at most, and how many values a timeout may have. */
export interface Variety {
  readonly gateways: number;
  readonly routes: number;
  readonly policies: number;
  readonly timeouts: number;
}

/** Returns numbers from 0 up to 1 that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns random changes of a shop: Gateways, routes and policies come, change and go. */
export function* changesOf(
  count: number,
  random: () => number,
  variety: Variety = { gateways: 10, routes: 150, policies: 150, timeouts: 60 },
): Generator<Change, void, void> {
  const below = (limit: number) => Math.floor(random() * limit);
  const seconds = () => `${1 + below(variety.timeouts)}s`;
  const anyGateway = () => `gateway-${below(variety.gateways)}`;
  const anyRoute = () => `route-${below(variety.routes)}`;
  const anyPolicy = (): KubernetesObject => {
    const spec = [{ request: seconds() }, { defaults: { idle: seconds() } }, { overrides: { request: seconds() } }];
    const [kind, target] = random() < 0.3 ? ['Gateway', anyGateway()] : ['HTTPRoute', anyRoute()];
    return timeouts(`policy-${below(variety.policies)}`, kind ?? '', target ?? '', spec[below(spec.length)] ?? {});
  };
  for (let made = 0; made < count; made += 1) {
    const kind = random();
    const parents = [...new Set([anyGateway(), anyGateway()])].map((name) => ({ name }));
    const object =
      kind < 0.1 ? gateway(anyGateway(), 1 + below(3)) : kind < 0.5 ? route(anyRoute(), ...parents) : anyPolicy();
    yield { object, isDeleted: random() < 0.2 };
  }
}
