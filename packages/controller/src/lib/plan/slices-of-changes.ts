import type { EffectivePolicies } from '@policy-machinery/effective-policy';
import type { StatusChanges } from '@policy-machinery/policy-status';
import { isSectionKind, type Topology } from '@policy-machinery/topology';

type Views = readonly EffectivePolicies<unknown>[];

/** Returns changes that name everything: all policies, and all objects that can have a status. O(policies + targets). */
export function changesOfEverything(views: Views, topology: Topology): readonly StatusChanges[] {
  const objects = [...topology.targets].filter((it) => !isSectionKind(it.kind)).map(({ locator }) => locator);
  return views.map(({ kind, policies }, index) => ({
    kind,
    policies: policies.map(({ node }) => node.locator),
    affectedObjects: objects,
    statuses: index === 0 ? objects : [], // The status that kinds define does not depend on policies: once is enough.
  }));
}

/** Returns changes that name one object: a policy or a target. */
export function changesOfObject(views: Views, locator: string, topology: Topology): readonly StatusChanges[] {
  const isPolicy = topology.policy(locator) !== undefined;
  return views.map(({ kind }) => ({
    kind,
    policies: isPolicy ? [locator] : [],
    affectedObjects: isPolicy ? [] : [locator],
    statuses: isPolicy ? [] : [locator],
  }));
}

/**
 * Cuts changes into slices that name at most some policies or objects each, so that other work can be done between the plans for them.
 *
 * @param changes What to plan, for each kind of policies.
 * @param size How many policies or objects a slice names.
 * @returns The slices: all policies first, then the objects. Each object is in one slice, with all the kinds that name it, so that it gets one write.
 */
export function* slicesOf(
  changes: readonly StatusChanges[],
  size: number,
): Generator<readonly StatusChanges[], void, void> {
  for (const { kind, policies } of changes) {
    for (let at = 0; at < policies.length; at += size) {
      yield [{ kind, policies: policies.slice(at, at + size), affectedObjects: [] }];
    }
  }
  const objects = [
    ...new Set(changes.flatMap(({ affectedObjects, statuses = [] }) => [...affectedObjects, ...statuses])),
  ];
  const named = changes.map(({ kind, affectedObjects, statuses = [] }) => {
    return { kind, affectedObjects: new Set(affectedObjects), statuses: new Set(statuses) };
  });
  for (let at = 0; at < objects.length; at += size) {
    const slice = objects.slice(at, at + size);
    yield named.map(({ kind, affectedObjects, statuses }) => ({
      kind,
      policies: [],
      affectedObjects: slice.filter((locator) => affectedObjects.has(locator)),
      statuses: slice.filter((locator) => statuses.has(locator)),
    }));
  }
}
