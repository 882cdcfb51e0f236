import { answerPolicy, type ShareAnswer } from '../src/lib/answers/policy-answer.ts';
import type { NodeId, PolicyId } from '../src/lib/data/report-data.ts';
import { type Child, count, h } from './dom.ts';
import { drawingView } from './drawing-view.ts';
import { fieldsTable } from './fields-table.ts';
import { someTargets } from './links.ts';
import { outcomeBadge } from './outcomes.ts';
import type { Page } from './page.ts';

/** Returns the answer for a policy: its outcome in each scope. */
export function policyView(page: Page, id: PolicyId): Child {
  const { report } = page;
  const { kind, name, outcome, message, targets } = report.policy(id);
  const shares = answerPolicy(report, id);
  return [
    h('h2', {}, h('span', { class: 'kind' }, kind), ' ', name),
    h('p', { class: 'verdict' }, outcomeBadge(outcome), ' ', message),
    targets.length === 0
      ? undefined
      : h('div', { class: 'facts' }, h('h3', {}, 'Attached to'), someTargets(report, targets)),
    shares.length === 0 ? undefined : h('h3', {}, 'Where it applies'),
    shares.slice(0, most).map((share, index) => shareView(page, id, share, index === 0)),
    shares.length > most
      ? h('p', { class: 'quiet' }, `${count(shares.length - most, 'other combination')} of policies.`)
      : undefined,
    drawn(page, targets),
  ];
}

const most = 12;

function shareView({ report }: Page, policy: PolicyId, share: ShareAnswer, isOpen: boolean): HTMLElement {
  const { view, group, outcome, issues, targets } = share;
  return h(
    'details',
    { class: 'card', open: isOpen },
    h('summary', {}, outcomeBadge(outcome), ` at ${count(targets.length, 'target')}`),
    someTargets(report, targets),
    issues.map((issue) => h('p', { class: 'issue' }, issue)),
    fieldsTable(report, view, group, policy),
  );
}

function drawn(page: Page, targets: readonly NodeId[]): Child {
  const [focus] = targets;
  return focus === undefined || targets.length > 4 ? undefined : drawingView(page, { around: targets, focus });
}
