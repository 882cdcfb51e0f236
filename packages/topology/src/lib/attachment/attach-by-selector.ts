import type { DeclaredTargetSelector } from '@policy-machinery/target-ref';
import { formatRef } from '../model/format.ts';
import type { Attachment } from '../model/policy-node.ts';
import { readSafely } from '../model/read-safely.ts';
import type { TargetNode } from '../model/target-node.ts';
import { selectTargets } from '../references/select.ts';
import type { Target, WholeTarget } from '../targets/target.ts';
import { type AttachContext, isTargetOf, mayMean, meantBy } from './attach-context.ts';
import { attachmentTo, unattached } from './attachment-to.ts';
import { outOfReach } from './reach.ts';

/** The result of one selector of a policy; finished attachments, if it selects nothing. */
export type Selection =
  | readonly Attachment[]
  | {
      readonly declared: DeclaredTargetSelector;
      readonly targets: readonly Target[];
      /** The selected resources without the section of the selector. */
      readonly lacking: readonly Attachment[];
    };

/**
 * Selects targets for a policy (T-07). Targets out of the policy's reach count as missing, so that the policy does not reveal them (T-25, E-08).
 * Targets with an attachment of the policy are left out.
 */
export function selectionOf(
  declared: DeclaredTargetSelector,
  policy: AttachContext,
  untargetable: ReadonlySet<TargetNode>,
): Selection {
  const { kind, lookup, met, ref } = policy;
  const { sectionName, port } = declared;
  const isSection = sectionName !== undefined || port !== undefined;
  if (!kind.targets.some((supported) => mayMean(supported, declared, isSection)))
    return [failed(declared, 'UnsupportedTarget', policy)];
  const selected = selectTargets(declared, ref.namespace, lookup).filter(
    (target) =>
      (target.namespaceName === ref.namespace || outOfReach(ref, target.ref, kind, lookup) === undefined) &&
      isSelectable(target, policy),
  );
  if (selected.length === 0) return [failed(declared, 'NothingSelected', policy)];
  if (!isSection) return { declared, targets: withoutMet(selected, met), lacking: [] };
  const targets: Target[] = [];
  const lacking: Attachment[] = [];
  for (const object of selected) {
    const sections = meantBy(declared, object);
    if (sections.length === 0 || sections.some((section) => untargetable.has(section))) {
      lacking.push(withoutSection(declared, object, sectionName ?? String(port), policy, untargetable));
    } else if (sections.every((section) => isTargetOf(kind, section))) targets.push(...sections);
    else lacking.push(failed(declared, 'UnsupportedTarget', policy));
  }
  return { declared, targets: withoutMet(targets, met), lacking };
}

/** Returns whether the kind of a policy lets its selectors find a target. */
function isSelectable(target: WholeTarget, { locator, kind, lookup, issues }: AttachContext): boolean {
  if (kind.selects === undefined) return true;
  const found = readSafely(locator, issues, () => [
    kind.selects?.(target.resource, (ref) => {
      const known = lookup.kind(ref);
      return known && lookup.target(known, ref.namespace, ref.name)?.resource;
    }),
  ]);
  return found[0] === true;
}

function withoutMet(targets: readonly Target[], met: ReadonlySet<Target>): readonly Target[] {
  return met.size === 0 ? targets : targets.filter((target) => !met.has(target));
}

/** Returns the attachment of a selector to a selected resource without a section of the name. */
function withoutSection(
  declared: DeclaredTargetSelector,
  object: WholeTarget,
  section: string,
  { ref, kind }: AttachContext,
  untargetable: ReadonlySet<TargetNode>,
): Attachment {
  const isOwn = object.namespaceName === ref.namespace; // The names of other sections are not revealed to other namespaces (T-25).
  const targetable = isOwn ? object.sections.filter((node) => !untargetable.has(node)) : [];
  const sought = {
    asked: `selects ${formatRef({ ...object.ref, section })}`,
    ref: declared,
    sections: targetable.map((node) => node.section.name),
  };
  return { ...unattached({ declared, via: 'targetSelector' }, 'SectionNotFound', sought, kind), object };
}

/** Attaches a policy to the targets of a selection that admit it. */
export function attachSelection(
  selection: Selection,
  policy: AttachContext,
  admitted: ReadonlySet<Target>,
): readonly Attachment[] {
  if (!('targets' in selection)) return selection;
  const { declared, targets, lacking } = selection;
  const declaration = { declared, via: 'targetSelector' } as const;
  const here = admitted.size === 0 ? [] : targets.filter((target) => admitted.has(target));
  const attached = here.map((target) => attachmentTo(declaration, target, policy));
  const refused = here.length === targets.length ? [] : [failed(declared, 'TooManyPolicies', policy)];
  return refused.length + lacking.length === 0 ? attached : [...attached, ...lacking, ...refused];
}

function failed(
  declared: DeclaredTargetSelector,
  outcome: 'UnsupportedTarget' | 'NothingSelected' | 'TooManyPolicies',
  { kind }: AttachContext,
): Attachment {
  const sought = { asked: `selects ${declared.kind}`, ref: declared };
  return unattached({ declared, via: 'targetSelector' }, outcome, sought, kind);
}
