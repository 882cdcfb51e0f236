import type { DeclaredTargetSelector } from '@policy-machinery/target-ref';
import { formatRef } from '../model/format.ts';
import type { AttachableKind, Attachment } from '../model/policy-node.ts';
import { readSafely } from '../model/read-safely.ts';
import { isSelectionComplete } from '../references/resolve.ts';
import { selectTargets } from '../references/select.ts';
import { none } from '../support/nothing.ts';
import type { Target, WholeTarget } from '../targets/target.ts';
import {
  type AttachContext,
  isTargetOf,
  mayMean,
  meantBy,
  type Selection,
  targetableSections,
} from './attach-context.ts';
import { type Failure, unattached } from './attachment-issue.ts';
import { outOfReach } from './reach.ts';

/**
 * Finds the targets that a policy selects. Targets out of the policy's reach count as missing, so that the policy does not reveal them. Targets with
 * an attachment of the policy are left out.
 */
export function targetsSelected(declared: DeclaredTargetSelector, policy: AttachContext): Selection {
  const { kind, lookup, met, ref, untargetable } = policy;
  const { sectionName, port } = declared;
  const declaration = { declared, via: 'targetSelector' } as const;
  const isFree = kind.crossNamespace !== 'granted';
  const fail = (outcome: Failure): Selection => ({
    ...declaration,
    targets: none,
    failed: [
      failed(
        declared,
        outcome,
        kind,
        outcome === 'NothingSelected' && !isSelectionComplete(declared, ref.namespace, isFree, lookup),
      ),
    ],
  });
  const isSection = sectionName !== undefined || port !== undefined;
  if (!kind.targets.some((supported) => mayMean(supported, declared, isSection))) return fail('UnsupportedTarget');
  const selected = selectTargets(declared, ref.namespace, lookup).filter(
    (target) =>
      (target.namespaceName === ref.namespace || outOfReach(ref, target.ref, kind, lookup) === undefined) &&
      isSelectable(target, policy),
  );
  if (selected.length === 0) return fail('NothingSelected');
  const targets: Target[] = [];
  const lacking: Attachment[] = [];
  for (const object of selected) {
    const ends = isSection ? meantBy(declared, object) : [object];
    if (ends.length === 0 || ends.some((section) => untargetable.has(section))) {
      lacking.push(withoutSection(declared, object, policy));
    } else if (isSection && !ends.every((section) => isTargetOf(kind, section))) {
      lacking.push(failed(declared, 'UnsupportedTarget', kind));
    } else for (const target of ends) if (!met.has(target)) targets.push(target);
  }
  return { ...declaration, targets, failed: lacking, crowdedOut: failed(declared, 'TooManyPolicies', kind) };
}

/** Returns whether the kind of a policy lets its selectors find a target. */
function isSelectable(target: WholeTarget, { locator, kind, lookup, issues }: AttachContext): boolean {
  if (kind.selects === undefined) return true;
  const selectors = readSafely(locator, issues, () => [kind.selects?.(target.resource, lookup.findObject)]);
  return selectors[0] === true;
}

/** Returns the attachment of a selector to a selected resource without the section of the selector. */
function withoutSection(declared: DeclaredTargetSelector, object: WholeTarget, policy: AttachContext): Attachment {
  const { sectionName: section = String(declared.port) } = declared;
  const sought = {
    asked: `selects ${formatRef({ ...object.ref, section })}`,
    ref: declared,
    sections: targetableSections(policy, object),
  };
  return { ...unattached({ declared, via: 'targetSelector' }, 'SectionNotFound', sought, policy.kind), object };
}

function failed(
  declared: DeclaredTargetSelector,
  outcome: Failure,
  kind: AttachableKind,
  isUndecided = false,
): Attachment {
  const sought = { asked: `selects ${declared.kind}`, ref: declared, isUndecided };
  return unattached({ declared, via: 'targetSelector' }, outcome, sought, kind);
}
