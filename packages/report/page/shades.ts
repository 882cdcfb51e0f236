import { type Shade, type ShadeCounts, shades } from '../src/lib/answers/protection.ts';
import { type Child, grouped, h, s } from './dom.ts';
import type { Page } from './page.ts';

/** The sign of each shade, for readers who do not see colors, and its meaning. */
const shown: Readonly<Record<Shade, readonly [sign: string, meaning: string]>> = {
  uncovered: ['✕', 'missing'],
  weak: ['◐', 'not for every request'],
  unknown: ['?', 'not known'],
  accepted: ['∙', 'missing, accepted'],
  absent: ['○', 'none, not required'],
  inherited: ['↓', 'inherited'],
  own: ['✓', 'own'],
  'not-needed': ['–', 'not needed'],
};

export function signOf(shade: Shade): string {
  return shown[shade][0];
}

/** Returns the meaning of a shade: `inherited`. */
export function meaningOf(shade: Shade): string {
  return shown[shade][1];
}

/** The shades in the order of bars: protected shades first. */
const inBars: readonly Shade[] = [
  'own',
  'inherited',
  'not-needed',
  'absent',
  'accepted',
  'unknown',
  'weak',
  'uncovered',
];

/** Returns a bar with the share of each shade. */
export function bar(counts: ShadeCounts): HTMLElement {
  const parts = inBars.filter((shade) => counts[shade] > 0);
  const text = parts.map((shade) => `${grouped(counts[shade])} ${meaningOf(shade)}`).join(', ');
  const made = h('span', { class: 'bar', role: 'img', 'aria-label': text, title: text });
  for (const shade of parts) {
    const part = h('i', { class: `sq ${shade}` });
    part.style.flexGrow = String(counts[shade]);
    made.append(part);
  }
  return made;
}

/** Returns the meaning of each of the shades that occur. */
export function shadeLegend(counts: ShadeCounts): HTMLElement {
  const item = (shade: Shade): Child =>
    h('span', {}, h('i', { class: `sq ${shade}` }), h('span', { class: 'sign' }, signOf(shade)), meaningOf(shade));
  return h('p', { class: 'shade-legend' }, inBars.filter((shade) => counts[shade] > 0).map(item));
}

/** Returns the sign of the worst shade, with how many routes have it if not all have. */
export function worstOf(counts: ShadeCounts): { readonly shade: Shade; readonly text: string } {
  const total = shades.reduce((sum, shade) => sum + counts[shade], 0);
  const shade = shades.find((each) => counts[each] > 0) ?? 'absent';
  const number = counts[shade];
  const isFine = shade === 'inherited' || shade === 'own' || shade === 'not-needed';
  if (isFine || total === 1) return { shade, text: isFine ? '✓' : signOf(shade) };
  return { shade, text: `${signOf(shade)} ${number === total ? 'all' : grouped(number)}` };
}

export function chosenConcern({ protection, chosen }: Page): number {
  return Math.min(chosen.concern, protection.concerns.length - 1);
}

/**
 * Returns a stripe at the edge of a card that shows whether its routes are protected, with the sign of the worst shade; nothing without routes.
 *
 * @param ids The objects of the card.
 */
export function stripe(
  page: Page,
  ids: readonly number[],
  { width, height }: Readonly<Record<'width' | 'height', number>>,
): Child {
  const { protection } = page;
  const routes = [...new Set(ids.flatMap((id) => protection.routesAt(id)))];
  if (routes.length === 0) return undefined;
  const counts = protection.counts(routes, chosenConcern(page));
  const { shade, text } = worstOf(counts);
  let y = 8;
  const parts = inBars
    .filter((each) => counts[each] > 0)
    .map((each) => {
      const part = Math.max(3, (counts[each] / routes.length) * (height - 28));
      y += part;
      return s('rect', { x: 0, y: y - part, width: 5, height: part, class: `stripe ${each}` });
    });
  const title = `${protection.concerns[chosenConcern(page)]?.title}: ${meaningOf(shade)}`;
  return [
    parts,
    s('text', { x: width - 10, y: 18, 'text-anchor': 'end', class: `worst ${shade}` }, text, s('title', {}, title)),
  ];
}
