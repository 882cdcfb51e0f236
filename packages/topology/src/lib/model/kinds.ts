import {
  type GroupKind,
  groupKindKey,
  groupOf,
  type KubernetesObject,
  namespaceOf,
  type Scope,
} from '@policy-machinery/resource';
import { referenceGrantKind } from '@policy-machinery/target-ref';
import { getOrInsert } from '../support/get-or-insert.ts';
import { checkedKinds, checkTargets } from './check-kinds.ts';
import { indexKinds, type KindIndex, kindIn } from './kind-index.ts';
import { checkReach } from './kind-reach.ts';
import { loadOrder } from './load-order.ts';
import type { AttachableKind } from './policy-node.ts';
import type { RequiredKind } from './required-kind.ts';
import type { SectionKind, TargetKind } from './target-kind.ts';
import { goesEarly, isBeingDeleted } from './while-deleting.ts';

/** What a topology knows of a kind. */
export interface KnownKind {
  readonly scope: Scope;
  /** What the locators of its resources begin with: `httproute.gateway.networking.k8s.io:`. */
  readonly prefix: string;
  readonly target: TargetKind | undefined;
  /** The kinds of sections that its resources have. */
  readonly sections: readonly SectionKind[];
  readonly policy: AttachableKind | undefined;
  /** Whether its resources are gone once their deletion has begun. */
  readonly goEarly: boolean;
  /** Where the kind is among all kinds in the order in which resources are best loaded. */
  readonly rank: number;
}

/** What the locators of Namespaces begin with. */
export const namespacePrefix = 'namespace:';

/** The kinds of a topology. */
export class Kinds {
  readonly targets: KindIndex<TargetKind>;
  readonly policies: KindIndex<AttachableKind>;
  /** That of Namespaces, if they are targets. */
  readonly namespace: TargetKind | undefined;
  /** Whether targets may attach policies by naming them. */
  readonly hasPolicyRefs: boolean;
  /** Whether policies may select targets. */
  readonly hasSelectors: boolean;
  /** Whether someone else may manage targets of policies. */
  readonly hasManagers: boolean;
  /** Whether resources of some kind are targets as well as policies. */
  readonly areBoth: boolean;
  /** Whether resources of some kind are gone once their deletion has begun. */
  readonly goEarly: boolean;
  /** Whether there are virtual kinds. */
  readonly areDerived: boolean;
  /** The kinds that every topology takes in. */
  readonly background = backgroundKinds;
  /** The keys of all kinds, in the order in which their resources are best loaded. */
  readonly loadOrder: readonly string[];
  readonly #policiesByName: ReadonlyMap<string, readonly AttachableKind[]>;
  readonly #byGroup = new Map<string, Map<string, KnownKind>>();

  /** @throws {PolicyMachineryError} `invalid-kinds`, `duplicate-kind`, `unknown-kind`, `unreachable-target`. */
  constructor(targets: Iterable<TargetKind>, policies: Iterable<AttachableKind>) {
    this.targets = indexKinds(checkedKinds('targetKinds', targets, 'defineTargetKind'));
    this.policies = indexKinds(checkedKinds('policyKinds', policies, 'definePolicyKind'));
    checkTargets(this);
    checkReach(this.policies.values(), (kind) => kindIn(this.targets, kind), [...this.targets.values()]);
    this.namespace = this.targets.get('namespace');
    const all = [...this.policies.values()];
    this.#policiesByName = byName(all);
    this.hasPolicyRefs = all.some(({ extensionRefs }) => extensionRefs === true);
    this.hasSelectors = all.some(({ targetSelectors }) => targetSelectors !== undefined);
    this.hasManagers = all.some(({ manages }) => manages !== undefined);
    this.goEarly = [...this.targets.values(), ...all].some(goesEarly);
    this.areDerived = [...this.targets.values()].some(({ derive }) => derive !== undefined);
    this.areBoth = [...this.policies.keys()].some((key) => this.targets.has(key));
    this.loadOrder = loadOrder(this);
    for (const kinds of [backgroundKinds, this.policies, this.targets])
      for (const kind of kinds.values()) this.#learn(kind);
  }

  /** What is known of a kind, in its own spelling: a kind in another case is another kind. O(1). */
  get({ group, kind }: GroupKind): KnownKind | undefined {
    return this.#byGroup.get(group)?.get(kind);
  }

  /** What is known of the kind of a resource. O(1). */
  of({ apiVersion, kind }: KubernetesObject): KnownKind | undefined {
    return this.get({ group: groupOf(apiVersion), kind });
  }

  /** Whether a resource is as if it were gone, since its deletion has begun and its kind says so. */
  isGone(resource: KubernetesObject): boolean {
    return isBeingDeleted(resource) && this.of(resource)?.goEarly === true;
  }

  /** The policy kinds of a name, whatever their group and the case of its letters, in the order of their groups. */
  policiesNamed(kind: string): readonly AttachableKind[] {
    return this.#policiesByName.get(kind.toLowerCase()) ?? [];
  }

  /** A policy kind, whatever the case of its letters. */
  policyKind(sought: GroupKind): AttachableKind | undefined {
    return this.policies.get(groupKindKey(sought));
  }

  #learn(known: GroupKind & { readonly scope: Scope }): void {
    const target = kindIn(this.targets, known);
    const policy = kindIn(this.policies, known);
    const sections = Object.values(target?.sections ?? {});
    const goEarly = goesEarly(target) || goesEarly(policy);
    const ofGroup = getOrInsert(this.#byGroup, known.group, () => new Map<string, KnownKind>());
    const { scope } = target ?? policy ?? known;
    const key = groupKindKey(known);
    const rank = this.loadOrder.indexOf(key);
    ofGroup.set(known.kind, { scope, prefix: `${key}:`, target, sections, policy, goEarly, rank });
  }
}

/** The locator of a resource of a kind. */
export function locatorFor({ scope, prefix }: KnownKind, resource: KubernetesObject): string {
  return locatorIn(prefix, scope === 'Cluster' ? undefined : namespaceOf(resource), resource.metadata.name);
}

/** A locator by what locators of its kind begin with. In one piece: one that `+` puts together is slow to compare. */
export function locatorIn(prefix: string, namespace: string | undefined, name: string): string {
  return namespace === undefined ? [prefix, name].join('') : [prefix, namespace, '/', name].join('');
}

/**
 * The kinds that every topology takes in, whether or not they are targets: links and attachments depend on the labels of
 * Namespaces and on ReferenceGrants.
 */
const backgroundKinds: KindIndex<RequiredKind> = indexKinds<RequiredKind>([
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
