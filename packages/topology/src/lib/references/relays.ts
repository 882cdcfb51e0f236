import type { Reference } from '../model/reference.ts';
import type { Target } from '../targets/target.ts';

/** A reference that hands a value on, and the ends of the links that stay. */
export interface Relaying {
  readonly reference: Reference;
  readonly relay: NonNullable<Reference['relay']>;
  readonly ends: readonly Target[];
  /** The value, and the ends that it is handed on to: none before the reference is decided. */
  value: unknown;
  open: ReadonlySet<Target>;
}
