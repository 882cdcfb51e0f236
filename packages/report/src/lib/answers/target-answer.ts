import type { Report, ReportNode } from '../data/report.ts';
import type { NodeId } from '../data/report-data.ts';
import { type Card, cardsFor } from './cards.ts';
import { descendants } from './descendants.ts';
import type { OnTheWay } from './on-the-way.ts';

/** The effective policies at a target or below it, for one policy kind. */
export interface KindAnswer {
  readonly view: number;
  /** The effective policies at the target itself. */
  readonly cards: readonly Card[];
  /** The effective policies at its sections, each with its own cards. */
  readonly sections: readonly { readonly node: NodeId; readonly cards: readonly Card[] }[];
  /** The effective policies below the target, by group. */
  readonly below: readonly Below[];
}

/** Something that applies below a target. */
export interface Below {
  readonly group: number;
  readonly count: number;
  /** The targets that have these contexts. */
  readonly targets: readonly NodeId[];
}

/** Returns the effective policies at a target, for each policy kind with one. */
export function answerTarget(report: Report, node: ReportNode, way: OnTheWay): readonly KindAnswer[] {
  return report.data.views.flatMap((_, view): readonly KindAnswer[] => {
    const cards = cardsFor(report, view, report.contextsOf(view, node.id));
    const sections = node.sections.flatMap((section) => {
      const sectionCards = cardsFor(report, view, report.contextsOf(view, section));
      return sectionCards.length === 0 ? [] : [{ node: section, cards: sectionCards }];
    });
    const below = cards.length + sections.length > 0 ? [] : answerBelow(report, view, node, way);
    return cards.length + sections.length + below.length === 0 ? [] : [{ view, cards, sections, below }];
  });
}

function answerBelow(report: Report, view: number, node: ReportNode, way: OnTheWay): readonly Below[] {
  const counts = report.belowOf(view, node.id);
  return counts.size === 0 ? belowRules(report, view, node, way) : belowOthers(report, view, node, counts);
}

/** Returns the effective policies below routes or rules, as their requests meet them. */
function belowRules(report: Report, view: number, node: ReportNode, way: OnTheWay): readonly Below[] {
  const targets = new Map<number, Set<NodeId>>();
  for (const rule of node.object === node.id ? node.sections : [node.id]) {
    for (const [target, contexts] of way.of(view, rule)) {
      if (report.node(target).object === node.object) continue;
      for (const [group] of contexts) {
        const groupTargets = targets.get(group);
        if (groupTargets === undefined) targets.set(group, new Set([target]));
        else groupTargets.add(target);
      }
    }
  }
  targets.delete(-1);
  return sorted(Array.from(targets, ([group, some]) => ({ group, count: some.size, targets: [...some] })));
}

function belowOthers(
  report: Report,
  view: number,
  node: ReportNode,
  counts: ReadonlyMap<number, number>,
): readonly Below[] {
  const targets = new Map<number, NodeId[]>();
  for (const id of descendants(report, [node.id])) {
    for (const [group] of report.contextsOf(view, id)) {
      if (!counts.has(group)) continue;
      const groupTargets = targets.get(group);
      if (groupTargets === undefined) targets.set(group, [id]);
      else if (groupTargets.at(-1) !== id) groupTargets.push(id);
    }
  }
  return sorted(Array.from(counts, ([group, count]) => ({ group, count, targets: targets.get(group) ?? [] })));
}

function sorted(below: Below[]): readonly Below[] {
  return below.sort((a, b) => b.count - a.count || a.group - b.group);
}
