import type { DanglingReferences } from '../model/dangling-references.ts';
import type { Reference } from '../model/reference.ts';
import type { Target } from '../targets/target.ts';

/** A reference that hands something on, and what it leads to where nothing that arrives at its holder stands against that. */
export interface Relaying {
  readonly reference: Reference & Required<Pick<Reference, 'relay'>>;
  readonly ends: readonly Target[];
  /** What it hands on, and to what: nothing before it is decided. */
  value: unknown;
  open: ReadonlySet<Target>;
}

/** The relaying references of a target, and those of them that lead nowhere. */
export interface Relays {
  readonly relaying: readonly Relaying[];
  dangling: DanglingReferences | undefined;
}
