import { ancestors, descendants } from '../src/lib/answers/descendants.ts';
import type { NodeId } from '../src/lib/data/report-data.ts';
import { type CardRow, type Drawing, type DrawnCard, drawingOf, sizes } from '../src/lib/drawing/drawing.ts';
import { type Child, count, grouped, h, s } from './dom.ts';
import { scrolling } from './fields-table.ts';
import { fitted } from './fitted.ts';
import { questionAddress } from './links.ts';
import { shownOutcome } from './outcomes.ts';
import type { Page } from './page.ts';
import { stripe } from './shades.ts';
import { Zoom } from './zoom.ts';

/** The part of the topology to draw: everything above and below some targets. */
export interface Around {
  readonly around: readonly NodeId[];
  readonly focus?: NodeId;
}

/** Returns the drawing around a target, which appears below its answer. */
export function aroundView(page: Page, id: NodeId): Child {
  return drawingView(page, { around: [id], focus: id });
}

/** Returns a drawing of targets with their policies. Cards of several objects can be opened. */
export function drawingView(page: Page, { around, focus }: Around): HTMLElement {
  const { report } = page;
  const nodes = new Set([...ancestors(report, around), ...descendants(report, around)]);
  const about = around.length === 1 ? report.node(around[0] ?? 0).label : '';
  const open = page.chosen.open.get(about) ?? new Set<string>();
  page.chosen.open.set(about, open);
  const box = scrolling();
  box.classList.add('drawing');
  box.setAttribute('aria-label', 'Drawing of the topology');
  const zoom = new Zoom(box);
  const draw = (): void => {
    const drawing = drawingOf(report, nodes, focus === undefined ? { open } : { open, focus });
    box.replaceChildren(
      picture(page, drawing, (key) => {
        open.add(key);
        draw();
      }),
    );
    zoom.apply();
  };
  draw();
  requestAnimationFrame(() => scrollToStart(box));
  return h('div', {}, zoom.buttons, box);
}

/** Scrolls to the target that the drawing is about; without one, to the first route without the chosen concern, or to the start. */
function scrollToStart(box: HTMLElement): void {
  const lacking = [...box.querySelectorAll('.object')].filter(
    (card) => card.querySelector('.stripe.uncovered') !== null,
  );
  const start = box.querySelector('.focus') ?? lacking.at(-1) ?? box.querySelector('.object');
  if (start === null) return;
  const [frame, around] = [start.getBoundingClientRect(), box.getBoundingClientRect()];
  box.scrollBy(
    frame.left + frame.width / 2 - around.left - around.width / 2,
    frame.top + frame.height / 2 - around.top - around.height / 2,
  );
}

