import type { KubernetesObject } from '@policy-machinery/resource';
import { gateway, route, timeouts } from '../shop.ts';

/** A change of one object: to what it shall be, or its end. */
export interface Change {
  readonly object: KubernetesObject;
  readonly isDeleted: boolean;
}

const [gateways, routes, policies] = [10, 150, 150];

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
export function* changesOf(count: number, random: () => number): Generator<Change, void, void> {
  const below = (limit: number) => Math.floor(random() * limit);
  const seconds = () => `${1 + below(60)}s`;
  const anyGateway = () => `gateway-${below(gateways)}`;
  const anyRoute = () => `route-${below(routes)}`;
  const anyPolicy = (): KubernetesObject => {
    const spec = [{ request: seconds() }, { defaults: { idle: seconds() } }, { overrides: { request: seconds() } }];
    const [kind, target] = random() < 0.3 ? ['Gateway', anyGateway()] : ['HTTPRoute', anyRoute()];
    return timeouts(`policy-${below(policies)}`, kind ?? '', target ?? '', spec[below(spec.length)] ?? {});
  };
  for (let made = 0; made < count; made += 1) {
    const kind = random();
    const parents = [...new Set([anyGateway(), anyGateway()])].map((name) => ({ name }));
    const object =
      kind < 0.1 ? gateway(anyGateway(), 1 + below(3)) : kind < 0.5 ? route(anyRoute(), ...parents) : anyPolicy();
    yield { object, isDeleted: random() < 0.2 };
  }
}
