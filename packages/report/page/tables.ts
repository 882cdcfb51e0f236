import { listedPolicies } from '../src/lib/answers/listed-policies.ts';
import { answerPolicy } from '../src/lib/answers/policy-answer.ts';
import type { Report, ReportPolicy } from '../src/lib/data/report.ts';
import type { IssueRow, PolicyId } from '../src/lib/data/report-data.ts';
import { button, type Child, count, grouped, h, joined } from './dom.ts';
import { scrolling } from './fields-table.ts';
import { policyLink, targetLink } from './links.ts';
import { outcomeBadge } from './outcomes.ts';
import type { Chosen, Page } from './page.ts';

/** How many rows appear at once. */
const rowsAtOnce = 20;

/** Returns the section with everything that is wrong. */
export function issuesSection({ report, chosen }: Page): HTMLElement {
  const { issues } = report.data;
  const rows = alikeIssues(issues).map((alike) => () => issueRow(report, alike));
  const body =
    rows.length === 0
      ? h('p', { class: 'quiet' }, 'Nothing is wrong.')
      : longTable(['', 'What', 'Where'], rows, chosen, 'issues');
  return h(
    'section',
    { id: 'issues' },
    h('h2', {}, 'What is wrong', h('span', { class: 'count' }, String(issues.length))),
    body,
  );
}

/** Returns the issues with the same message together, in the order of the first of each. */
function alikeIssues(issues: readonly IssueRow[]): readonly (readonly IssueRow[])[] {
  const byMessage = new Map<string, IssueRow[]>();
  for (const issue of issues) {
    const key = `${issue[0]} ${issue[1]}`;
    const alike = byMessage.get(key);
    if (alike === undefined) byMessage.set(key, [issue]);
    else alike.push(issue);
  }
  return [...byMessage.values()];
}

/** How many places of the same issue a row shows at once. */
const placesAtOnce = 3;

function issueRow(report: Report, alike: readonly IssueRow[]): HTMLTableRowElement {
  const [[severity, message, , , , explained] = [0, 0, 0, -1, -1] as const] = alike;
  const level = report.text(severity);
  const places = alike.map((issue) => () => issuePlace(report, issue));
  const where = h(
    'td',
    { class: 'where' },
    places.slice(0, placesAtOnce).map((place) => place()),
  );
  const rest = places.slice(placesAtOnce);
  const more = button(
    { class: 'more' },
    () => more.replaceWith(...rest.map((place) => place())),
    `and ${grouped(rest.length)} more`,
  );
  if (rest.length > 0) where.append(more);
  const times = alike.length > 1 ? [h('b', {}, countOf(report, alike)), ': '] : [];
  return h(
    'tr',
    {},
    h('td', {}, h('span', { class: `outcome ${level === 'error' ? 'bad' : 'part'}` }, level)),
    h('td', {}, times, report.text(message), explanation(report, explained)),
    where,
  );
}

/** Returns a link to the page about the code of an issue; nothing if there is none. */
function explanation(report: Report, page: number | undefined): Child {
  if (page === undefined) return undefined;
  return [' ', h('a', { href: report.text(page), rel: 'noreferrer', target: '_blank' }, 'What to do')];
}

/** Counts the subjects of issues: `11 HTTPRoutes`, or places if that is not the same. */
function countOf(report: Report, alike: readonly IssueRow[]): string {
  const kinds = new Set(
    alike.map(([, , , policy, node]) => {
      return policy >= 0 ? report.policy(policy).kind : node >= 0 ? report.node(node).kind : 'place';
    }),
  );
  const [kind = 'place'] = kinds;
  return count(alike.length, kinds.size === 1 ? kind : 'place');
}

function issuePlace(report: Report, [, , where, policy, node]: IssueRow): HTMLElement {
  const about = policy >= 0 ? policyLink(report, policy, true) : node >= 0 ? targetLink(report, node) : undefined;
  const place = h('span', { class: 'how' }, report.text(where));
  return h('div', {}, about, about === undefined ? undefined : h('br'), place);
}

