import {
  type GroupKind,
  groupKindKey,
  groupOf,
  type KubernetesObject,
  namespaceOf,
  type ResourceScope,
  type TypeMeta,
} from '@policy-machinery/resource';
import { referenceGrantKind } from '@policy-machinery/target-ref/inner';
import { getOrInsert } from '../support/get-or-insert.ts';
import { checkedKinds, checkTargets, indexKinds, kindIn } from './check-kinds.ts';
import { everything, type IsComplete } from './completeness.ts';
import { checkReach } from './kind-reach.ts';
import { loadOrder } from './load-order.ts';
import type { AttachableKind } from './policy-node.ts';
import type { RequiredKind } from './required-kind.ts';
import { isVirtualKind, type SectionKind, type TargetKind } from './target-kind.ts';
import { goesEarly, isBeingDeleted } from './while-deleting.ts';

export interface KnownKind {
  readonly scope: ResourceScope;
  /** The preferred version, for resources that leave version and kind out. */
  readonly type: TypeMeta;
  /** The prefix of the locators of its resources: `httproute.gateway.networking.k8s.io:`. */
  readonly prefix: string;
  readonly target: TargetKind | undefined;
  readonly sections: readonly SectionKind[];
  readonly policy: AttachableKind | undefined;
  /** Whether its resources no longer count once their deletion has begun. */
  readonly goEarly: boolean;
  /** The index of the kind in the best order of loading. */
  readonly rank: number;
}

/** The prefix of the locators of Namespaces. */
export const namespacePrefix = 'namespace:';

export class Kinds {
  readonly targets: ReadonlyMap<string, TargetKind>;
  readonly policies: ReadonlyMap<string, AttachableKind>;
  readonly namespace: TargetKind | undefined;
  /** Whether targets of some kind may attach policies by naming them. */
  readonly hasPolicyRefs: boolean;
  /** Whether policies of some kind may select targets. */
  readonly hasSelectors: boolean;
  /** Whether other controllers may manage targets of policies. */
  readonly hasManagers: boolean;
  /** Whether policies of some kind refuse targets, by objects that refer to others. */
  readonly hasRefusals: boolean;
  /** Whether resources of some kind are targets as well as policies. */
  readonly areBoth: boolean;
  /** Whether resources of some kind no longer count once their deletion has begun. */
  readonly goEarly: boolean;
  /** The kinds of targets that controllers create resources for. */
  readonly creators: readonly TargetKind[];
  /** Whether there are virtual kinds. */
  readonly areDerived: boolean;
  /** The kinds of every topology. */
  readonly background = backgroundKinds;
  /** The stated completeness of the resources. */
  readonly #isGiven: IsComplete;
  /** The keys of all kinds, in the best order of loading. */
  readonly loadOrder: readonly string[];
  readonly #policiesByName: ReadonlyMap<string, readonly AttachableKind[]>;
  readonly #byGroup = new Map<string, Map<string, KnownKind>>();

  /** @throws {PolicyMachineryError} `invalid-kinds`, `duplicate-kind`, `unknown-kind`, `unreachable-target`. */
  constructor(targets: Iterable<TargetKind>, policies: Iterable<AttachableKind>, isComplete = everything) {
    this.#isGiven = isComplete;
    this.targets = indexKinds(checkedKinds('targetKinds', targets, 'defineTargetKind'));
    this.policies = indexKinds(checkedKinds('policyKinds', policies, 'definePolicyKind'));
    checkTargets(this);
    checkReach(this);
    this.namespace = this.targets.get('namespace');
    const policyKinds = [...this.policies.values()];
    this.#policiesByName = byName(policyKinds);
    this.hasPolicyRefs = policyKinds.some(({ extensionRefs }) => extensionRefs === true);
    this.hasSelectors = policyKinds.some(({ targetSelectors }) => targetSelectors !== undefined);
    this.hasManagers = policyKinds.some(({ manages }) => manages !== undefined);
    this.hasRefusals = policyKinds.some(({ refuses, selects }) => (refuses ?? selects) !== undefined);
    this.goEarly = [...this.targets.values(), ...policyKinds].some(goesEarly);
    this.creators = [...this.targets.values()].filter(({ creates }) => creates !== undefined);
    this.areDerived = [...this.targets.values()].some(({ derive }) => derive !== undefined);
    this.areBoth = [...this.policies.keys()].some((key) => this.targets.has(key));
    this.loadOrder = loadOrder(this);
    for (const kinds of [backgroundKinds, this.policies, this.targets])
      for (const kind of kinds.values()) this.#learn(kind);
  }

