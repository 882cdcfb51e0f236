import { groupKindKey, matchesSelector, parseLocator } from '@policy-machinery/resource';
import { groupedBy } from '@policy-machinery/resource/inner';
import type { PolicyNode, TargetNode, Topology } from '@policy-machinery/topology';

/** Returns whether the files of a namespaced policy or target do not name its namespace. */
export function lacksNamespace({ locator, resource }: Pick<PolicyNode | TargetNode, 'locator' | 'resource'>): boolean {
  return resource.metadata.namespace === undefined && parseLocator(locator).namespace !== undefined;
}

/**
 * Returns the targets that undecided attachments may mean: those that policies name, and those that they would name if one of both was in another
 * namespace, because its file does not name one.
 * O(policies), and O(targets) if there are undecided attachments.
 */
export function possibleAttachments(
  topology: Topology,
): readonly { readonly policy: PolicyNode; readonly target: TargetNode }[] {
  const undecided = topology.policies().flatMap((policy) =>
    policy.attachments.flatMap(({ declared, outcome }) => {
      return outcome === 'Undecided' && 'kind' in declared ? [{ policy, declared }] : [];
    }),
  );
  if (undecided.length === 0) return [];
  const objects = [...topology.targets].filter(({ section }) => section === undefined);
  const byKind = groupedBy(objects, ({ ref }) => groupKindKey(ref));
  const byName = groupedBy(objects, ({ ref }) => `${groupKindKey(ref)} ${ref.name}`);
  return undecided.flatMap(({ policy, declared }) => {
    const key = groupKindKey(declared);
    const candidates =
      'name' in declared
        ? byName.get(`${key} ${declared.name}`)
        : byKind.get(key)?.filter(({ resource }) => matchesSelector(declared, resource.metadata.labels));
    const isWide = 'namespaces' in declared && declared.namespaces !== undefined && declared.namespaces.from !== 'Same';
    const namespace = 'namespace' in declared ? declared.namespace : undefined;
    const own = isWide || lacksNamespace(policy) ? undefined : parseLocator(policy.locator).namespace;
    const wanted = namespace ?? own;
    const isWithin = (target: TargetNode) => wanted === target.ref.namespace || lacksNamespace(target);
    return (candidates ?? [])
      .filter((target) => wanted === undefined || target.ref.namespace === undefined || isWithin(target))
      .map((object) => ({ policy, target: sectionOf(object, declared) }));
  });
}

function sectionOf(object: TargetNode, { sectionName }: { readonly sectionName?: string }): TargetNode {
  return object.sections.find(({ section }) => section?.name === sectionName) ?? object;
}
