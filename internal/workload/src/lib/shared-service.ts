import { handMade } from './hand-made.ts';
import { backendHabits, trafficHabits } from './policies.ts';
import type { Workload } from './workload.ts';
import type { SeedOptions } from './world.ts';

/** How popular the Service is. */
export interface SharedServiceOptions extends SeedOptions {
  /** How many routes lead to it, with ten rules each. Default 1,000. */
  readonly routes?: number;
}

/**
 * One Service behind all rules of all routes: 10,000 rules by default. The routes are spread over ten Gateways. The Service,
 * every Gateway and every tenth route of each Gateway have a policy.
 *
 * @param options How popular, and the seed.
 */
export function sharedService({ routes = 1_000, ...seed }: SharedServiceOptions = {}): Workload {
  return handMade(seed, (make) => {
    const service = make.service('shared');
    make.policy(backendHabits, service);
    const gateways = Array.from({ length: 10 }, (_, index) => make.gateway(`gw-${index}`, 1));
    for (const [index, gateway] of gateways.entries()) {
      make.policy(index % 2 === 0 ? trafficHabits : backendHabits, gateway);
      for (let number = index; number < routes; number += gateways.length) {
        const route = make.route(`route-${number}`, { gateway, rules: 10, service });
        if ((number - index) % 100 === 0) make.policy(backendHabits, route);
      }
    }
  });
}
