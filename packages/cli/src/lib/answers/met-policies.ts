import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import { Gateway, Pod } from '@policy-machinery/gateway-api';
import type { Path } from '@policy-machinery/topology';
import { targetIn } from '../input/topologies.ts';
import type { PolicyView } from '../model/world.ts';

/**
 * Returns the effective policies that a request meets on its path: the effective policies of the most specific target, which include the
 * policies above. Of the policies of a mesh, a request meets the policies of the Gateway that it comes through, at one of its Pods if there are any.
 *
 * @param path The path, in the topology of Gateway API.
 * @returns The effective policies; none if the path meets no policy of the kind.
 */
export function metPolicies(view: PolicyView, path: Path): readonly EffectivePolicy<unknown>[] {
  const [first] = path;
  if (first === undefined) return [];
  const { effective } = view;
  if (targetIn(view, first) === first) return effective.along(path).slice(-1);
  const gateway = path.find(({ ref }) => ref.kind === Gateway.kind)?.object;
  const proxy = gateway && targetIn(view, gateway);
  if (proxy === undefined || !effective.kind.effectiveTargets.includes(Gateway)) return [];
  return effective.of(proxy.linksTo.find(({ ref }) => ref.kind === Pod.kind) ?? proxy);
}
