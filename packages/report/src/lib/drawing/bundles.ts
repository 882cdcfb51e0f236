// drawing/: what a drawing of targets shows. Takes the targets to draw, bundles those without policies where there are many, and returns cards
// with rows, the lines between them, and their positions.

import type { Report } from '../data/report.ts';
import type { NodeId } from '../data/report-data.ts';

/** One or several objects that are drawn as one card. */
export interface Bundle {
  /** A key that stays the same while the page is open. */
  readonly key: string;
  readonly objects: readonly NodeId[];
}

/** Up to this many objects without policies have a card each. */
const few = 5;

/** Up to this many cards of one kind are bundled by what leads to them. If there are more, all objects without policies share one card. */
const many = 24;

/**
 * Bundles objects of one kind without policies, if the same objects lead to them.
 *
 * @param objects The objects to draw, those above before those below.
 * @param isKept Returns whether an object always has a card of its own.
 */
export function bundlesOf(
  report: Report,
  objects: readonly NodeId[],
  isKept: (object: NodeId) => boolean,
): readonly Bundle[] {
  const isPlain = (id: NodeId): boolean => {
    const { sections, policies } = report.node(id);
    return (
      policies.length === 0 && sections.every((section) => report.node(section).policies.length === 0) && !isKept(id)
    );
  };
  const keyOf = new Map<NodeId, string>();
  const drawn = new Set(objects);
  const byAbove = new Map<string, NodeId[]>();
  for (const id of objects) {
    const { kind, sections } = report.node(id);
    const above = new Set<string>();
    for (const part of [id, ...sections]) {
      for (const from of report.node(part).up) {
        const { object, sections: all } = report.node(from);
        if (drawn.has(object)) above.add(keyOf.get(object) ?? String(all.length > 0 ? object : from));
      }
    }
    const key = isPlain(id) ? `${kind} below ${[...above].sort().join(' ')}` : String(id);
    const there = byAbove.get(key);
    if (there === undefined) byAbove.set(key, [id]);
    else there.push(id);
    if (isPlain(id)) keyOf.set(id, key);
  }
  const cards = Array.from(byAbove, ([key, some]): Bundle => ({ key, objects: some })).flatMap(apart);
  return joined(report, cards, isPlain);
}

function apart(bundle: Bundle): readonly Bundle[] {
  if (bundle.objects.length > few) return [bundle];
  return bundle.objects.map((id) => ({ key: String(id), objects: [id] }));
}

/** Joins the cards of objects without policies, for each kind with too many cards. */
function joined(report: Report, cards: readonly Bundle[], isPlain: (id: NodeId) => boolean): readonly Bundle[] {
  const plain = new Map<string, Bundle[]>();
  const others: Bundle[] = [];
  for (const card of cards) {
    const [first = 0] = card.objects;
    if (!isPlain(first)) {
      others.push(card);
      continue;
    }
    const { kind } = report.node(first);
    const there = plain.get(kind);
    if (there === undefined) plain.set(kind, [card]);
    else there.push(card);
  }
  const rest = Array.from(plain, ([kind, some]) =>
    some.length <= many ? some : [{ key: `${kind} without policies`, objects: some.flatMap(({ objects }) => objects) }],
  );
  return [...others, ...rest.flat()];
}
