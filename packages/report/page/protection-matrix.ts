import { type AlikeRoutes, groupings, type RouteGroup, type ShadeCounts } from '../src/lib/answers/protection.ts';
import { button, type Child, count, grouped, h } from './dom.ts';
import { scrolling } from './fields-table.ts';
import { targetLink } from './links.ts';
import type { Page } from './page.ts';
import { bar, signOf, worstOf } from './shades.ts';

/** How many groups, and how many rows of a group, appear at once. */
const rowsAtOnce = 12;

/** Returns the matrix of routes and concerns, by namespace, hostname or Gateway, with a filter. Equal routes are one row. */
export function protectionMatrix(page: Page, concern: number): HTMLElement {
  const { chosen } = page;
  const holder = h('div', {});
  const draw = (): void => holder.replaceChildren(matrix(page, concern, draw));
  const options = groupings.map((name) => h('option', { value: name, selected: name === chosen.groupedBy }, name));
  const by = h('select', { id: 'grouped-by' }, options);
  by.addEventListener('change', () => {
    chosen.groupedBy = groupings.find((name) => name === by.value) ?? 'Namespace';
    draw();
  });
  const filter = h('input', { id: 'protection-filter', type: 'search', placeholder: 'Route, hostname, namespace' });
  filter.value = chosen.wanted;
  filter.addEventListener('input', () => {
    chosen.wanted = filter.value;
    draw();
  });
  draw();
  const tools = [
    h('label', { for: 'grouped-by' }, 'By'),
    by,
    h('label', { for: 'protection-filter' }, 'Filter'),
    filter,
  ];
  return h('div', {}, h('h3', {}, 'Routes'), h('p', { class: 'tools' }, tools), holder);
}

function matrix(page: Page, concern: number, draw: () => void): HTMLElement {
  const { protection, chosen } = page;
  const groups = protection.groups(chosen.groupedBy, concern, chosen.wanted);
  if (groups.length === 0) return h('p', { class: 'quiet' }, `Nothing is named “${chosen.wanted.trim()}”.`);
  const [first] = groups;
  const isOpen = ({ name }: RouteGroup): boolean =>
    chosen.groups.get(`${chosen.groupedBy} ${name}`) ??
    (name === first?.name && (groups.length === 1 || hasHoles(page, first, concern)));
  const key = `groups ${chosen.groupedBy} ${chosen.wanted}`;
  const some = chosen.long.has(key) ? groups : groups.slice(0, rowsAtOnce);
  const bodies = some.map((group) => {
    const toggle = (): void => {
      chosen.groups.set(`${chosen.groupedBy} ${group.name}`, !isOpen(group));
      draw();
    };
    return groupBody(page, concern, group, isOpen(group), toggle);
  });
  const heads = protection.concerns.map(({ title, isRequired }, index) =>
    h(
      'th',
      { scope: 'col', class: index === concern ? 'sel' : undefined },
      named(title),
      isRequired ? h('span', { title: 'required' }, ' *') : undefined,
    ),
  );
  const head = h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, chosen.groupedBy), heads));
  const more = button(
    { class: 'more' },
    () => {
      chosen.long.add(key);
      draw();
    },
    `Show ${count(groups.length - some.length, 'more group')}`,
  );
  more.hidden = some.length === groups.length;
  const table = h('table', { class: 'matrix' }, head, bodies);
  table.style.setProperty('--columns', String(heads.length));
  return h('div', {}, scrolling(table), more);
}

function hasHoles({ protection }: Page, { routes }: RouteGroup, concern: number): boolean {
  const { uncovered, weak, unknown } = protection.counts(routes, concern);
  return uncovered + weak + unknown > 0;
}

/** Returns a name that begins a line: `Rate limit`. */
export function named(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function groupBody(page: Page, concern: number, group: RouteGroup, isOpen: boolean, toggle: () => void): HTMLElement {
  const { protection } = page;
  const cells = protection.concerns.map(({ title }, index) => {
    const counts = protection.counts(group.routes, index);
    return h(
      'td',
      { class: index === concern ? 'sel' : undefined, 'data-name': named(title) },
      h('div', { class: 'counted' }, bar(counts), countOf(counts)),
    );
  });
  const name = group.name === '' ? '–' : group.name;
  const toggler = button(
    { class: 'toggle', 'aria-expanded': isOpen ? 'true' : 'false' },
    toggle,
    h('span', { class: 'caret', 'aria-hidden': 'true' }, '▸'),
    h('b', { class: 'name' }, name),
    h('small', {}, count(group.routes.length, 'route')),
  );
  const row = h('tr', { class: 'group' }, h('th', { scope: 'rowgroup' }, toggler), cells);
  if (!isOpen) return h('tbody', {}, row);
  const alike = protection.alike(group.routes, concern);
  const shown = alike.slice(0, rowsAtOnce).map((same) => alikeRow(page, concern, same));
  const rest = alike.slice(rowsAtOnce).reduce((sum, { routes }) => sum + routes.length, 0);
  const last = h(
    'tr',
    { class: 'rest' },
    h('td', { colspan: 1 + cells.length }, `and ${count(rest, 'other route')}; filter to see them`),
  );
  return h('tbody', {}, row, shown, rest > 0 ? last : undefined);
}

function countOf(counts: ShadeCounts): Child {
  const { shade, text } = worstOf(counts);
  return h('span', { class: `number ${shade}` }, text);
}

function alikeRow(page: Page, concern: number, { routes, cells, gateways }: AlikeRoutes): HTMLElement {
  const { report, protection } = page;
  const [first] = routes;
  if (first === undefined) return h('tr', {});
  const others = routes.slice(1);
  const list = h('div', { class: 'others', hidden: true });
  const more = button(
    { class: 'more', 'aria-expanded': 'false' },
    () => {
      if (list.childElementCount === 0)
        list.append(...others.slice(0, 200).map(({ id }) => targetLink(report, id, report.node(id).name)));
      list.hidden = !list.hidden;
      more.setAttribute('aria-expanded', String(!list.hidden));
    },
    `and ${grouped(others.length)} alike`,
  );
  more.hidden = others.length === 0;
  const where = gateways.map((id) => report.node(id).name).join(', ');
  const pills = cells.map((cell, index) => {
    const { shade, source, reason } = protection.cells[cell] ?? { shade: 'absent', source: 'none', reason: 'none' };
    const pill = h(
      'span',
      { class: `pill ${shade}`, title: reason },
      h('span', { class: 'sign' }, signOf(shade)),
      h('span', { class: 'source' }, source),
    );
    return h(
      'td',
      { class: index === concern ? 'sel' : undefined, 'data-name': named(protection.concerns[index]?.title ?? '') },
      pill,
    );
  });
  const head = h(
    'th',
    { scope: 'row' },
    targetLink(report, first.id, report.node(first.id).name),
    ' ',
    more,
    h('small', {}, `Gateway ${where}`),
    list,
  );
  return h('tr', { class: 'alike' }, head, pills);
}
