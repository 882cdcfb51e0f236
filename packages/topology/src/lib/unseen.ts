import { formatLocator } from '@policy-machinery/resource';
import { type Creation, mayBeNamed } from './model/creation.ts';
import { formatRef, formatTarget } from './model/format.ts';
import { isSectionKind } from './model/target-kind.ts';
import type { TargetNode } from './model/target-node.ts';
import type { Topology } from './model/topology.ts';
import { creationsOf, isCreation } from './references/creations.ts';

/** Something that a topology does not hold, and that may have an effect like a target of a known kind. */
export interface Unseen {
  /** The target that shows it: a target of an opaque kind, or one that a controller creates resources for. */
  readonly by: TargetNode;
  /** The resources that a controller creates for the target; `undefined` if the target itself is opaque. */
  readonly creation?: Creation;
  /** The targets that it may be below, sections aside; `undefined` if the target refers to no parents, so that it may be below any. */
  readonly below: ReadonlySet<TargetNode> | undefined;
}

/**
 * Returns the resources that a topology lacks although its targets show that they exist or will exist: resources that controllers create for targets,
 * and the rules in targets of opaque kinds. Resources that are created with names that are not known are unseen if the topology holds none of these,
 * and need not be complete for their kind.
 *
 * @returns The unseen resources, in the order of the targets. O(targets of these kinds, and those above).
 */
export function unseenIn(topology: Topology): readonly Unseen[] {
  const kinds = [...topology.targetKinds].filter(({ creates, isOpaque }) => creates !== undefined || isOpaque === true);
  if (kinds.length === 0) return [];
  return [...topology.targetsOf(kinds)].flatMap((by): readonly Unseen[] => {
    const refersUp = topology.referencesOf(by).some(({ reference }) => reference.direction === 'up');
    const below = refersUp ? new Set(topology.ancestors(by).map(({ object }) => object)) : undefined;
    if (!isSectionKind(by.kind) && by.kind.isOpaque === true) return refersUp ? [{ by, below }] : [];
    const missing = creationsOf(by).filter((creation) => !isHeld(topology, by, creation));
    return missing.map((creation) => ({ by, creation, below }));
  });
}

function isHeld(topology: Topology, by: TargetNode, creation: Creation): boolean {
  const { group, kind, name } = creation;
  const namespace = creation.namespace ?? by.ref.namespace;
  const place = namespace === undefined ? {} : { namespace };
  if (!name.includes('*')) {
    const locator = formatLocator({ group, kind, name, ...place });
    return topology.get(locator) !== undefined || topology.policy(locator) !== undefined;
  }
  if (topology.isComplete({ group, kind }, namespace)) return true;
  const objects = [...topology.targetsOf([{ group, kind }]), ...topology.policies({ group, kind })];
  return objects.some(({ resource: { metadata } }) => {
    const sought = { group, kind, namespace: metadata.namespace, name: metadata.name };
    return mayBeNamed(creation, metadata.name) && isCreation(creation, by, sought);
  });
}

/** Returns the routes that are unseen, whatever their kind: see {@link unseenIn}. */
export function unseenRoutes(topology: Topology): readonly Unseen[] {
  return unseenIn(topology).filter(({ creation }) => creation?.kind.endsWith('Route') !== false);
}

/**
 * Returns whether an unseen route may be directly below a Gateway, or another target that it may refer to.
 *
 * @param unseen The route.
 * @param target The target, or a section of it.
 */
export function mayBeBelow({ by, below }: Unseen, { object }: TargetNode): boolean {
  return by === object || (below === undefined ? object.ref.kind === 'Gateway' : below.has(object));
}

/**
 * Describes an unseen resource, as a sentence without a full stop: `HTTPRoute shop/chat, which a controller creates for AIGatewayRoute shop/chat, is
 * not in this input`.
 *
 * @param unseen The unseen resource.
 */
export function formatUnseen({ by, creation }: Unseen): string {
  if (creation === undefined) return `the effect of ${formatTarget(by)} on requests is not known`;
  const namespace = creation.namespace ?? by.ref.namespace;
  const created = formatRef({ kind: creation.kind, name: creation.name, namespace });
  return `${created}, which a controller creates for ${formatTarget(by)}, is not in this input`;
}
