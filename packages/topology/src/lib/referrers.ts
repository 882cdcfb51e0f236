import { hasPartOf } from './sorted.ts';
import type { Target, WholeTarget } from './target.ts';
import type { BrokenLoops } from './world.ts';

/** Those whose references lead to a resource or to sections of it, and that so depend on it. Some come several times. */
export function* referrersTo(object: WholeTarget, { dropped }: Pick<BrokenLoops, 'dropped'>): Iterable<Target> {
  for (const node of [object, ...object.sections]) {
    for (const above of node.linksFrom) if (hasPartOf(above.beneath, object)) yield above;
    for (const beneath of node.linksTo) {
      if (hasPartOf(beneath.above, object)) yield beneath;
      for (const section of beneath.sections) if (hasPartOf(section.above, object)) yield section; // Its link is covered.
    }
  }
  for (const [above, targets] of dropped) {
    for (const beneath of targets) {
      if (hasPartOf(above.beneath, object)) yield above;
      if (hasPartOf(beneath.above, object)) yield beneath;
    }
  }
}
