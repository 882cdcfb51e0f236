import type { Report } from '../data/report.ts';
import type { NodeId, PolicyId } from '../data/report-data.ts';

/** The outcome of a policy in scopes where the same applies. */
export interface ShareAnswer {
  readonly view: number;
  readonly group: number;
  readonly outcome: string;
  /** The parts of the policy that could not be carried out. */
  readonly issues: readonly string[];
  readonly targets: readonly NodeId[];
}

/** Returns where a policy has effect, and its outcome there. O(contexts of its kind). */
export function answerPolicy(report: Report, policy: PolicyId): readonly ShareAnswer[] {
  return report.data.views.flatMap(({ groups, shares }, view) => {
    const sharesByGroup = new Map<
      number,
      { readonly outcome: string; readonly issues: readonly string[]; readonly targets: NodeId[] }
    >();
    for (const [group, [, ofGroup]] of groups.entries()) {
      const share = ofGroup.map((place) => shares[place]).find((it) => it?.[0] === policy);
      if (share === undefined) continue;
      const [, outcome, ...issues] = share;
      sharesByGroup.set(group, {
        outcome: report.text(outcome),
        issues: issues.map((it) => report.text(it)),
        targets: [],
      });
    }
    if (sharesByGroup.size > 0) {
      for (const target of report.targetsOf(view)) {
        for (const [group] of report.contextsOf(view, target)) sharesByGroup.get(group)?.targets.push(target);
      }
    }
    // A group without targets is from before a change.
    return Array.from(sharesByGroup, ([group, rest]): ShareAnswer => ({ view, group, ...rest })).filter(
      ({ targets }) => targets.length > 0,
    );
  });
}
