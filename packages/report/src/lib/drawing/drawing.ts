import type { Report } from '../data/report.ts';
import type { NodeId, PolicyId } from '../data/report-data.ts';
import { type Connection, layOut } from '../layout/layout.ts';
import { type Bundle, bundlesOf, policiesOf } from './bundles.ts';

/** Sizes in a drawing, in CSS pixels. */
export const sizes = { width: 206, head: 46, row: 24, foot: 6, gapX: 50, gapY: 14, margin: 2 } as const;

/**
 * A line of a card below its head: a section, or a policy that is attached to the object or to the section before it; in a card of several objects, how
 * many policies of a kind have an outcome.
 */
export type CardRow =
  | { readonly type: 'section'; readonly node: NodeId; readonly y: number }
  | { readonly type: 'policy'; readonly policy: PolicyId; readonly isOnSection: boolean; readonly y: number }
  | {
      readonly type: 'alike';
      readonly count: number;
      readonly kind: string;
      readonly outcome: string;
      readonly y: number;
    }
  | { readonly type: 'more'; readonly count: number; readonly y: number };

/** A card, which shows one object, or several that look alike. */
export interface DrawnCard {
  readonly bundle: Bundle;
  readonly rows: readonly CardRow[];
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly isFocus: boolean;
}

/** A line from the right of a card to the left of another. */
export interface DrawnLine {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  /** The keys of the cards. */
  readonly from: string;
  readonly to: string;
}

/** A drawing: cards, lines and its size. */
export interface Drawing {
  readonly cards: readonly DrawnCard[];
  readonly lines: readonly DrawnLine[];
  readonly width: number;
  readonly height: number;
}

export interface DrawingOptions {
  /** The target that the drawing is about. Default: none. */
  readonly focus?: NodeId | undefined;
  /** The keys of bundles with objects that are drawn one by one. Default: none. */
  readonly open?: ReadonlySet<string> | undefined;
}

/** Up to this many sections of an object are always drawn. */
const shownSections = 12;

/**
 * Returns a drawing of targets: each object is a card with its sections and policies. Namespaces and other objects without links are left out,
 * unless they have policies.
 *
 * @param nodes The targets. For sections, their objects are drawn.
 */
export function drawingOf(report: Report, nodes: Iterable<NodeId>, options: DrawingOptions = {}): Drawing {
  const { focus, open = new Set() } = options;
  const focused = focus === undefined ? undefined : report.node(focus).object;
  const wanted = new Set(Array.from(nodes, (id) => report.node(id).object));
  const objects = [...wanted].filter((id) => id === focused || isConnected(report, id)).sort((a, b) => a - b);
  const bundles = bundlesOf(report, inOrder(report, objects), (id) => id === focused).flatMap((bundle) =>
    open.has(bundle.key) ? bundle.objects.map((id) => ({ key: String(id), objects: [id] })) : bundle,
  );
  const cards = bundles.map((bundle) => cardOf(report, bundle, focus));
  const byObject = new Map(cards.flatMap((card) => card.bundle.objects.map((id) => [id, card] as const)));
  const connections = connectionsOf(report, cards, byObject);
  const boxes = cards.map(({ bundle, height }) => ({
    key: sortKey(report, bundle),
    height,
    group: report.node(bundle.objects[0] ?? 0).kind,
  }));
  const { places, columns, height } = layOut(boxes, connections, sizes.gapY);
  const drawn = cards.map((card, index): DrawnCard => {
    const { column, top } = places.get(boxes[index]?.key ?? '') ?? { column: 0, top: 0 };
    const x = sizes.margin + column * (sizes.width + sizes.gapX);
    return { ...card, x, y: top + sizes.margin, isFocus: card.bundle.objects.includes(focused ?? -1) };
  });
  const byKey = new Map(drawn.map((card, index) => [boxes[index]?.key, card]));
  const lines = connections.flatMap(({ from, to, fromY, toY }): DrawnLine | readonly [] => {
    const [a, b] = [byKey.get(from), byKey.get(to)];
    if (a === undefined || b === undefined) return [];
    return { x1: a.x + sizes.width, y1: a.y + fromY, x2: b.x, y2: b.y + toY, from: a.bundle.key, to: b.bundle.key };
  });
  const width = columns === 0 ? 0 : columns * (sizes.width + sizes.gapX) - sizes.gapX + 2 * sizes.margin;
  drawn.sort((a, b) => a.x - b.x || a.y - b.y); // The focus moves in this order.
  return { cards: drawn, lines, width, height: height + 2 * sizes.margin };
}

function isConnected(report: Report, id: NodeId): boolean {
  const { sections } = report.node(id);
  return [id, ...sections].some((part) => {
    const { up, down, policies } = report.node(part);
    return up.length + down.length + policies.length > 0;
  });
}

