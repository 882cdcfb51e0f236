import { type Context, type EffectivePolicies, EffectivePolicy } from '@policy-machinery/effective-policy';
import { specOf } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { Groups } from './groups.ts';
import { internedLists } from './interned.ts';
import type { Names } from './names.ts';
import type { ContextRow, ViewData } from './report-data.ts';
import { runsOf } from './runs.ts';
import type { Ways } from './ways.ts';

/** How many paths of a context are listed; the others are counted. */
const listedPaths = 2;

/** One policy kind: its data, and the contexts that requests choose from. */
export interface View {
  readonly effective: EffectivePolicies<unknown>;
  readonly data: Omit<ViewData, 'choices' | 'choiceLists'>;
  /** Returns the contexts of a target: first those with policies, then those without. Empty if none has policies. */
  readonly contextsOf: (target: TargetNode) => readonly Context<unknown>[];
}

/**
 * Collects what applies, for one policy kind. O(contexts, and for each target those below it).
 *
 * @param isRoute Returns whether a target is a route or a rule of one: for these, requests decide what applies below.
 */
export function viewOf(
  view: EffectivePolicies<unknown>,
  names: Names,
  ways: Ways,
  isRoute: (target: TargetNode) => boolean,
): View {
  const groups = new Groups(names, writesStanzas(view));
  const lists = internedLists<readonly ContextRow[]>();
  const belowLists = internedLists<readonly number[]>();
  const known = new Map<TargetNode, readonly Context<unknown>[]>();
  const contexts: [node: number, list: number][] = [];
  for (const target of view.targets) {
    const covered = view.of(target);
    if (covered.length === 0) continue;
    const all = [...covered, ...view.uncovered(target)];
    known.set(target, all);
    contexts.push([names.node(target), lists.place(all.map((context) => contextRow(context, groups, ways)))]);
  }
  const below: [node: number, list: number][] = [];
  for (const target of names.targets) {
    if (known.has(target) || isRoute(target)) continue;
    const counts = countBelow(view, target, groups);
    if (counts.length > 0) below.push([names.node(target), belowLists.place(counts)]);
  }
  return {
    effective: view,
    contextsOf: (target) => known.get(target) ?? [],
    data: {
      kind: names.kind(view.kind),
      ...groups.rows,
      lists: lists.values,
      contexts: runsOf(contexts),
      belowLists: belowLists.values,
      below: runsOf(below),
    },
  };
}

/** The fields in which policies write defaults and overrides, in the spellings of CustomResourceDefinitions. */
const stanzaFields = ['defaults', 'overrides', 'default', 'override'];

/** Returns whether any policy writes a stanza: then each layer names its own. */
function writesStanzas({ policies }: EffectivePolicies<unknown>): boolean {
  return policies.some(({ node }) => stanzaFields.some((field) => specOf(node.resource)[field] !== undefined));
}

function contextRow(context: Context<unknown>, groups: Groups, ways: Ways): ContextRow {
  const { pathCount } = context;
  const group = context instanceof EffectivePolicy ? groups.of(context) : -1;
  const listed = new Set<number>();
  let left = listedPaths;
  for (const path of context.paths()) {
    if (left === 0) break;
    left -= 1;
    const way = ways.to(path);
    if (way >= 0) listed.add(way);
  }
  return [group, pathCount <= Number.MAX_SAFE_INTEGER ? Number(pathCount) : String(pathCount), ...listed];
}

/** Returns how many contexts of each group are below a target, group and count alternating; none if all belong to its own sections. */
function countBelow(view: EffectivePolicies<unknown>, target: TargetNode, groups: Groups): readonly number[] {
  const counts = new Map<number, number>();
  let isOwn = target.section === undefined;
  for (const { policy } of view.explain(target).effective) {
    const group = groups.of(policy);
    isOwn &&= policy.target.object === target;
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return isOwn ? [] : [...counts].sort(([a], [b]) => a - b).flat();
}