/** Returns the section with all policies and their outcomes. It begins with those that are not fully in force. */
export function policiesSection({ report, chosen }: Page): HTMLElement {
  const filters: readonly (readonly [string, (policy: ReportPolicy) => boolean])[] = [
    ['Lost something', isNotFullyInForce],
    ['All', () => true],
  ];
  const policies = listedPolicies(report);
  const holder = h('div', {});
  const show = (index: number): void => {
    chosen.filter = index;
    const [, isShown = () => true] = filters[index] ?? [];
    const rows = policies.filter(isShown).map((policy) => () => policyRow(report, policy));
    holder.replaceChildren(
      rows.length === 0
        ? h(
            'p',
            { class: 'quiet' },
            policies.length === 0 ? 'There are no policies.' : 'None: all policies are enforced.',
          )
        : longTable(['Policy', 'Outcome', 'Why', 'Attached to'], rows, chosen, `policies ${index}`),
    );
    for (const [position, chip] of chips.entries()) chip.setAttribute('aria-pressed', String(position === index));
  };
  const chips = filters.map(([name, isShown], index) =>
    button(
      { class: 'chip' },
      () => show(index),
      name,
      h('span', { class: 'count' }, String(policies.filter(isShown).length)),
    ),
  );
  show(chosen.filter);
  return h('section', { id: 'policies' }, h('h2', {}, 'Policies'), h('p', { class: 'tools' }, chips), holder);
}

/** Returns whether a policy is known to lose something. How some kinds are merged is not known: then neither is that. */
function isNotFullyInForce({ outcome }: ReportPolicy): boolean {
  return outcome !== 'enforced' && outcome !== 'not-merged';
}

function policyRow(report: Report, { id, outcome, message, targets }: ReportPolicy): HTMLTableRowElement {
  const [first] = targets;
  const where: Child =
    first === undefined
      ? '–'
      : [targetLink(report, first), targets.length > 1 ? ` and ${targets.length - 1} more` : ''];
  return h(
    'tr',
    {},
    h('td', {}, policyLink(report, id, true)),
    h('td', {}, outcomeBadge(outcome)),
    h('td', { class: 'why' }, outcome === 'partly-enforced' ? partText(report, id, message) : message),
    h('td', { class: 'where' }, where),
  );
}

/** Sums up where a policy loses something, and the remedy. The answer about the policy has all reasons. */
function partText(report: Report, id: PolicyId, message: string): Child {
  const lost = answerPolicy(report, id).filter(({ outcome }) => outcome !== 'enforced');
  const places = new Set(lost.flatMap(({ targets }) => targets));
  if (places.size <= 1) return message;
  const objects = new Set(Array.from(places, (place) => report.node(place).object));
  const [first = 0] = objects;
  const { kind } = report.node(first);
  const what = /Route$/.test(kind)
    ? [count(places.size, 'rule'), count(objects.size, 'route')]
    : [count(places.size, 'place'), count(objects.size, kind)];
  const remedy = message.includes('mergeType is not set') ? '; set mergeType there to keep it' : '';
  return h('span', { title: message }, `Lost on ${what.join(' of ')}${remedy}.`);
}

/** Returns a table that shows its first rows, and a button for more. Once all are shown, all are shown when the data changes. */
function longTable(
  heads: readonly string[],
  rows: readonly (() => HTMLTableRowElement)[],
  { long }: Chosen,
  name: string,
): Child & HTMLElement {
  const body = h('tbody');
  const more = button({ class: 'more' }, () => {
    long.add(name);
    show(rows.length);
  });
  let shown = 0;
  const show = (to: number): void => {
    body.append(...rows.slice(shown, to).map((row) => row()));
    shown = Math.min(to, rows.length);
    more.hidden = shown === rows.length;
    more.textContent = `Show ${count(rows.length - shown, 'more row')}`;
  };
  show(long.has(name) ? rows.length : rowsAtOnce);
  const head = h(
    'thead',
    {},
    h(
      'tr',
      {},
      heads.map((name) => h('th', { scope: 'col' }, name)),
    ),
  );
  return h('div', {}, scrolling(h('table', {}, head, body)), more);
}

/** Returns one line that counts the contents of the page. */
export function summaryLine(report: Report): Child {
  const kinds = new Map<string, number>();
  for (const kind of report.objects.map((id) => report.kindOf(id))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const most = [...kinds].sort(([, a], [, b]) => b - a).slice(0, 4);
  const shown = most.map(([kind, some]) => count(some, kind));
  const listed = listedPolicies(report);
  const lost = listed.filter(isNotFullyInForce).length;
  const policies = `${count(listed.length, 'policy', 'policies')}${lost > 0 ? `, ${lost} not fully in force` : ''}`;
  return joined([...shown, policies], ' · ');
}
