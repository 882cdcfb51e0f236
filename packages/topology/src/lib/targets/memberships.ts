import { groupKindKey } from '@policy-machinery/resource';
import { locatorIn } from '../model/kinds.ts';
import type { TargetKind } from '../model/target-kind.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { none } from '../support/nothing.ts';
import type { WholeTarget } from './target.ts';

/** A container that an object states, whether the topology holds the container or not. */
interface Membership {
  readonly container: TargetKind;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly locator: string;
}

/** The members of containers of custom kinds, as objects state them. */
export class Memberships {
  readonly #containers: readonly TargetKind[];
  readonly #isNamespace: (kind: TargetKind) => boolean;
  readonly #stated = new Map<WholeTarget, readonly Membership[]>();
  readonly #members = new Map<string, Set<WholeTarget>>();

  constructor(kinds: Iterable<TargetKind>, namespace: TargetKind | undefined) {
    this.#containers = [...kinds].filter(({ memberOf }) => memberOf !== undefined);
    this.#isNamespace = (kind) => kind === namespace;
  }

  /** Whether there are kinds of containers. */
  get isUsed(): boolean {
    return this.#containers.length > 0;
  }

  /** Returns the members of a container by its locator, in no order. */
  of(locator: string): Iterable<WholeTarget> {
    return this.#members.get(locator) ?? none;
  }

  /** Returns the memberships that an object states, those in cluster-scoped containers first. */
  statedBy(object: WholeTarget): readonly Membership[] {
    return this.#stated.get(object) ?? none;
  }

  /** Reads the memberships that an object states. Namespaces and containers are members of nothing. */
  read({ kind, resource, namespaceName }: WholeTarget): readonly Membership[] {
    if (kind.memberOf !== undefined || this.#isNamespace(kind)) return none;
    const stated = this.#containers.flatMap((container): readonly Membership[] => {
      const isWide = container.scope === 'Cluster';
      if (!isWide && namespaceName === undefined) return none;
      const name = container.memberOf?.(resource);
      if (typeof name !== 'string' || name === '') return none;
      const namespace = isWide ? undefined : namespaceName;
      return [{ container, namespace, name, locator: locatorIn(`${groupKindKey(container)}:`, namespace, name) }];
    });
    return stated.sort((a, b) => Number(a.namespace !== undefined) - Number(b.namespace !== undefined));
  }

  /** Sets the memberships of an object, in place of earlier ones. */
  set(object: WholeTarget, memberships: readonly Membership[]): void {
    for (const { locator } of this.statedBy(object)) {
      const members = this.#members.get(locator);
      members?.delete(object);
      if (members?.size === 0) this.#members.delete(locator);
    }
    for (const { locator } of memberships)
      getOrInsert(this.#members, locator, () => new Set<WholeTarget>()).add(object);
    if (memberships.length === 0) this.#stated.delete(object);
    else this.#stated.set(object, memberships);
  }
}
