import {
  createVerifier,
  type Guarantee,
  guaranteeIssues,
  isGuarantee,
  readGuarantee,
  type Verifier,
} from '@policy-machinery/guarantees';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { Topology } from '@policy-machinery/topology';
import { commonReading } from '../answers/regular-expressions.ts';
import type { PageGuarantees } from '../model/page-guarantees.ts';
import type { World } from '../model/world.ts';
import { concernsIn } from './concerns-in.ts';
import { unreadIn } from './read-guarantees.ts';
import { verifiedKinds } from './verified-kinds.ts';
import { asFarAsRead } from './verify-world.ts';

/** Verifies the guarantees among the objects of a world. After a change of the world, only guarantees that the change touches are verified again. */
export class PageVerdicts {
  #last: { readonly topology: Topology; readonly verifier: Verifier } | undefined;
  #readsConcerns = false;
  readonly #readings = new WeakMap<KubernetesObject, ReturnType<typeof readGuarantee>>();

  /**
   * Verifies guarantees.
   *
   * @param world The world. A guarantee that is faulty does not keep others from being verified.
   */
  of(world: World): PageGuarantees {
    const readings = world.objects.filter(isGuarantee).map((object) => this.#read(object));
    const kinds = verifiedKinds(world);
    const concerns = concernsIn(world);
    const faults = readings.flatMap(({ issues }) => issues);
    const sound: Guarantee[] = [];
    for (const { guarantee } of readings) {
      if (guarantee === undefined) continue;
      const issues = guaranteeIssues([guarantee], { kinds, concerns });
      if (issues.length === 0) sound.push(guarantee);
      else faults.push(...issues);
    }
    const verdicts = sound.length === 0 ? [] : this.#verifierOf(world, kinds).verdicts(sound);
    const unread = unreadIn(world);
    return {
      verdicts: verdicts.map((verdict) => asFarAsRead(verdict, world)),
      issues: faults.map((issue) => world.locate(issue)),
      notes: unread === undefined ? [] : [unread],
    };
  }

  #read(object: KubernetesObject): ReturnType<typeof readGuarantee> {
    const reading = this.#readings.get(object) ?? readGuarantee(object);
    this.#readings.set(object, reading);
    return reading;
  }

  #verifierOf(world: World, kinds: ReturnType<typeof verifiedKinds>): Verifier {
    const { topology } = world;
    // A verifier does not follow how requests meet concerns.
    if (this.#last?.topology !== topology || this.#readsConcerns) {
      this.#readsConcerns = false;
      const concernsAt = concernsIn(world);
      const concerns: typeof concernsAt = (...asked) => {
        this.#readsConcerns = true;
        return concernsAt(...asked);
      };
      const verifier = createVerifier({ topology, kinds, concerns, ...commonReading() });
      this.#last = { topology, verifier };
    }
    return this.#last.verifier;
  }
}
