import { formatGroupKind } from '@policy-machinery/resource';
import { createTopology, isSectionKind, toDot, toMermaid } from '@policy-machinery/topology';
import { isVirtualKind } from '@policy-machinery/topology/inner';
import { targetsMeant } from '../answers/around.ts';
import type { Answer } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import type { World } from '../model/world.ts';
import { findTarget } from '../names/find.ts';

/** Answers with a drawing of the topology and its policies, for Mermaid or Graphviz. */
export function answer(world: World, { args }: Request): Answer {
  const { topology, scope } = world;
  const target = args.length === 0 ? undefined : findTarget(world, args).item;
  const meant = targetsMeant(topology, scope, target);
  const drawn = createTopology({ targetKinds: topology.targetKinds, policyKinds: topology.policyKinds });
  const targets = [...topology.targets].filter((each) => each.section === undefined && (meant?.has(each) ?? true));
  const policies = topology
    .policies()
    .filter(
      ({ attachments }) =>
        meant === undefined || attachments.some(({ target }) => target !== undefined && meant.has(target)),
    );
  const grants = world.objects.filter(({ kind }) => kind === 'ReferenceGrant');
  const given = targets.filter(({ kind }) => isSectionKind(kind) || !isVirtualKind(kind)); // The others are derived from these.
  drawn.apply({ upsert: new Set([...given, ...policies].map(({ resource }) => resource).concat(grants)) });
  return {
    document: {
      kind: 'Graph',
      targets: targets.map(({ locator }) => locator),
      policies: policies.map(({ locator, kind }) => ({ policy: locator, kind: formatGroupKind(kind) })),
    },
    sections: [],
    texts: { mermaid: () => toMermaid(drawn), dot: () => toDot(drawn) },
    notes: [...(targets.length > 0 ? [] : ['No targets of policies found.']), ...notDrawn(world)],
  };
}

/** Returns a note about the policies that a drawing leaves out: the policies of a mesh, which has another hierarchy. */
export function notDrawn({ topology, topologies }: World): readonly string[] {
  const others = topologies.filter((each) => each !== topology).flatMap((each) => each.policies());
  const kinds = [...new Set(others.map(({ kind }) => kind.kind))].sort();
  return kinds.length === 0
    ? []
    : [`Policies of a mesh are left out: ${kinds.join(', ')}. "tree" and "explain" show them.`];
}
