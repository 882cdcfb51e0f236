import { withDefaults } from '@policy-machinery/resource/inner';
import type { SectionDefinition, SectionKind, TargetKind, TargetKindDefinition } from './target-kind.ts';
import type { StatusDefinition } from './target-status.ts';
import type { WhileDeleting } from './while-deleting.ts';

/**
 * Declares a kind of target.
 *
 * @param definition Group, kind, scope, sections and references.
 * @returns The kind, with its sections as their own targets.
 * @example
 * ```ts
 * const Shelf = defineTargetKind({
 *   group: 'library.example.com',
 *   kind: 'Shelf',
 *   sections: { board: { list: (shelf) => objectsIn(specOf(shelf).boards).map((value) => ({ value })) } },
 * });
 * Shelf.sections.board; // can be targeted too
 * ```
 */
export function defineTargetKind<const SectionName extends string = never>(
  definition: TargetKindDefinition<SectionName>,
): TargetKind<SectionName> {
  const sections: Record<string, SectionKind> = {};
  const complete = withDefaults<TargetKindDefinition, 'scope' | 'references' | 'policyRefs' | 'mayReferTo'>(
    definition,
    {
      scope: 'Namespaced',
      references: () => [],
      policyRefs: () => [],
      mayReferTo: () => holdsReferences(definition),
    },
  );
  const kind: TargetKind = { ...complete, sections };
  for (const [section, parts] of Object.entries<SectionDefinition>(definition.sections ?? {})) {
    const completeParts = withDefaults<SectionDefinition, 'nameOf' | 'references' | 'policyRefs'>(parts, {
      nameOf: (index) => String(index + 1),
      references: () => [],
      policyRefs: () => [],
    });
    sections[section] = { ...completeParts, of: kind, section };
  }
  return kind as TargetKind<SectionName>;
}

function holdsReferences({ references, sections }: TargetKindDefinition): boolean {
  const parts = Object.values<SectionDefinition>(sections ?? {});
  return references !== undefined || parts.some((section) => section.references !== undefined);
}

/**
 * Returns a copy of a kind that says whether resources count while they are being deleted.
 *
 * @param kind The kind. Policies that target one of the two target both, because a kind is identified by its group and name.
 * @param whileDeleting Whether a resource counts while it is being deleted.
 */
export function withWhileDeleting(kind: TargetKind, whileDeleting: WhileDeleting): TargetKind {
  return copyWith(kind, { whileDeleting });
}

/**
 * Returns a copy of a kind with resources that have their own status.
 *
 * @param kind The kind. Policies that target one of the two target both, because a kind is identified by its group and name.
 * @param status The status of the kind.
 */
export function withStatus(kind: TargetKind, status: StatusDefinition): TargetKind {
  return copyWith(kind, { status });
}

/**
 * Returns a copy of a kind: a controller creates others for its resources.
 *
 * @param kind The kind. Policies that target one of the two target both, because a kind is identified by its group and name.
 * @param creates Returns the resources that a controller creates for a resource.
 */
export function withCreations(kind: TargetKind, creates: NonNullable<TargetKind['creates']>): TargetKind {
  return copyWith(kind, { creates });
}

function copyWith(kind: TargetKind, change: Pick<TargetKind, 'whileDeleting' | 'status' | 'creates'>): TargetKind {
  const sections: Record<string, SectionKind> = {};
  const copy: TargetKind = { ...kind, sections, ...change };
  for (const [name, section] of Object.entries(kind.sections)) sections[name] = { ...section, of: copy };
  return copy;
}
