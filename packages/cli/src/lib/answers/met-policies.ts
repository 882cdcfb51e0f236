import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import type { Path } from '@policy-machinery/topology';
import { targetIn } from '../input/topologies.ts';
import type { PolicyView } from '../model/world.ts';

/**
 * Returns the effective policies that a request meets on its path: the effective policies of the most specific target, which include the
 * policies above. Of the policies of a mesh, a request meets the policies of the Gateway that it comes through.
 *
 * @param path The path, in the topology of Gateway API.
 * @returns The effective policies; none if the path meets no policy of the kind.
 */
export function metPolicies(view: PolicyView, path: Path): readonly EffectivePolicy<unknown>[] {
  const [first] = path;
  if (first === undefined) return [];
  if (targetIn(view, first) === first) return view.effective.along(path).slice(-1);
  const gateway = path.find(({ ref }) => ref.kind === 'Gateway')?.object;
  const proxy = gateway && targetIn(view, gateway);
  return proxy === undefined ? [] : view.effective.of(proxy);
}
