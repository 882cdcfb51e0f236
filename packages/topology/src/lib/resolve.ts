import { formatLocator, groupKindKey, type ResourceRef } from '@policy-machinery/resource';
import type { Lookup } from './lookup.ts';
import type { NamedTarget, Reference, Refusal, SelectedTargets } from './reference.ts';
import { selectTargets } from './select.ts';
import type { MutableTargetNode, TargetNode } from './target-node.ts';

/** What one reference leads to. */
export interface Resolution {
  readonly ends: readonly MutableTargetNode[];
  /** Locator of what it leads to in vain. */
  readonly missing?: string;
  /** What does not admit it. */
  readonly refusals: readonly EndRefusal[];
}

/** One end that a reference does not reach. */
export interface EndRefusal extends Refusal {
  /** Locator of what refuses, or of what no grant permits, whether that exists or not. */
  readonly to: string;
}

/** Resolves one reference. The result depends on its holder and on the answers of `lookup` only. */
export function resolveReference(from: TargetNode, reference: Reference, lookup: Lookup): Resolution {
  const { to } = reference;
  const objects =
    'name' in to ? namedObject(from, to, reference, lookup) : selectedObjects(from, to, reference, lookup);
  if (!Array.isArray(objects)) return { ends: [], refusals: [], ...objects };
  return admitted(
    objects.map((object) => ({ object, ends: meantBy(reference, object) })),
    reference,
    lookup,
  );
}

type Vain = Partial<Pick<Resolution, 'missing' | 'refusals'>>;

function namedObject(
  { ref }: TargetNode,
  to: NamedTarget,
  { needsGrant = false }: Reference,
  lookup: Lookup,
): MutableTargetNode[] | Vain {
  const { group, kind, name, namespace = ref.namespace ?? 'default' } = to;
  const known = lookup.kind(to);
  const sought = { group, kind, name, ...(known?.scope === 'Cluster' ? {} : { namespace }) };
  const locator = formatLocator(sought);
  if (needsGrant && !isPermitted(ref, sought, lookup)) {
    const message = `no ReferenceGrant in namespace ${namespace} permits it`;
    return { refusals: [{ to: locator, reason: 'RefNotPermitted', message }] };
  }
  const object = known === undefined ? undefined : lookup.target(locator);
  return object === undefined ? { missing: locator } : [object];
}

function selectedObjects(
  { ref }: TargetNode,
  to: SelectedTargets,
  { needsGrant = false }: Reference,
  lookup: Lookup,
): MutableTargetNode[] | Vain {
  const selected = selectTargets(to, to.namespace ?? ref.namespace, lookup);
  const objects = needsGrant ? selected.filter((object) => isPermitted(ref, object.ref, lookup)) : [...selected];
  return objects.length === 0 ? { missing: `${groupKindKey(to)}:?` } : objects;
}

/** Whether a resource may refer to another: within its namespace, to what is in none, or where a grant says so (T-24). */
export function isPermitted(from: ResourceRef, to: ResourceRef, lookup: Lookup): boolean {
  if (from.namespace === undefined || to.namespace === undefined || from.namespace === to.namespace) return true;
  const { group, kind, namespace } = from;
  return lookup.permits({ from: { group, kind, namespace }, to: { ...to, namespace: to.namespace } });
}

/** The target itself, or the sections that the reference means. */
function meantBy({ toSections, orWhole = false }: Reference, object: MutableTargetNode): readonly MutableTargetNode[] {
  if (toSections === undefined) return [object];
  const sections = object.sections.filter(({ section }) => section !== undefined && toSections(section));
  return sections.length === 0 && orWhole ? [object] : sections;
}

function admitted(
  found: readonly { readonly object: MutableTargetNode; readonly ends: readonly MutableTargetNode[] }[],
  { admits, to }: Reference,
  lookup: Lookup,
): Resolution {
  const refusals: EndRefusal[] = [];
  const absent = new Set<MutableTargetNode>();
  const ends = found.flatMap((target) =>
    target.ends.filter(({ locator, resource, section }) => {
      const refusal = admits?.({ resource, ...(section === undefined ? {} : { section }) }, lookup);
      if (refusal === 'absent') absent.add(target.object);
      else if (refusal !== undefined) refusals.push({ to: locator, reason: refusal.reason, message: refusal.message });
      return refusal === undefined;
    }),
  );
  if (found.length > 0 && found.every(({ object }) => absent.has(object))) {
    return { ends, refusals, missing: 'name' in to ? (found[0]?.object.locator ?? '') : `${groupKindKey(to)}:?` };
  }
  const vain = found.every((target) => target.ends.length === 0) ? found[0] : undefined;
  return { ends, refusals, ...(vain === undefined ? {} : { missing: `${vain.object.locator}#?` }) };
}
