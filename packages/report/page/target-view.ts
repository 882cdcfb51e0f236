import type { Card } from '../src/lib/answers/cards.ts';
import { ancestors } from '../src/lib/answers/descendants.ts';
import { answerTarget, type Below, type KindAnswer } from '../src/lib/answers/target-answer.ts';
import type { NodeId } from '../src/lib/data/report-data.ts';
import { cardView } from './card-view.ts';
import { type Child, count, h, joined } from './dom.ts';
import { aroundView } from './drawing-view.ts';
import { fieldsTable } from './fields-table.ts';
import { issuesAbout } from './issues-about.ts';
import { policyLink, someTargets, targetLink } from './links.ts';
import { asFarAsDecided } from './outcomes.ts';
import type { Page } from './page.ts';
import { unmergedView } from './unmerged-view.ts';

/** Returns the answer for a target: the policies that apply there, and the attached policies. */
export function targetView(page: Page, id: NodeId): Child {
  const { report } = page;
  const node = report.node(id);
  const answers = answerTarget(report, node, page.onTheWay);
  const unmerged = unmergedView(page, ancestors(report, [id, ...node.sections]));
  const isNone = answers.length === 0 && unmerged === undefined;
  const applied = isNone
    ? h('p', {}, `No policy applies here or below${asFarAsDecided(report)}.`)
    : answers.map((answer) => kindView(page, answer));
  return [
    h('h2', {}, h('span', { class: 'kind' }, node.kind), ' ', node.label.slice(node.kind.length + 1)),
    attached(page, [id, ...node.sections]),
    issuesAbout(page, (about) => about === id || about === node.object),
    applied,
    unmerged,
    aroundView(page, id),
  ];
}

/** Returns the policies that are attached to a target and its sections. */
function attached({ report }: Page, ids: readonly NodeId[]): Child {
  const rows = ids.flatMap((id) => report.node(id).policies.map((policy) => ({ id, policy })));
  if (rows.length === 0) return h('p', { class: 'quiet' }, `No policy is attached to it${asFarAsDecided(report)}.`);
  const items = rows.map(({ id, policy }, index) => [
    policyLink(report, policy, true),
    index === 0 && id === ids[0] ? undefined : id === ids[0] ? undefined : [' to ', targetLink(report, id)],
  ]);
  return h(
    'p',
    {},
    'Attached: ',
    joined(items.slice(0, 12), ', '),
    items.length > 12 ? `, and ${items.length - 12} more` : undefined,
  );
}

function kindView(page: Page, { view, cards, sections, below }: KindAnswer): HTMLElement {
  const { report } = page;
  return h(
    'section',
    { class: 'answer-kind' },
    h('h3', {}, page.kindOf(view)),
    cards.map((card) => cardView(report, card)),
    alike(sections).map(({ nodes, cards: sectionCards }) => [
      h(
        'h4',
        {},
        joined(
          nodes.map((id) => targetLink(report, id, `#${report.node(id).name}`)),
          ', ',
        ),
      ),
      sectionCards.map((card) => cardView(report, card)),
    ]),
    below.slice(0, mostBelow).map((it, index) => belowView(page, view, it, index === 0)),
    below.length > mostBelow
      ? h(
          'p',
          { class: 'quiet more-below' },
          `${count(below.length - mostBelow, 'other combination')} of policies below.`,
        )
      : undefined,
  );
}

const mostBelow = 8;

interface Section {
  readonly nodes: readonly NodeId[];
  readonly cards: readonly Card[];
}

/** Groups the sections where the same applies, on the same ways. */
function alike(sections: KindAnswer['sections']): readonly Section[] {
  const byCards = new Map<string, { readonly nodes: NodeId[]; readonly cards: readonly Card[] }>();
  for (const { node, cards } of sections) {
    const key = cards.map(({ group, ways, more }) => `${group} ${ways.join(';')} ${more}`).join('\n');
    const alikeSections = byCards.get(key);
    if (alikeSections === undefined) byCards.set(key, { nodes: [node], cards });
    else alikeSections.nodes.push(node);
  }
  return [...byCards.values()];
}

/** Returns the effective policies below a target, with the policies that set something. The table is created when it is opened. */
function belowView(
  { report }: Page,
  view: number,
  { group, count: some, targets }: Below,
  isOpen: boolean,
): HTMLElement {
  const data = report.data.views[view];
  const [fields = []] = data?.groups[group] ?? [];
  const layers = fields.flatMap((place) => data?.fields[place]?.[2] ?? []);
  const setters = new Set(layers.map((layer) => data?.layers[layer]?.[0] ?? -1));
  const names = [...setters].filter((id) => id >= 0).map((id) => report.policy(id).name);
  const shown = names.length === 0 ? 'nothing is set' : names.slice(0, 4).join(', ') + (names.length > 4 ? ' …' : '');
  const summary = h('summary', {}, `At ${count(some, 'target')} below `, h('span', { class: 'how' }, shown));
  const details = h(
    'details',
    { class: 'card', open: isOpen, 'data-group': group },
    summary,
    someTargets(report, targets),
  );
  details.addEventListener('toggle', () => details.append(fieldsTable(report, view, group)), { once: true });
  return details;
}
