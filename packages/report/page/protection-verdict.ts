import { type ProtectedRoute, type Shade, type ShadeCounts, shades } from '../src/lib/answers/protection.ts';
import { type Child, count, grouped, h, joined } from './dom.ts';
import { questionAddress } from './links.ts';
import type { Page } from './page.ts';
import { meaningOf, shadeLegend } from './shades.ts';

/** How many squares there are at most. With more routes, a square is several. */
const mostSquares = 1_500;

/** How many squares are large at most. */
const mostLarge = 100;

/** How many namespaces have their own squares at most. */
const mostBlocks = 48;

/** Returns the answer to the question whether everything is protected: a sentence, and a square for each route. */
export function protectionVerdict(page: Page, concern: number): HTMLElement {
  const { protection } = page;
  const counts = protection.counts(protection.routes, concern);
  return h(
    'div',
    { class: 'protection' },
    h('div', {}, headline(page, concern, counts), breakdown(page, concern, counts), shadeLegend(counts)),
    squares(page, concern),
  );
}

function headline({ protection: { routes, concerns } }: Page, concern: number, counts: ShadeCounts): HTMLElement {
  const { title = '' } = concerns[concern] ?? {};
  const total = routes.length;
  const { uncovered, absent, weak, unknown, accepted } = counts;
  const some = (number: number): Child => h('em', {}, count(number, 'route'));
  const of = total === uncovered + absent ? '' : ` of ${grouped(total)}`;
  const sentence = (tone: string, ...text: readonly Child[]) => h('h2', { class: tone }, text);
  const verb = (number: number) => (number === 1 ? 'takes' : 'take');
  if (uncovered > 0)
    return sentence('has-holes', some(uncovered), `${of} ${verb(uncovered)} requests without ${title}.`);
  if (absent > 0)
    return sentence('', some(absent), `${of} ${verb(absent)} requests without ${title}; none is required.`);
  const [open, what] = weak > 0 ? [weak, 'is not for every request'] : [unknown, 'is not known'];
  if (open > 0) return sentence('', some(open), ` of ${grouped(total)}: ${title} ${what}.`);
  if (accepted > 0)
    return sentence('is-covered', `All requests have ${title}, but for `, some(accepted), ' as accepted.');
  return sentence(
    'good',
    h('em', {}, total === 1 ? 'The route' : `All ${grouped(total)} routes`),
    ` ${total === 1 ? 'has' : 'have'} ${title}.`,
  );
}

/** Returns the numbers behind the headline. */
function breakdown({ protection }: Page, concern: number, counts: ShadeCounts): Child {
  const { lost, off, none } = protection.lacking(concern);
  const some = (number: number, text: string): readonly Child[] =>
    number === 0 ? [] : [[h('b', {}, grouped(number)), ` ${text}`]];
  const sentences: readonly (readonly Child[])[] = [
    [
      ...some(lost, lost === 1 ? 'loses it to another policy' : 'lose it to other policies'),
      ...some(off, off === 1 ? 'switches it off' : 'switch it off'),
      ...some(none, none === 1 ? 'does not set it' : 'do not set it'),
    ],
    [
      ...some(
        counts.weak,
        counts.weak === 1 ? 'lets some requests pass without it' : 'let some requests pass without it',
      ),
      ...some(counts.unknown, counts.unknown === 1 ? 'is not known' : 'are not known'),
      ...some(counts.accepted, counts.accepted === 1 ? 'is accepted without it' : 'are accepted without it'),
    ],
    [
      ...some(counts.inherited, counts.inherited === 1 ? 'inherits it' : 'inherit it'),
      ...some(counts.own, counts.own === 1 ? 'sets it itself' : 'set it themselves'),
      ...some(counts['not-needed'], counts['not-needed'] === 1 ? 'needs none' : 'need none'),
    ],
  ];
  const clauses = sentences.filter(({ length }) => length > 0).map((parts) => [joined(parts, ', '), '.']);
  return h('p', { class: 'quiet' }, joined(clauses, ' '));
}

/** How many squares of a group are drawn in columns; more of them are drawn in rows. */
const mostInColumns = 60;

function squares(page: Page, concern: number): HTMLElement {
  const { protection } = page;
  const unit = Math.ceil(protection.routes.length / mostSquares);
  const groups = protection.groups('Namespace', concern);
  const drawnGroups = groups.length > mostBlocks ? groups.slice(0, mostBlocks - 1) : groups;
  const rest = groups.slice(drawnGroups.length);
  const others = { name: `${grouped(rest.length)} more`, routes: rest.flatMap(({ routes }) => routes) };
  const blocks = [...drawnGroups, ...(rest.length > 0 ? [others] : [])].map(({ name, routes }) => {
    const drawn = squaresOf(page, concern, routes, unit);
    const grid = h('div', { class: drawn.length > mostInColumns ? 'grid long' : 'grid' }, drawn);
    return h('div', { class: 'block' }, grid, h('div', { class: 'label', title: name }, name === '' ? '–' : name));
  });
  const waffle = protection.routes.length <= mostLarge ? 'waffle few' : 'waffle';
  const note = unit === 1 ? undefined : h('p', { class: 'quiet' }, `A square is up to ${grouped(unit)} routes.`);
  return h('div', { 'aria-hidden': 'true' }, h('div', { class: waffle }, blocks), note);
}

function squaresOf(page: Page, concern: number, routes: readonly ProtectedRoute[], unit: number): readonly Child[] {
  const { protection, report } = page;
  const byShade = new Map<Shade, ProtectedRoute[]>(shades.map((shade) => [shade, []]));
  for (const route of routes) byShade.get(protection.cellOf(route, concern).shade)?.push(route);
  return [...byShade].flatMap(([shade, same]) =>
    Array.from({ length: Math.ceil(same.length / unit) }, (_, square) => {
      const [first] = same.slice(square * unit);
      if (first === undefined) return undefined;
      const some = Math.min(unit, same.length - square * unit);
      const { label } = report.node(first.id);
      const title =
        some === 1
          ? `${label}: ${protection.cellOf(first, concern).reason}`
          : `${count(some, 'route')}: ${meaningOf(shade)}`;
      return h('a', { class: `sq ${shade}`, href: questionAddress(label), title, tabindex: -1 });
    }),
  );
}