/** Returns objects in topological order. In a cycle, one object comes first. */
function inOrder(report: Report, objects: readonly NodeId[]): readonly NodeId[] {
  const among = new Set(objects);
  const done = new Set<NodeId>();
  const ordered: NodeId[] = [];
  const above = (id: NodeId): readonly NodeId[] =>
    [id, ...report.node(id).sections].flatMap((part) => report.node(part).up.map((from) => report.node(from).object));
  for (const start of objects) {
    const steps = [start];
    const entered = new Set<NodeId>();
    for (let id = steps.at(-1); id !== undefined; id = steps.at(-1)) {
      const next = entered.has(id) ? [] : above(id).filter((it) => among.has(it) && !done.has(it) && !entered.has(it));
      entered.add(id);
      if (next.length > 0) {
        steps.push(...next);
        continue;
      }
      steps.pop();
      if (done.has(id)) continue;
      done.add(id);
      ordered.push(id);
    }
  }
  return ordered;
}

/** Returns a key that sorts cards by name, cards of several objects after the others. */
function sortKey(report: Report, { key, objects }: Bundle): string {
  const [first = 0] = objects;
  return objects.length === 1 ? `0 ${report.node(first).label} ${first}` : `1 ${key}`;
}

type UnplacedCard = Omit<DrawnCard, 'x' | 'y' | 'isFocus'>;

function cardOf(report: Report, bundle: Bundle, focus: NodeId | undefined): UnplacedCard {
  const [id = 0] = bundle.objects;
  const rows: CardRow[] = [];
  let y: number = sizes.head;
  const add = (row: (at: number) => CardRow): void => {
    rows.push(row(y));
    y += sizes.row;
  };
  const addPolicies = (policies: readonly PolicyId[], isOnSection: boolean): void => {
    for (const policy of policies) add((top) => ({ type: 'policy', policy, isOnSection, y: top }));
  };
  if (bundle.objects.length === 1) {
    const { sections, policies } = report.node(id);
    addPolicies(policies, false);
    const isNeeded = (section: NodeId) => report.node(section).policies.length > 0 || section === focus;
    const isPlain = sections.length === 1 && !sections.some(isNeeded);
    let remaining = shownSections - sections.filter(isNeeded).length;
    let hidden = 0;
    for (const section of isPlain ? [] : sections) {
      if (!isNeeded(section)) remaining -= 1;
      if (!isNeeded(section) && remaining < 0) {
        hidden += 1;
        continue;
      }
      add((top) => ({ type: 'section', node: section, y: top }));
      addPolicies(report.node(section).policies, true);
    }
    if (hidden > 0) add((top) => ({ type: 'more', count: hidden, y: top }));
  } else {
    for (const alike of tally(report, bundle.objects)) add((top) => ({ type: 'alike', ...alike, y: top }));
  }
  return { bundle, rows, height: y + (rows.length > 0 ? sizes.foot : 0) };
}

/** Counts the policies of some objects, by kind and outcome. */
function tally(report: Report, objects: readonly NodeId[]): Iterable<Alike> {
  const counts = new Map<string, Alike>();
  for (const id of new Set(objects.flatMap((object) => policiesOf(report, object).map(([policy]) => policy)))) {
    const { kind, outcome } = report.policy(id);
    const key = `${kind} ${outcome}`;
    counts.set(key, { kind, outcome, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return counts.values();
}

interface Alike {
  readonly kind: string;
  readonly outcome: string;
  readonly count: number;
}

/** Returns the lines between cards, without duplicates. Lines begin and end at the rows of sections, where these are drawn. */
function connectionsOf(
  report: Report,
  cards: readonly UnplacedCard[],
  byObject: ReadonlyMap<NodeId, UnplacedCard>,
): readonly Connection[] {
  const rowOf = new Map<NodeId, number>();
  for (const { rows } of cards) {
    for (const row of rows) if (row.type === 'section') rowOf.set(row.node, row.y + sizes.row / 2);
  }
  const connections = new Map<string, Connection>();
  for (const card of cards) {
    const from = sortKey(report, card.bundle);
    const toEnds = new Map<
      string,
      { readonly to: string; readonly toY: number; readonly isBundle: boolean; readonly fromYs: Set<number> }
    >();
    for (const part of card.bundle.objects.flatMap((id) => [id, ...report.node(id).sections])) {
      for (const end of report.node(part).down) {
        const other = byObject.get(report.node(end).object);
        if (other === undefined || other === card) continue;
        const [to, toY] = [sortKey(report, other.bundle), rowOf.get(end) ?? sizes.head / 2];
        const lineEnd = toEnds.get(`${to} ${toY}`) ?? {
          to,
          toY,
          isBundle: other.bundle.objects.length > 1,
          fromYs: new Set(),
        };
        toEnds.set(`${to} ${toY}`, lineEnd);
        lineEnd.fromYs.add(rowOf.get(part) ?? sizes.head / 2);
      }
    }
    for (const { to, toY, isBundle, fromYs } of toEnds.values()) {
      const isOne = isBundle || fromYs.size >= many;
      for (const fromY of isOne ? [sizes.head / 2] : fromYs)
        connections.set(`${from} ${fromY} ${to} ${toY}`, { from, to, fromY, toY });
    }
  }
  return [...connections.values()];
}

/** From this many lines on, lines from the sections of a card to one place become one line from its head. */
const many = 3;
