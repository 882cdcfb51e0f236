import type { ChangeInProgress } from '../changes/change-record.ts';
import type { World } from '../changes/topology-state.ts';
import type { VainReferences } from '../model/dangling-references.ts';
import type { Reference } from '../model/reference.ts';
import type { Target, WholeTarget } from '../targets/target.ts';

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
  vain: VainReferences | undefined;
}

/** Notes the relaying references of a target, which are decided when all links are there. */
export function setRelays(world: World, holder: Target, relaying: readonly Relaying[], record: ChangeInProgress): void {
  if (relaying.length > 0) {
    world.relays.set(holder, { relaying, vain: world.relays.get(holder)?.vain });
    record.relaying.add(holder);
  } else if (world.relays.delete(holder)) record.report(world.issues.set('relays', holder, []));
}

/** The targets of an object that hold relaying references. */
export function* relayingIn({ relays }: Pick<World, 'relays'>, object: WholeTarget): Iterable<Target> {
  for (const target of [object, ...object.sections]) if (relays.has(target)) yield target;
}
