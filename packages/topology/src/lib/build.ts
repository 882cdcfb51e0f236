import { groupKindOf, type Issue, type KubernetesObject, refOf } from '@policy-machinery/resource';
import { referenceGrants } from '@policy-machinery/target-ref';
import { attachedTo, attachPolicies } from './attach.ts';
import { type Kinds, kindIn } from './kinds.ts';
import { linkTargets, readSafely } from './links.ts';
import { createLookup } from './lookup.ts';
import { orderPositions } from './order.ts';
import { attachNamedPolicies } from './policy-refs.ts';
import { nameSections } from './sections.ts';
import type { Snapshot } from './snapshot.ts';
import type { TargetKind } from './target-kind.ts';
import { byLocator, type MutableTargetNode } from './target-node.ts';
import { type DerivedCache, withVirtualResources } from './virtual.ts';

/**
 * Builds all that follows from a set of resources: targets, links, attachments, and the order of positions. The same
 * resources give the same result, whatever order they come in.
 *
 * @throws {PolicyMachineryError} `loop`, when links lead back to where they came from, with the references that make them.
 */
export function build(
  resources: ReadonlyMap<string, KubernetesObject>,
  kinds: Kinds,
  derivedCache: DerivedCache = new WeakMap(),
): Snapshot {
  const issues: Issue[] = [];
  const report = (issue: Issue): void => {
    issues.push(issue);
  };
  const targets = new Map<string, MutableTargetNode>();
  const untargetable = new Set<MutableTargetNode>();
  const indexes = new Map<MutableTargetNode, number>();

  const all = withVirtualResources(resources, kinds.targets.values(), derivedCache, report);
  for (const [locator, resource] of [...all].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const kind = kindIn(kinds.targets, groupKindOf(resource));
    if (kind === undefined) continue;
    const object = objectNode(locator, resource, kind);
    targets.set(locator, object);
    const named = readSafely(locator, report, () =>
      nameSections(Object.values(kind.sections), resource, (issue) => report({ ...issue, resource: locator })),
    );
    for (const placed of named) {
      const section = sectionNode(object, placed);
      object.sections.push(section);
      targets.set(section.locator, section);
      indexes.set(section, placed.index);
      if (!placed.targetable) untargetable.add(section);
    }
  }
  for (const node of targets.values()) {
    const { namespace } = node.ref;
    if (namespace !== undefined) node.namespace = targets.get(`namespace:${namespace}`);
  }

  const grants = referenceGrants(resources.values());
  grants.issues.forEach(report);
  const lookup = createLookup(targets, all, kinds.targets, grants.permits);
  const { unresolved, refused, origins } = linkTargets(targets, lookup, indexes, report);
  const order = orderPositions(targets.values(), origins);
  const declared = attachPolicies(resources, kinds.policies, lookup, untargetable, report);
  const policies = attachNamedPolicies(declared, kinds, targets, indexes, report);
  issues.sort((a, b) => byLocator({ locator: issueKey(a) }, { locator: issueKey(b) }));
  return {
    resources,
    targets,
    policies,
    attached: attachedTo(policies.values()),
    order,
    unresolved,
    refused,
    issues,
  };
}

const issueKey = ({ resource, pointer, code, message }: Issue): string =>
  [resource, pointer, code, message].join('\u0000');

function objectNode(locator: string, resource: KubernetesObject, kind: TargetKind): MutableTargetNode {
  const node: Omit<MutableTargetNode, 'object'> & { object?: MutableTargetNode } = {
    locator,
    ref: refOf(resource, kind.scope),
    kind,
    resource,
    sections: [],
    namespace: undefined,
    linksFrom: [],
    linksTo: [],
  };
  node.object = node as MutableTargetNode;
  return node as MutableTargetNode;
}

function sectionNode(
  object: MutableTargetNode,
  { kind, name, value }: ReturnType<typeof nameSections>[number],
): MutableTargetNode {
  return {
    locator: `${object.locator}#${name}`,
    ref: { ...object.ref, section: name },
    kind,
    resource: object.resource,
    section: { name, value },
    object,
    sections: [],
    namespace: undefined,
    linksFrom: [],
    linksTo: [],
  };
}
