import type { ContextLayer } from '@policy-machinery/effective-policy';
import type { ConcernField, ConcernName, PolicyKind } from '@policy-machinery/policy-kind';
import type { JsonObject } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { FieldState } from './field-states.ts';
import type { Strength } from './strength.ts';

/** A field of a policy, route or Gateway that decides about a concern. */
export interface Author {
  readonly kind: string;
  /** `namespace/name`. */
  readonly name: string;
  readonly locator: string;
  /** The target that the object is attached to; the object itself if it is not a policy. */
  readonly target: TargetNode;
  /** JSON Pointer to the field, from the root of the spec; `''` for the whole spec. */
  readonly pointer: string;
}

/** The effect of one effective policy, or one object on the way of a request, on a concern. */
export interface Evidence {
  readonly concern: ConcernName;
  /** `void` if the concern is switched off where nothing had it in force. */
  readonly state: FieldState['state'] | 'lost' | 'void';
  readonly strength: Strength;
  readonly author: Author;
  /** The policy that replaces the author's. Default: none. */
  readonly winner?: Author;
  /** The reason, for people. Default: the state is enough. */
  readonly because?: string;
  /** The fields that decide the concern, without fields that belong to other concerns only. */
  readonly rules?: JsonObject;
  /** The field that makes the strength less than full. Default: none, or it is not known. */
  readonly weakener?: Author;
  /** A policy that would have put the concern in force here, too, and lost. Default: none. */
  readonly replaces?: Author;
  /** Whether the author may be attached, and replace other policies of its kind then. Default: no. */
  readonly mayReplace?: boolean;
}

/** A policy kind, with the effects of its fields. */
export interface KindFacts {
  readonly kind: PolicyKind<unknown>;
  readonly isMerged: boolean;
  readonly fields: readonly ConcernField[];
  /** The stanzas of specs that are not merged. Default: the spec itself. */
  readonly stanzas?: readonly string[];
}

export function authorOf({ policy, level }: ContextLayer<unknown>, pointer: string): Author {
  const { name, locator, resource } = policy;
  return { kind: resource.kind, name, locator, target: level.target, pointer };
}

/** Returns the field that weakens the effect of a policy. */
export function weakenerIn(
  layer: ContextLayer<unknown> | undefined,
  { weakenedBy }: FieldState,
): Pick<Evidence, 'weakener'> {
  return layer === undefined || weakenedBy === undefined ? {} : { weakener: authorOf(layer, weakenedBy) };
}
