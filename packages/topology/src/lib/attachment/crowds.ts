import type { KubernetesObject } from '@policy-machinery/resource';
import { ageOf } from '../model/age.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { emptySet } from '../support/nothing.ts';
import type { Target } from '../targets/target.ts';
import type { AttachedPolicy } from './attach-context.ts';

/** The maximum number of policies of one kind and namespace that are attached to one target by selectors. */
export const maxSelectingPolicies = 64;

/** The policies of one kind and namespace that select targets. */
interface Crowd {
  /** The policies attached to each target by selectors, the oldest first. */
  readonly membersAt: Map<Target, Member[]>;
  /** The policies that are not attached to all targets that they select. */
  readonly refused: Set<Member>;
}

interface Member {
  readonly policy: AttachedPolicy;
  /** The age and locator as a text, for comparing. */
  age: string;
  /** The targets that the policy is attached to. */
  admitted: ReadonlySet<Target>;
}

/**
 * Decides which policies are attached to the targets that they select: the oldest ones at each target, so that the number of attachments grows
 * with the cluster and not with its square. Policies of other kinds and namespaces do not matter.
 */
export class Crowds {
  readonly #crowds = new Map<string, Crowd>();
  readonly #members = new Map<AttachedPolicy, Member>();
  readonly #stale = new Set<AttachedPolicy>();

  /** The policies that have to be attached again, because others were added or removed; including those that become so during iteration. */
  get stale(): Iterable<AttachedPolicy> {
    return this.#stale;
  }

  /**
   * Admits a policy to targets that it selects, unless too many older policies select them, and removes it from all other targets.
   *
   * @param resource The current resource of the policy.
   * @param selected The selected targets, each once.
   * @returns The targets that admit it. O(selected targets).
   */
  admit(policy: AttachedPolicy, resource: KubernetesObject, selected: readonly Target[]): ReadonlySet<Target> {
    const existingMember = this.#members.get(policy);
    if (existingMember === undefined && selected.length === 0) return emptySet;
    const age = ageOf(policy.locator, resource);
    const member = existingMember ?? { policy, age, admitted: emptySet };
    const crowd = getOrInsert(this.#crowds, keyOf(policy), (): Crowd => ({ membersAt: new Map(), refused: new Set() }));
    const { admitted: admittedBefore, age: wasAge } = member;
    for (const target of admittedBefore) leave(crowd, target, member);
    member.age = age;
    const admitted = new Set(selected.filter((target) => this.#enter(crowd, target, member)));
    member.admitted = admitted;
    if (admitted.size < selected.length) crowd.refused.add(member);
    else crowd.refused.delete(member);
    if (wasAge !== age || hasOthers(admittedBefore, admitted))
      for (const other of crowd.refused) this.#stale.add(other.policy);
    this.#stale.delete(policy);
    if (selected.length > 0) this.#members.set(policy, member);
    else this.#members.delete(policy);
    if (crowd.membersAt.size === 0) this.#crowds.delete(keyOf(policy));
    return admitted;
  }

  #enter({ membersAt }: Crowd, target: Target, member: Member): boolean {
    const policiesHere = membersAt.get(target);
    if (policiesHere === undefined) {
      membersAt.set(target, [member]);
      return true;
    }
    let place = policiesHere.length;
    while (place > 0 && member.age < (policiesHere[place - 1] as Member).age) place -= 1;
    if (place >= maxSelectingPolicies) return false;
    policiesHere.splice(place, 0, member);
    const youngest = policiesHere.length > maxSelectingPolicies ? policiesHere.pop() : undefined;
    if (youngest !== undefined) this.#stale.add(youngest.policy);
    return true;
  }
}

function leave({ membersAt }: Crowd, target: Target, member: Member): void {
  const policiesHere = membersAt.get(target) ?? [];
  const place = policiesHere.indexOf(member);
  if (place >= 0) policiesHere.splice(place, 1); // An older policy may have replaced it.
  if (policiesHere.length === 0) membersAt.delete(target);
}

/** Returns whether one set has targets that the other one lacks. */
function hasOthers(some: ReadonlySet<Target>, other: ReadonlySet<Target>): boolean {
  for (const target of some) if (!other.has(target)) return true;
  return false;
}

/** Returns the part of a locator with kind and namespace. */
function keyOf({ locator }: AttachedPolicy): string {
  return locator.slice(0, Math.max(locator.indexOf('/'), locator.indexOf(':')));
}
