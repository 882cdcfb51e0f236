import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import { statusQueries } from '@policy-machinery/effective-policy/inner';
import type { Attachment, TargetNode, TopologyDelta } from '@policy-machinery/topology';
import { isEquivalent } from '../equivalent.ts';
import { type PolicyReport, reportPolicies } from '../report/policy-report.ts';
import { type ChangedContext, changedContexts } from './changed-contexts.ts';
import type { Compared } from './compared.ts';

/** The report of a policy before and after a change. */
export interface OutcomeChange {
  /** Locator of the policy. */
  readonly policy: string;
  readonly before: PolicyReport | undefined;
  readonly after: PolicyReport | undefined;
}

/** The impact of a change on the policies of one kind. */
export interface ImpactOnKind {
  readonly before: EffectivePolicies<unknown>;
  readonly after: EffectivePolicies<unknown>;
  readonly contexts: readonly ChangedContext[];
  /** Locators of the policies with reports that may differ. */
  readonly policies: ReadonlySet<string>;
}

/** Compares the policies of one kind before and after a change. */
export function impactOnKind({ before, after, touched }: Compared, changed: readonly string[]): ImpactOnKind {
  const contexts = changedContexts(before, after, touched?.targets);
  const others = touched?.policies ?? [...policiesMeeting(contexts), ...unsettled(before), ...unsettled(after)];
  return { before, after, contexts, policies: new Set([...changed, ...others]) };
}

/** Returns the locators of what a change adds, removes or changes. */
export function changedIn({ added, removed, changed }: TopologyDelta): readonly string[] {
  return [...added, ...removed, ...changed];
}

function policiesMeeting(contexts: readonly ChangedContext[]): readonly string[] {
  return contexts.flatMap(({ before, after }) =>
    [before, after].flatMap((it) => it?.levels.flatMap(({ policies }) => policies.map(({ locator }) => locator)) ?? []),
  );
}

/** Returns the policies with reports that depend on more than their scopes. */
function unsettled(view: EffectivePolicies<unknown>): readonly string[] {
  if (statusQueries(view).leftOut.length > 0 || view.kind.manages !== undefined)
    return view.policies.map(({ node }) => node.locator);
  const reaching = new Map<TargetNode, Set<string>>();
  for (const { levels } of view) {
    for (const { target, policies } of levels) {
      const reachedBy = reaching.get(target) ?? new Set();
      reaching.set(target, reachedBy);
      for (const { locator } of policies) reachedBy.add(locator);
    }
  }
  return view.policies.flatMap(({ node: { locator, attachments }, policy, verdicts }) => {
    const isSettled = ({ target }: Attachment) => target !== undefined && reaching.get(target)?.has(locator) === true;
    const isRead = policy !== undefined && verdicts.length === 0;
    return isRead && attachments.length > 0 && attachments.every(isSettled) ? [] : [locator];
  });
}

export function outcomeChanges({ before, after, policies }: ImpactOnKind): readonly OutcomeChange[] {
  const reports = (view: EffectivePolicies<unknown>) =>
    new Map(reportPolicies(view, { policies }).map((report) => [report.policy.locator, report]));
  const [old, young] = [reports(before), reports(after)];
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((policy) => {
    const change = { policy, before: old.get(policy), after: young.get(policy) };
    return isEquivalent(saidIn(change.before), saidIn(change.after)) ? [] : [change];
  });
}

function saidIn(report: PolicyReport | undefined): unknown {
  return report === undefined ? undefined : [report.outcome, report.message, report.reason, report.ancestors];
}
