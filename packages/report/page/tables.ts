import { listedPolicies } from '../src/lib/answers/listed-policies.ts';
import type { Report, ReportPolicy } from '../src/lib/data/report.ts';
import { button, type Child, count, h, joined } from './dom.ts';
import { scrolling } from './fields-table.ts';
import { policyLink, targetLink } from './links.ts';
import { outcomeBadge } from './outcomes.ts';
import type { Chosen, Page } from './page.ts';

/** How many rows appear at once. */
const rowsAtOnce = 20;

/** Returns the section with everything that is wrong. */
export function issuesSection({ report, chosen }: Page): HTMLElement {
  const { issues } = report.data;
  const rows = issues.map(([severity, message, where, policy, node]) => () => {
    const about = policy >= 0 ? policyLink(report, policy, true) : node >= 0 ? targetLink(report, node) : undefined;
    const level = report.text(severity);
    return h(
      'tr',
      {},
      h('td', {}, h('span', { class: `outcome ${level === 'error' ? 'bad' : 'part'}` }, level)),
      h('td', {}, report.text(message)),
      h(
        'td',
        { class: 'where' },
        about,
        about === undefined ? undefined : h('br'),
        h('span', { class: 'how' }, report.text(where)),
      ),
    );
  });
  const body =
    rows.length === 0
      ? h('p', { class: 'quiet' }, 'Nothing is wrong.')
      : longTable(['', 'What', 'Where'], rows, chosen, 'issues');
  return h(
    'section',
    { id: 'issues' },
    h('h2', {}, 'What is wrong', h('span', { class: 'count' }, String(rows.length))),
    body,
  );
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
        ? h('p', { class: 'quiet' }, 'None: all policies are enforced.')
        : longTable(['Policy', 'Outcome', 'Why', 'Attached to'], rows, chosen, `policies ${index}`),
    );
    for (const [at, chip] of chips.entries()) chip.setAttribute('aria-pressed', String(at === index));
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
    h('td', { class: 'why' }, message),
    h('td', { class: 'where' }, where),
  );
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

/** Returns one line that counts what is on the page. */
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
