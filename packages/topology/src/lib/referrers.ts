import type { Target, WholeTarget } from './target.ts';
import type { BrokenLoops } from './world.ts';

/** Those whose references lead to a resource or to sections of it, and that so depend on it. Some come several times. */
export function* referrersTo(object: WholeTarget, { dropped }: Pick<BrokenLoops, 'dropped'>): Iterable<Target> {
  for (const node of [object, ...object.sections]) {
    for (const above of node.linksFrom) if (leadsTo(above.beneath, object)) yield above;
    for (const beneath of node.linksTo) {
      if (leadsTo(beneath.above, object)) yield beneath;
      for (const section of beneath.sections) if (leadsTo(section.above, object)) yield section; // Its link is covered.
    }
  }
  for (const [above, targets] of dropped) {
    for (const beneath of targets) {
      if (leadsTo(above.beneath, object)) yield above;
      if (leadsTo(beneath.above, object)) yield beneath;
    }
  }
}

/** Whether references with these ends lead to a resource or a section of it. */
export function leadsTo(ends: readonly Target[], object: WholeTarget): boolean {
  for (const end of ends) if (end.object === object) return true;
  return false;
}
