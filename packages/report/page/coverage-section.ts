import { shades } from '../src/lib/answers/protection.ts';
import type { CauseRow } from '../src/lib/data/report-data.ts';
import { button, type Child, grouped, h } from './dom.ts';
import { someTargets } from './links.ts';
import type { Page } from './page.ts';
import { named, protectionMatrix } from './protection-matrix.ts';
import { protectionVerdict } from './protection-verdict.ts';
import { bar, chosenConcern, signOf } from './shades.ts';

/** The event of choosing another concern: colored parts are drawn again. */
export const concernEvent = 'concern';

/** How many concerns are beside each other at most. */
const mostInRow = 8;

/** Returns the section that answers whether everything is protected; hidden if that is not known. */
export function coverageSection(page: Page): HTMLElement {
  const { protection } = page;
  if (protection.routes.length === 0) return h('section', { id: 'coverage', hidden: true });
  const concern = chosenConcern(page);
  const tiles = protection.concerns.map((_, index) => tile(page, index, index === concern));
  const choice = h('div', { class: 'tiles', role: 'group', 'aria-label': 'Concerns' }, tiles);
  choice.style.setProperty('--columns', String(Math.ceil(tiles.length / Math.ceil(tiles.length / mostInRow))));
  return h(
    'section',
    { id: 'coverage' },
    choice,
    protectionVerdict(page, concern),
    causesList(page, protection.concerns[concern]?.causes ?? []),
    protectionMatrix(page, concern),
  );
}

function tile(page: Page, concern: number, isChosen: boolean): HTMLElement {
  const { protection, chosen } = page;
  const { title = '', isRequired = false } = protection.concerns[concern] ?? {};
  const counts = protection.counts(protection.routes, concern);
  const { uncovered, weak, unknown, absent } = counts;
  const some = (shade: 'uncovered' | 'weak' | 'unknown', what: string): readonly Child[] => [
    h('b', { class: `amount ${shade}` }, `${signOf(shade)} ${grouped(counts[shade])}`),
    ` ${what}`,
  ];
  const value =
    uncovered > 0
      ? some('uncovered', 'without')
      : weak > 0
        ? some('weak', 'in part')
        : unknown > 0
          ? some('unknown', 'not known')
          : absent > 0
            ? [`${grouped(absent)} without`]
            : [h('b', { class: 'amount' }, '✓'), ' everywhere'];
  return button(
    { id: `concern-${concern}`, class: 'tile', 'aria-pressed': isChosen ? 'true' : 'false' },
    () => {
      chosen.concern = concern;
      dispatchEvent(new Event(concernEvent));
    },
    h(
      'span',
      { class: 'title' },
      h('span', { class: 'concern' }, named(title)),
      isRequired ? h('small', {}, 'required') : undefined,
    ),
    h('span', { class: 'value' }, value),
    bar(counts),
  );
}

/** Returns why routes are not protected, with the remedy. */
function causesList({ report }: Page, causes: readonly CauseRow[]): Child {
  if (causes.length === 0) return undefined;
  const items = causes.map(([status, cause, remedy, ...routes]) => {
    const shade = shades.find((each) => each === report.text(status)) ?? 'unknown';
    return h(
      'details',
      { class: 'cause' },
      h(
        'summary',
        {},
        h('span', { class: `number ${shade}` }, `${signOf(shade)} ${grouped(routes.length)}`),
        h('span', { class: 'what' }, report.text(cause)),
        h('span', { class: 'remedy' }, report.text(remedy)),
      ),
      someTargets(report, routes, 24),
    );
  });
  return h('div', {}, h('h3', {}, 'What to repair'), h('div', { class: 'causes' }, items));
}
