import { unmergedAt } from '../src/lib/answers/unmerged.ts';
import type { NodeId } from '../src/lib/data/report-data.ts';
import { type Child, count, h } from './dom.ts';
import { policyLink, targetLink } from './links.ts';
import type { Page } from './page.ts';

/** How many policies are listed at most. */
const most = 20;

/** Returns the policies at some targets if the merging of their kind is not known; nothing without such policies. */
export function unmergedView({ report }: Page, nodes: Iterable<NodeId>): Child {
  const unmergedPolicies = unmergedAt(report, nodes);
  if (unmergedPolicies.length === 0) return undefined;
  const items = unmergedPolicies
    .slice(0, most)
    .map(({ policy, node }) => h('li', {}, policyLink(report, policy, true), ' on ', targetLink(report, node)));
  return h(
    'section',
    { class: 'answer-kind' },
    h('h3', {}, 'Not merged'),
    h(
      'p',
      { class: 'quiet' },
      'These policies count as well, but how policies of their kinds are merged is not known.',
    ),
    h('ul', { class: 'rows' }, items),
    unmergedPolicies.length > most
      ? h('p', { class: 'quiet' }, count(unmergedPolicies.length - most, 'other'))
      : undefined,
  );
}
