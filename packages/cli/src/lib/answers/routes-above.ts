import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import type { TargetNode } from '@policy-machinery/topology';
import { targetIn } from '../input/topologies.ts';
import type { PolicyView, World } from '../model/world.ts';

/** A route, or a rule of one, that leads to a target, with policies that apply there and not at the target. */
export interface RouteAbove {
  readonly route: TargetNode;
  readonly met: readonly { readonly view: PolicyView; readonly policies: readonly string[] }[];
}

/**
 * Returns the routes above a target with policies that requests to the target meet on their way.
 *
 * @param targets The target with its sections. Policies of kinds that apply to these are left out.
 * @returns The routes and rules, by locator, each with the policies in force by kind. O(links above).
 */
export function routesAbove(world: World, targets: readonly TargetNode[]): readonly RouteAbove[] {
  const routes = new Map<string, RouteAbove & { readonly met: RouteAbove['met'][number][] }>();
  for (const view of world.views) {
    const { topology } = view.effective;
    const nodes = targets.flatMap((target) => targetIn(view, target) ?? []);
    if (nodes.some((node) => view.effective.of(node).length > 0)) continue;
    const above = new Set(nodes.flatMap((node) => [...topology.ancestors(node)]).filter(isRoute));
    for (const route of above) {
      const policies = new Set(view.effective.of(route).flatMap(policiesOf));
      if (policies.size === 0) continue;
      const entry = routes.get(route.locator) ?? { route, met: [] };
      entry.met.push({ view, policies: [...policies] });
      routes.set(route.locator, entry);
    }
  }
  return [...routes.values()].sort((a, b) => (a.route.locator < b.route.locator ? -1 : 1));
}

function isRoute({ ref: { kind } }: TargetNode): boolean {
  return kind.endsWith('Route');
}

/** Returns the policies that hold something of an effective policy. */
function policiesOf({ shares }: EffectivePolicy<unknown>): readonly string[] {
  return shares.filter(({ contributes }) => contributes).map(({ policy }) => policy.name);
}
