import { isJsonObject, type JsonObject, type JsonValue, namespaceOf, specOf } from '@policy-machinery/resource';
import type { PolicyNode, TargetNode, Topology } from '@policy-machinery/topology';
import type { PolicyView } from '../model/world.ts';

/** Returns the ancestors of a policy in statuses: of the whole objects that it targets, and of the objects that refer to these. */
export type ChainedAncestors = (policy: PolicyNode) => ReadonlySet<TargetNode>;

/**
 * Returns a function that finds the ancestors of policies on backends by `backendRef` fields, in policies of the kind and in backends. Calls of
 * a data plane take these paths, and requests do not. References to other namespaces are left out, because they may need a ReferenceGrant.
 */
export function chainedAncestors({ found, effective }: PolicyView): ChainedAncestors {
  const { topology, kind } = effective;
  const { referrers: kinds } = found;
  if (kinds === undefined) return () => new Set();
  const referrers = new Map<TargetNode, TargetNode[]>();
  const add = ({ resource }: Pick<TargetNode, 'resource'>, from: readonly TargetNode[]): void => {
    for (const to of backendsIn(specOf(resource), namespaceOf(resource), topology)) {
      referrers.set(to, [...(referrers.get(to) ?? []), ...from]);
    }
  };
  for (const policy of topology.policies(kind)) add(policy, objectsOf(policy));
  for (const target of topology.targetsOf(kinds)) if (target.section === undefined) add(target, [target]);
  const isAncestor = ({ ref }: TargetNode) =>
    kind.ancestors.some((it) => it.group === ref.group && it.kind === ref.kind);
  return (policy) => {
    const linked = new Set(objectsOf(policy));
    const above = new Set<TargetNode>();
    for (const object of linked) {
      for (const referrer of referrers.get(object) ?? []) linked.add(referrer);
      for (const part of [object, ...object.sections]) {
        for (const each of [part, ...topology.ancestors(part)]) above.add(each.object);
      }
    }
    return new Set([...above].filter(isAncestor));
  };
}

function objectsOf({ attachments }: PolicyNode): readonly TargetNode[] {
  return [...new Set(attachments.flatMap(({ target }) => target?.object ?? []))];
}

/** Returns the objects of a namespace that `backendRef` fields name, however deep these are. */
function backendsIn(value: JsonValue, own: string, topology: Topology): readonly TargetNode[] {
  if (Array.isArray(value)) return value.flatMap((item) => backendsIn(item, own, topology));
  if (!isJsonObject(value)) return [];
  const { backendRef, ...others } = value;
  const named = isJsonObject(backendRef) ? backendNamed(backendRef, own, topology) : undefined;
  const inner = Object.values(others).flatMap((item) => backendsIn(item ?? null, own, topology));
  return named === undefined ? inner : [named, ...inner];
}

function backendNamed({ group, kind, namespace, name }: JsonObject, own: string, topology: Topology) {
  if (typeof name !== 'string' || (namespace ?? own) !== own) return undefined;
  return topology.get({ group: String(group ?? ''), kind: String(kind ?? 'Service'), namespace: own, name });
}
