import type { Card } from '../src/lib/answers/cards.ts';
import type { Report } from '../src/lib/data/report.ts';
import { type Child, count, h, joined } from './dom.ts';
import { fieldsTable } from './fields-table.ts';
import { targetLink } from './links.ts';

/** Returns a card: the policies that apply at a target, and the ways to it. */
export function cardView(report: Report, { view, group, ways, more }: Card): HTMLElement {
  const shown = ways.map((way) =>
    joined(
      way.map((id) => targetLink(report, id)),
      ' › ',
    ),
  );
  const rest = more > 0n ? [count(more, 'more way')] : [];
  const listed: Child =
    shown.length === 0
      ? undefined
      : h(
          'ul',
          { class: 'ways' },
          [...shown, ...rest].map((way, index) =>
            h('li', {}, h('span', { class: 'quiet' }, index === 0 ? 'through ' : 'and '), way),
          ),
        );
  const applies =
    group === -1 ? h('p', { class: 'quiet' }, 'No policy of this kind applies.') : fieldsTable(report, view, group);
  return h('div', { class: 'card' }, listed, applies);
}
