import { handMade } from './hand-made.ts';
import { trafficHabits } from './policies.ts';
import type { Workload } from './workload.ts';
import type { SeedOptions } from './world.ts';

/** How crowded the Gateway is. */
export interface CrowdedGatewayOptions extends SeedOptions {
  /** Default 2,000. */
  readonly policies?: number;
}

/**
 * One Gateway with so many policies of one kind, two listeners, and ten routes with three rules.
 *
 * @param options How crowded, and the seed.
 */
export function crowdedGateway({ policies = 2_000, ...seed }: CrowdedGatewayOptions = {}): Workload {
  return handMade(seed, (make) => {
    const gateway = make.gateway('crowded', 2);
    const service = make.service('svc');
    for (let index = 0; index < 10; index += 1) make.route(`route-${index}`, { gateway, rules: 3, service });
    for (let index = 0; index < policies; index += 1) make.policy(trafficHabits, gateway);
  });
}
