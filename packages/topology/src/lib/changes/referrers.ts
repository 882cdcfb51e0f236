import type { BrokenCycles } from '../cycles/break-cycles.ts';
import type { Lookup } from '../references/lookup.ts';
import { type Selections, termsOf } from '../references/selections.ts';
import { hasPartOf } from '../targets/sorted.ts';
import { Target, type WholeTarget } from '../targets/target.ts';
import type { Contest } from './contest.ts';

/** The links of a topology that do not count: dropped because of cycles, or refused in contests. */
interface RefusedLinks {
  readonly cycles: BrokenCycles;
  readonly contests: ReadonlyMap<Target, Contest>;
}

/** Returns the targets with references to a resource or its sections, which depend on the resource; some of them several times. */
export function* referrersTo(object: WholeTarget, { cycles: { dropped }, contests }: RefusedLinks): Iterable<Target> {
  for (const node of [object, ...object.sections]) {
    for (const above of node.linksFrom) if (hasPartOf(above.below, object)) yield above;
    for (const below of node.linksTo) {
      if (hasPartOf(below.above, object)) yield below;
      for (const section of below.sections) if (hasPartOf(section.above, object)) yield section; // A link to the whole covers the link of the section.
    }
    if (contests.size > 0) yield* contests.get(node)?.refused.keys() ?? [];
  }
  for (const [above, targets] of dropped) {
    for (const below of targets) {
      if (hasPartOf(above.below, object)) yield above;
      if (hasPartOf(below.above, object)) yield below;
    }
  }
}

/** Returns the objects with references to a resource or its sections, by name or by selector, admitted or not. */
export function referrersOf(
  state: RefusedLinks & { readonly lookup: Lookup; readonly selections: Selections },
  object: WholeTarget,
): ReadonlySet<WholeTarget> {
  const { lookup, selections } = state;
  const referrers = new Set<WholeTarget>();
  for (const who of referrersTo(object, state)) referrers.add(who.object);
  const keys = selections.isUsed ? [object.locator, ...termsOf(object.resource)] : [object.locator];
  for (const key of keys) {
    for (const who of lookup.dependents(key)) if (who instanceof Target) referrers.add(who.object);
  }
  return referrers;
}
