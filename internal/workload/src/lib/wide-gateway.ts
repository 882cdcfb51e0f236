import { handMade } from './hand-made.ts';
import { backendHabits, trafficHabits } from './policies.ts';
import type { Workload } from './workload.ts';
import type { SeedOptions } from './world.ts';

/** How wide the Gateway is. */
export interface WideGatewayOptions extends SeedOptions {
  /** Default 64, the most that Gateway API allows. */
  readonly listeners?: number;
  /** Default 1,000. */
  readonly routes?: number;
}

/**
 * One Gateway, all of whose routes hang below all of its listeners: 64,000 links by default. The Gateway, every fourth
 * listener, every twentieth route and every tenth Service have a policy, so that each rule has many contexts.
 *
 * @param options How wide, and the seed.
 */
export function wideGateway({ listeners = 64, routes = 1_000, ...seed }: WideGatewayOptions = {}): Workload {
  return handMade(seed, (make) => {
    const gateway = make.gateway('wide', listeners);
    make.policy(trafficHabits, gateway);
    make.policy(backendHabits, gateway);
    for (let index = 0; index < listeners; index += 4) make.policy(trafficHabits, gateway, `http-${index}`);
    for (let index = 0; index < routes; index += 1) {
      const service = make.service(`svc-${index}`);
      const route = make.route(`route-${index}`, { gateway, rules: 1, service });
      if (index % 20 === 0) make.policy(index % 40 === 0 ? trafficHabits : backendHabits, route);
      if (index % 10 === 0) make.policy(backendHabits, service);
    }
  });
}