function picture(page: Page, { cards, lines, width, height }: Drawing, open: (key: string) => void): SVGElement {
  const drawnLines = lines.map(({ x1, y1, x2, y2, from, to }) => {
    const bend = Math.max(24, (x2 - x1) / 2);
    const line = s('path', { d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` });
    return { line, from, to };
  });
  const svg = s(
    'svg',
    { width, height, viewBox: `0 0 ${width} ${height}`, role: 'group' },
    s(
      'g',
      { class: 'lines' },
      drawnLines.map(({ line }) => line),
    ),
  );
  for (const card of cards) {
    const group = cardPicture(page, card, open);
    const mark = (isOn: boolean): void => {
      for (const { line, from, to } of drawnLines) {
        if (from === card.bundle.key || to === card.bundle.key) line.classList.toggle('on', isOn);
      }
    };
    for (const name of ['pointerenter', 'focusin']) group.addEventListener(name, () => mark(true));
    for (const name of ['pointerleave', 'focusout']) group.addEventListener(name, () => mark(false));
    svg.append(group);
  }
  return svg;
}

function cardPicture(page: Page, card: DrawnCard, open: (key: string) => void): SVGElement {
  const { x, y, height, rows, bundle, isFocus } = card;
  const { report } = page;
  const [id = 0] = bundle.objects;
  const { kind, label } = report.node(id);
  const frame = s('rect', { width: sizes.width, height, rx: 8, class: 'frame' });
  const group = s('g', { transform: `translate(${x} ${y})`, class: isFocus ? 'object focus' : 'object' }, frame);
  if (bundle.objects.length === 1) {
    group.append(s('a', { href: questionAddress(label) }, head(kind, label.slice(kind.length + 1))));
  } else {
    const name = `${grouped(bundle.objects.length)} ${rows.length > 0 ? 'with' : 'without'} policies`;
    const link = s(
      'a',
      {
        href: '#',
        role: 'button',
        'aria-label': `Show ${count(bundle.objects.length, kind)}`,
        'data-objects': bundle.objects.join(' '),
      },
      head(kind, name),
      s('title', {}, namesOf(page, bundle.objects)),
    );
    link.addEventListener('click', (event) => {
      event.preventDefault();
      open(bundle.key);
    });
    group.classList.add('bundle');
    group.append(link);
  }
  const ambiguous = ambiguousNames(page, rows);
  for (const row of rows) group.append(rowPicture(page, row, ambiguous));
  group.append(
    ...[stripe(page, bundle.objects, { width: sizes.width, height })].flat(2).filter((it) => it instanceof Node),
  );
  moveByArrows(group);
  return group;
}

/** Makes a card one stop of the Tab key: the arrows move within it. */
function moveByArrows(card: SVGElement): void {
  const links = [...card.querySelectorAll('a')];
  for (const link of links.slice(1)) link.setAttribute('tabindex', '-1');
  card.addEventListener('keydown', (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = links.findIndex((link) => link.matches(':focus'));
    const next = by === undefined || from < 0 ? undefined : links[from + by];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
}

/** Returns the head of a card: the kind on the first line, the name on the second. */
function head(kind: string, name: string): Child {
  return [
    s('rect', { width: sizes.width, height: sizes.head, rx: 8, class: 'hit' }),
    s('text', { x: 12, y: 18, class: 'kind' }, fitted(kind, sizes.width - 24, 'kind')),
    s('text', { x: 12, y: 36, class: 'name' }, fitted(name, sizes.width - 24, 'name')),
    s('title', {}, `${kind} ${name}`),
  ];
}

/** Returns the names that policies of different kinds have in a card. */
function ambiguousNames({ report }: Page, rows: readonly CardRow[]): ReadonlySet<string> {
  const kinds = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const row of rows) {
    if (row.type !== 'policy') continue;
    const { kind, name } = report.policy(row.policy);
    if (kind !== (kinds.get(name) ?? kind)) ambiguous.add(name);
    kinds.set(name, kind);
  }
  return ambiguous;
}

function rowPicture({ report }: Page, row: CardRow, ambiguous: ReadonlySet<string>): SVGElement {
  const middle = row.y + 16;
  if (row.type === 'alike') return alikePicture(row, middle);
  if (row.type === 'more') return s('text', { x: 20, y: middle, class: 'quiet' }, `and ${row.count} more`);
  if (row.type === 'section') {
    const { name, label } = report.node(row.node);
    return s(
      'a',
      { href: questionAddress(label) },
      hit(row.y),
      s('text', { x: 20, y: middle, class: 'section' }, fitted(`#${name}`, sizes.width - 32, 'section')),
      s('title', {}, label),
    );
  }
  const { kind, name, label, outcome } = report.policy(row.policy);
  const { tone, name: said } = shownOutcome(outcome);
  const x = row.isOnSection ? 30 : 12;
  const short = name.slice(name.indexOf('/') + 1);
  const shown = ambiguous.has(name) ? `${kind} ${short}` : short;
  return s(
    'a',
    { href: questionAddress(label), class: 'policy' },
    hit(row.y),
    s('circle', { cx: x + 5, cy: middle - 4, r: 4, class: tone }),
    s('text', { x: x + 16, y: middle }, fitted(shown, sizes.width - x - 28, 'row')),
    s('title', {}, `${kind} ${name}: ${said}`),
  );
}

/** Returns how many policies of a kind have an outcome, in a card of several objects. */
function alikePicture(
  { count: some, kind, outcome }: CardRow & { readonly type: 'alike' },
  middle: number,
): SVGElement {
  const { tone, name: said } = shownOutcome(outcome);
  const text = `${grouped(some)} × ${kind}`;
  return s(
    'g',
    {},
    s('circle', { cx: 17, cy: middle - 4, r: 4, class: tone }),
    s('text', { x: 28, y: middle }, fitted(text, sizes.width - 40, 'row')),
    s('title', {}, `${text}: ${said}`),
  );
}

function hit(y: number): Child {
  return s('rect', { x: 6, y, width: sizes.width - 12, height: sizes.row, rx: 5, class: 'hit' });
}

function namesOf({ report }: Page, ids: readonly NodeId[]): string {
  const names = ids.slice(0, 12).map((id) => report.node(id).label);
  return [...names, ...(ids.length > 12 ? ['…'] : []), 'Select to show each.'].join('\n');
}
