import { formatLocator, groupKindKey, type ResourceRef } from '@policy-machinery/resource';
import { locatorIn } from './kinds.ts';
import type { Lookup } from './lookup.ts';
import type { LinkEnd, NamedTarget, Reference, Refusal, SelectedTargets } from './reference.ts';
import { selectTargets } from './select.ts';
import type { Target, WholeTarget } from './target.ts';

/** A reference and what it leads to. */
export interface Resolution {
  readonly reference: Reference;
  readonly ends: readonly Target[];
  /** Locator of what it leads to in vain. */
  readonly missing: string | undefined;
  /** What does not admit it. */
  readonly refusals: readonly EndRefusal[];
}

/** One end that a reference does not reach. */
export interface EndRefusal extends Refusal {
  /** Locator of what refuses, or of what no grant permits, whether that exists or not. */
  readonly to: string;
}

const none: readonly never[] = [];

/** Resolves one reference. The result depends on its holder and on the answers of `lookup` only. */
export function resolveReference(from: Target, reference: Reference, lookup: Lookup): Resolution {
  return 'name' in reference.to
    ? resolveNamed(from, reference.to, reference, lookup)
    : resolveSelected(from, reference.to, reference, lookup);
}

function resolveNamed(from: Target, to: NamedTarget, reference: Reference, lookup: Lookup): Resolution {
  const known = lookup.kind(to);
  const namespace = known?.scope === 'Cluster' ? undefined : (to.namespace ?? from.namespaceName ?? 'default');
  const mayLeave = reference.needsGrant !== true || namespace === undefined || namespace === from.namespaceName;
  if (!mayLeave && !isPermitted(from.ref, { ...to, namespace }, lookup)) {
    const message = `no ReferenceGrant in namespace ${namespace} permits it`;
    const refusals = [{ to: locatorOf(to, namespace, known?.prefix), reason: 'RefNotPermitted', message }];
    return { reference, ends: none, refusals, missing: undefined };
  }
  const object = known?.target && lookup.target(known, namespace, to.name);
  if (object === undefined) {
    return { reference, ends: none, refusals: none, missing: locatorOf(to, namespace, known?.prefix) };
  }
  const ends = meantBy(reference, object);
  if (reference.admits === undefined && ends.length > 0) return { reference, ends, refusals: none, missing: undefined };
  return admitted([{ object, ends }], reference, lookup);
}

function locatorOf(to: NamedTarget, namespace: string | undefined, prefix: string | undefined): string {
  if (prefix !== undefined) return locatorIn(prefix, namespace, to.name);
  const { group, kind, name } = to;
  return formatLocator({ group, kind, name, ...(namespace === undefined ? {} : { namespace }) });
}

function resolveSelected(from: Target, to: SelectedTargets, reference: Reference, lookup: Lookup): Resolution {
  const { ref } = from;
  const selected = selectTargets(to, to.namespace ?? ref.namespace, lookup);
  const isFree = reference.needsGrant !== true;
  const objects = isFree ? selected : selected.filter((object) => isPermitted(ref, object.ref, lookup));
  if (objects.length === 0) return { reference, ends: none, refusals: none, missing: `${groupKindKey(to)}:?` };
  return admitted(
    objects.map((object) => ({ object, ends: meantBy(reference, object) })),
    reference,
    lookup,
  );
}

/** Whether a resource may refer to another: within its namespace, to what is in none, or where a grant says so (T-24). */
export function isPermitted(
  from: ResourceRef,
  to: Pick<ResourceRef, 'group' | 'kind' | 'name'> & { readonly namespace?: string | undefined },
  lookup: Lookup,
): boolean {
  if (from.namespace === undefined || to.namespace === undefined || from.namespace === to.namespace) return true;
  const { group, kind, namespace } = from;
  const { group: toGroup, kind: toKind, namespace: toNamespace, name } = to;
  return lookup.permits({
    from: { group, kind, namespace },
    to: { group: toGroup, kind: toKind, namespace: toNamespace, name },
  });
}

/** The target itself, or the sections that the reference means. */
function meantBy({ toSections, orWhole = false }: Reference, object: WholeTarget): readonly Target[] {
  if (toSections === undefined) return [object];
  const sections = kept(object.sections, ({ section }) => toSections(section));
  return sections.length === 0 && orWhole ? [object] : sections;
}

/** As `filter`, but where all are kept the list itself is handed on: most are lists of one. */
function kept<Item>(items: readonly Item[], isKept: (item: Item) => boolean): readonly Item[] {
  if (items.length === 1) return isKept(items[0] as Item) ? items : none;
  let found: Item[] | undefined;
  for (const item of items) {
    if (!isKept(item)) continue;
    if (found === undefined) found = [item];
    else found.push(item);
  }
  return found?.length === items.length ? items : (found ?? none);
}

/** What a reference names or selects, and what it means of that. */
interface Found {
  readonly object: WholeTarget;
  readonly ends: readonly Target[];
}

function admitted(found: readonly Found[], reference: Reference, lookup: Lookup): Resolution {
  const { admits, to } = reference;
  const refusals: EndRefusal[] = [];
  const absentOnes: Target[] = [];
  const admittedOf = ({ object, ends: meant }: Found): readonly Target[] =>
    kept(meant, (end) => {
      const refusal = admits?.(linkEndOf(end), lookup);
      if (refusal === 'absent') absentOnes.push(object);
      else if (refusal !== undefined)
        refusals.push({ to: end.locator, reason: refusal.reason, message: refusal.message });
      return refusal === undefined;
    });
  const [only] = found;
  const ends = only !== undefined && found.length === 1 ? admittedOf(only) : found.flatMap(admittedOf);
  const absent = absentOnes.length === 0 ? undefined : new Set(absentOnes);
  if (absent !== undefined && found.every(({ object }) => absent.has(object))) {
    const missing = 'name' in to ? (found[0]?.object.locator ?? '') : `${groupKindKey(to)}:?`;
    return { reference, ends, refusals, missing };
  }
  const vain = found.every((target) => target.ends.length === 0) ? found[0] : undefined;
  return { reference, ends, refusals, missing: vain && `${vain.object.locator}#?` };
}

function linkEndOf({ resource, section }: Target): LinkEnd {
  return section === undefined ? { resource } : { resource, section };
}
