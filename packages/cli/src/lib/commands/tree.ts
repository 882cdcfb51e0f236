import type { TargetNode } from '@policy-machinery/topology';
import { unreachedReason } from '@policy-machinery/topology/inner';
import { targetsMeant } from '../answers/around.ts';
import { forestOf, linesOf, type TreeNode, withPolicies } from '../answers/forest.ts';
import { reachedStates } from '../answers/unreached.ts';
import type { Answer } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import type { StateOutcome } from '../model/state-outcome.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import type { World } from '../model/world.ts';
import { findTarget } from '../names/find.ts';
import { outcomeNotes } from '../verifying/request-doubts.ts';

/** Answers with a tree of the hierarchy, with the policies at each target. */
export function answer(world: World, { args, colors }: Request): Answer {
  const { topologies, scope } = world;
  const target = args.length === 0 ? undefined : findTarget(world, args).item;
  const trees = topologies.flatMap((topology) => {
    const node = target && topology.get(target.locator);
    if (target !== undefined && node === undefined) return [];
    const meant = targetsMeant(topology, scope, node);
    const all = forestOf(topology, (each) => meant?.has(each) ?? true);
    // A mesh has all workloads, and most of these do not have own policies.
    return topology === world.topology ? all : all.flatMap(withPolicies);
  });
  const reasonOf = (it: TargetNode) => {
    const cause = world.unrendered.causeOf(it.locator);
    if (cause !== undefined) return `not rendered: ${cause}`;
    return topologies.flatMap((topology) =>
      topology.get(it.locator) === it ? (unreachedReason(it, topology) ?? []) : [],
    )[0];
  };
  const outcomes = new Map(reachedStates(world).map(({ policy, outcome }) => [policy.locator, outcome]));
  const lines = linesOf(trees);
  const columns: readonly ColumnOf<(typeof lines)[number]>[] = [
    { name: 'TARGET', cell: ({ text, node }) => [text, node.isOrphan ? colors.red : (plain) => plain] },
    { name: 'POLICIES', cell: ({ node }) => remarkOn(node, outcomes, reasonOf) },
  ];
  return {
    document: { kind: 'Tree', roots: trees.map((tree) => documentOf(tree, outcomes)) },
    sections: [{ blocks: lines.length > 0 ? [{ table: tableOf(lines, columns, { layout: 'drawing' }) }] : [] }],
    notes: lines.length > 0 ? outcomeNotes(world, world.views) : ['No targets of policies found.'],
  };
}

type Outcomes = ReadonlyMap<string, StateOutcome>;

function remarkOn(
  { policies, isRepeated, isOrphan, target }: TreeNode,
  outcomes: Outcomes,
  reasonOf: (target: TargetNode) => string | undefined,
): string {
  return [
    ...policies.map(({ resource: { kind, metadata }, locator }) => {
      const outcome = outcomes.get(locator);
      return `${kind} ${metadata.name}${outcome === undefined || outcome === 'enforced' ? '' : ` (${outcome})`}`;
    }),
    ...(isRepeated ? ['(see above)'] : []),
    ...(isOrphan ? [`(${reasonOf(target) ?? 'nothing leads to it'})`] : []),
  ].join(', ');
}

function documentOf({ target, policies, children, isRepeated, isOrphan }: TreeNode, outcomes: Outcomes): object {
  return {
    target: target.ref,
    ...(policies.length === 0
      ? {}
      : { policies: policies.map(({ locator }) => ({ policy: locator, outcome: outcomes.get(locator) })) }),
    ...(isRepeated ? { isRepeated } : {}),
    ...(isOrphan ? { isOrphan } : {}),
    ...(children.length === 0 ? {} : { children: children.map((child) => documentOf(child, outcomes)) }),
  };
}
