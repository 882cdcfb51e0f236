// drawing/: the content of a drawing of targets. Takes the targets to draw, bundles those that look alike where there are many, and returns
// cards with rows, the lines between them, and their positions.

import type { Report } from '../data/report.ts';
import type { NodeId, PolicyId } from '../data/report-data.ts';

/** One or several objects that are drawn as one card. */
export interface Bundle {
  /** A key that stays the same while the page is open. */
  readonly key: string;
  readonly objects: readonly NodeId[];
}

/** Up to this many objects without policies have a card each. */
const few = 5;

/** Up to this many objects with policies of the same kinds and outcomes have a card each. */
const fewAlike = 12;

/** Up to this many cards of one kind are bundled by the objects that lead to them. If there are more, all objects without policies share one card. */
const many = 24;

/**
 * Bundles objects of one kind that look alike, if the same objects lead to them: those without policies, and those with policies of the same kinds and
 * outcomes.
 *
 * @param objects The objects to draw, those above before those below.
 * @param isKept Returns whether an object always has its own card.
 */
export function bundlesOf(
  report: Report,
  objects: readonly NodeId[],
  isKept: (object: NodeId) => boolean,
): readonly Bundle[] {
  const looks = new Map(objects.map((id) => [id, lookOf(report, id)]));
  const counts = new Map<string, number>();
  for (const look of looks.values()) counts.set(look, (counts.get(look) ?? 0) + 1);
  const isPlain = (id: NodeId): boolean => !isKept(id) && policiesOf(report, id).length === 0;
  const isAlike = (id: NodeId): boolean =>
    !isKept(id) && (isPlain(id) || (counts.get(looks.get(id) ?? '') ?? 0) > fewAlike);
  const keyOf = new Map<NodeId, string>();
  const drawn = new Set(objects);
  const byAbove = new Map<string, NodeId[]>();
  for (const id of objects) {
    const above = new Set<string>();
    for (const part of [id, ...report.node(id).sections]) {
      for (const from of report.node(part).up) {
        const { object, sections: siblings } = report.node(from);
        if (drawn.has(object)) above.add(keyOf.get(object) ?? String(siblings.length > 0 ? object : from));
      }
    }
    const key = isAlike(id) ? `${looks.get(id)} below ${[...above].sort().join(' ')}` : String(id);
    const alikeObjects = byAbove.get(key);
    if (alikeObjects === undefined) byAbove.set(key, [id]);
    else alikeObjects.push(id);
    if (isAlike(id)) keyOf.set(id, key);
  }
  const cards = Array.from(byAbove, ([key, some]): Bundle => ({ key, objects: some })).flatMap((bundle) => {
    const [first = 0] = bundle.objects;
    return apart(bundle, isPlain(first) ? few : fewAlike);
  });
  return joined(report, cards, isPlain);
}

export function policiesOf(report: Report, id: NodeId): readonly (readonly [policy: PolicyId, isOnSection: boolean])[] {
  const { sections, policies } = report.node(id);
  const onSections = sections.flatMap((section) => report.node(section).policies);
  return [...policies.map((it) => [it, false] as const), ...onSections.map((it) => [it, true] as const)];
}

/** Returns how an object looks, apart from names: its kind, and the kinds and outcomes of its policies. */
function lookOf(report: Report, id: NodeId): string {
  const policies = policiesOf(report, id).map(([policy, isOnSection]) => {
    const { kind, outcome } = report.policy(policy);
    return `${isOnSection ? '#' : ''}${kind} ${outcome}`;
  });
  return [report.node(id).kind, ...policies.sort()].join(', ');
}

function apart(bundle: Bundle, most: number): readonly Bundle[] {
  if (bundle.objects.length > most) return [bundle];
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
    const kindCards = plain.get(kind);
    if (kindCards === undefined) plain.set(kind, [card]);
    else kindCards.push(card);
  }
  const rest = Array.from(plain, ([kind, some]) =>
    some.length <= many ? some : [{ key: `${kind} without policies`, objects: some.flatMap(({ objects }) => objects) }],
  );
  return [...others, ...rest.flat()];
}