  /** Returns a kind by group and name. A name in another case is another kind. O(1). */
  get({ group, kind }: GroupKind): KnownKind | undefined {
    return this.#byGroup.get(group)?.get(kind);
  }

  /** Returns the kind of a resource. O(1). */
  of({ apiVersion, kind }: KubernetesObject): KnownKind | undefined {
    return this.get({ group: groupOf(apiVersion), kind });
  }

  /** Returns whether the resources of a kind are complete. Virtual resources, which any resource may derive, are complete if all others are. */
  readonly isComplete: IsComplete = (kind, namespace, name) => {
    const targetKind = this.targets.get(groupKindKey(kind));
    if (targetKind === undefined || !isVirtualKind(targetKind)) return this.#isGiven(kind, namespace, name);
    return [...this.targets.values()].every((each) => isVirtualKind(each) || this.#isGiven(each, undefined));
  };

  /** Returns whether a resource no longer counts, because its deletion has begun and its kind says so. */
  isGone(resource: KubernetesObject): boolean {
    return isBeingDeleted(resource) && this.of(resource)?.goEarly === true;
  }

  /** Returns the policy kinds with a name in any group and case, in the order of their groups. */
  policiesNamed(kind: string): readonly AttachableKind[] {
    return this.#policiesByName.get(kind.toLowerCase()) ?? [];
  }

  #learn(
    declaredKind: GroupKind & { readonly scope: ResourceScope; readonly versions?: readonly string[] | undefined },
  ): void {
    const target = kindIn(this.targets, declaredKind);
    const policy = kindIn(this.policies, declaredKind);
    const sections = Object.values(target?.sections ?? {});
    const goEarly = goesEarly(target) || goesEarly(policy);
    const ofGroup = getOrInsert(this.#byGroup, declaredKind.group, () => new Map<string, KnownKind>());
    const { group, kind } = declaredKind;
    const { scope, versions: [version] = ['v1'] } = target ?? policy ?? declaredKind;
    const type = { apiVersion: group === '' ? `${version}` : `${group}/${version}`, kind };
    const key = groupKindKey(declaredKind);
    const rank = this.loadOrder.indexOf(key);
    ofGroup.set(kind, { scope, type, prefix: `${key}:`, target, sections, policy, goEarly, rank });
  }
}

export function locatorFor({ scope, prefix }: KnownKind, resource: KubernetesObject): string {
  return locatorIn(prefix, scope === 'Cluster' ? undefined : namespaceOf(resource), resource.metadata.name);
}

/** Returns a locator from the prefix of its kind, as a flat string: a concatenated one is slow to compare. */
export function locatorIn(prefix: string, namespace: string | undefined, name: string): string {
  return namespace === undefined ? [prefix, name].join('') : [prefix, namespace, '/', name].join('');
}

/** The kinds of every topology, targets or not: links and attachments depend on the labels of Namespaces and on ReferenceGrants. */
const backgroundKinds: ReadonlyMap<string, RequiredKind> = indexKinds<RequiredKind>([
  { group: '', kind: 'Namespace', plural: 'namespaces', versions: ['v1'], scope: 'Cluster' },
  { ...referenceGrantKind, plural: 'referencegrants', versions: ['v1', 'v1beta1'], scope: 'Namespaced' },
]);

function byName(kinds: readonly AttachableKind[]): ReadonlyMap<string, readonly AttachableKind[]> {
  const names = new Map<string, AttachableKind[]>();
  for (const kind of kinds.toSorted((a, b) => (a.group < b.group ? -1 : 1))) {
    getOrInsert(names, kind.kind.toLowerCase(), (): AttachableKind[] => []).push(kind);
  }
  return names;
}
