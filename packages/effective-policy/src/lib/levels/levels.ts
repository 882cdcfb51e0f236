/*
 * levels/ takes the policies of a topology and returns levels. A level is a target with the policies attached to it, in conflict order. A slot
 * is the place of a level: the slot stays when policies are edited, so that contexts need not be found again.
 */
import { byEstablished, type Policy, type PolicyKind } from '@policy-machinery/policy-kind';
import type { ChangeRecord, PolicyNode, TargetNode, Topology } from '@policy-machinery/topology';
import { emptySet, none } from '../support/nothing.ts';
import { isEqualList } from '../support/same.ts';
import { isOneOfTargetables } from '../support/targetables.ts';
import { type Attached, attach, byTargets, ways } from './attached.ts';
import { countingWithin, type PolicyCounter, type PolicyLimits } from './counting-policies.ts';
import {
  type CountingAttachment,
  countingAttachments,
  type DeclaredPolicy,
  objectWithoutSection,
  readPolicy,
} from './declared-policy.ts';
import { barringLevel, type Level, LevelSlot, levelOf, policiesIn } from './level.ts';
import type { OwnValues } from './own-value.ts';
import { PolicyIndex } from './policy-index.ts';
import { isLikeLevel, isSameLevel } from './same-level.ts';
import { barringAncestors, type Verdicts } from './verdict.ts';

/** The options that decide which policies count. */
export interface LevelOptions extends PolicyLimits {
  /** The namespace that traffic comes from; `undefined` for traffic from elsewhere. */
  readonly trafficFrom: string | undefined;
  /** The controller's verdicts on policies. */
  readonly verdicts: Verdicts;
}

/** A source of policies that have been read already, such as the effective policies of the same kind in another topology. */
export interface ReadPolicies<Spec> {
  /** Returns a policy by its locator, of any version. */
  readonly policy: (locator: string) => DeclaredPolicy<Spec> | undefined;
}

/** The effects of a change on levels. */
export interface ChangedLevels<Spec> {
  readonly targets: ReadonlySet<TargetNode>;
  /** The targets with different slots. */
  readonly moved: ReadonlySet<TargetNode>;
  readonly gone: readonly LevelSlot<Spec>[];
  /** The slots that stay, each with its level before the change. */
  readonly edited: ReadonlyMap<LevelSlot<Spec>, Level<Spec>>;
}

/** The policies of a kind, and the levels of the targets that they are attached to. */
export class Levels<Spec> {
  readonly #topology: Topology;
  readonly #kind: PolicyKind<Spec>;
  readonly #own: OwnValues<Spec>;
  /** Returns whether the own value of a target is a level. The own value of an effective target is not, because it is for this target alone. */
  /** Returns whether the own value of a target is one of its levels, and not for the contexts of the target alone. */
  readonly hasOwnLevel: (target: TargetNode) => boolean;
  readonly #options: LevelOptions;
  readonly #counting: PolicyCounter;
  /** The locators of the policies beyond the limits, by target. */
  readonly #surplus = new Map<TargetNode, ReadonlySet<string>>();
  readonly #declared = new Map<string, DeclaredPolicy<Spec>>();
  readonly #elsewhere: ReadPolicies<Spec> | undefined;
  readonly #slots = new Map<TargetNode, readonly LevelSlot<Spec>[]>();
  #sorted: readonly DeclaredPolicy<Spec>[] | undefined;
  /** The policies that name a missing section, with the object. */
  readonly #withoutSection = new PolicyIndex();
  /** The policies that are barred from contexts through a target, with the target. */
  readonly #bars = new PolicyIndex();
  /** The policies that count for traffic from the namespace alone. */
  readonly #consumers = new Set<string>();

  /**
   * @param ownValues The own values of targets.
   * @param earlier A source of policies that have been read. It is not kept.
   * @param elsewhere Another source, which is kept, because it goes on reading policies.
   */
  constructor(
    topology: Topology,
    kind: PolicyKind<Spec>,
    ownValues: OwnValues<Spec>,
    options: LevelOptions,
    earlier: ReadPolicies<Spec> | undefined,
    elsewhere: ReadPolicies<Spec> | undefined,
  ) {
    this.#topology = topology;
    this.#kind = kind;
    this.#own = ownValues;
    this.hasOwnLevel = isOneOfTargetables(kind.ownValueTargets);
    this.#options = options;
    this.#elsewhere = elsewhere;
    this.#counting = countingWithin(options, kind);
    const attached = new Map<TargetNode, Attached<Spec>>();
    for (const node of topology.policies(kind)) {
      if (this.#isForOthers(node)) continue;
      const declared = this.#read(node, earlier?.policy(node.locator));
      this.#declare(node.locator, declared);
      attach(countingAttachments(declared, options.trafficFrom), declared, attached);
    }
    for (const [target, attachments] of attached)
      this.#slots.set(target, slotsFor(this.#levelsFrom(target, attachments)));
    for (const target of topology.targetsOf(kind.ownValueTargets)) {
      const levels = this.#ownLevelAt(target);
      if (levels.length > 0) this.#slots.set(target, [...this.at(target), ...slotsFor(levels)]);
    }
    for (const target of this.#barring(this.#bars.targets)) {
      this.#slots.set(target, [...slotsFor(this.#barsAt(target)), ...this.at(target)]);
    }
  }

  /**
   * Sets a policy, or removes it.
   *
   * @returns The targets that barred the policy, or bar it now.
   */
  #declare(locator: string, declared: DeclaredPolicy<Spec> | undefined): readonly TargetNode[] {
    if (declared === undefined) this.#declared.delete(locator);
    else this.#declared.set(locator, declared);
    this.#noteConsumer(locator, declared);
    this.#withoutSection.set(locator, this.#objectsWithoutSection(declared));
    return this.#barring(this.#bars.set(locator, declared === undefined ? none : barringAncestors(declared)));
  }

  /** Reads a policy, or returns the earlier reading of the same resource, here or elsewhere: both then share the policy. */
  #read(node: PolicyNode, declaredBefore: DeclaredPolicy<Spec> | undefined): DeclaredPolicy<Spec> {
    const isSame = declaredBefore !== undefined && declaredBefore.node.resource === node.resource;
    const declaredElsewhere = isSame ? declaredBefore : this.#elsewhere?.policy(node.locator);
    return readPolicy(node, this.#kind, this.#options.verdicts, declaredElsewhere);
  }

  /** Returns whether a policy counts for traffic from other namespaces only. Such policies are read when somebody asks: there may be many. */
  #isForOthers({ attachments }: PolicyNode): boolean {
    const { trafficFrom } = this.#options;
    if (trafficFrom === undefined || attachments.length === 0) return false;
    return attachments.every(({ consumerNamespace = trafficFrom }) => consumerNamespace !== trafficFrom);
  }

  /** Whether policies are barred from some contexts only. */
  get hasBars(): boolean {
    return !this.#bars.isEmpty;
  }

  /** Returns the policies that are barred from contexts through a target. */
  barredBy(target: TargetNode): ReadonlySet<string> {
    return this.#bars.isEmpty ? emptySet : this.#bars.at(target.locator);
  }

  /** Returns the existing targets with some locators. */
  #barring(locators: Iterable<string>): readonly TargetNode[] {
    return [...locators].flatMap((locator) => this.#topology.get(locator) ?? []);
  }

  #barsAt(target: TargetNode): readonly Level<Spec>[] {
    const barred = this.barredBy(target);
    return barred.size === 0 ? none : [barringLevel(target, new Set(barred))];
  }

  /** Returns the level of a target's own value; none for most targets. */
  #ownLevelAt(target: TargetNode): readonly Level<Spec>[] {
    const slot = this.hasOwnLevel(target) ? this.#own.of(target).slot : undefined;
    return slot === undefined || slot.level.layers.length === 0 ? none : [slot.level];
  }

  /** Whether merging depends on the resources of targets. */
  get #asksTargets(): boolean {
    return this.#kind.strategyChooser !== byEstablished;
  }

  /** Returns the slots of a target, the less specific one first. */
  at(target: TargetNode): readonly LevelSlot<Spec>[] {
    return this.#slots.get(target) ?? none;
  }

  slotsWith(policy: string): readonly LevelSlot<Spec>[] {
    const declared = this.#declared.get(policy);
    if (declared === undefined) return none;
    const targets = new Set(countingAttachments(declared, this.#options.trafficFrom).map(({ target }) => target));
    const isWith = ({ level }: LevelSlot<Spec>): boolean => policiesIn(level).some(({ locator }) => locator === policy);
    return [...targets].flatMap((target) => this.at(target).filter(isWith));
  }

  /** Returns the locators of the policies that do not count on a target, because they are beyond the limits. */
  surplusAt(target: TargetNode): ReadonlySet<string> {
    return this.#surplus.get(target) ?? emptySet;
  }

  /** The targets with policies beyond the limits. */
  get crowded(): Iterable<TargetNode> {
    return this.#surplus.keys();
  }

  /** Returns a policy of this kind, valid or not. */
  policy(locator: string): DeclaredPolicy<Spec> | undefined {
    return this.#declared.get(locator) ?? this.#forOthers(locator);
  }

  #forOthers(locator: string): DeclaredPolicy<Spec> | undefined {
    if (this.#options.trafficFrom === undefined) return undefined;
    const node = this.#topology.policy(locator);
    return node?.kind === this.#kind && this.#isForOthers(node) ? this.#read(node, undefined) : undefined;
  }

  #allForOthers(): readonly DeclaredPolicy<Spec>[] {
    if (this.#options.trafficFrom === undefined) return none;
    const unread = this.#topology.policies(this.#kind).filter(({ locator }) => !this.#declared.has(locator));
    return unread.flatMap(({ locator }) => this.#forOthers(locator) ?? none);
  }

  /** The policies of this kind, valid or not, in the order of their locators. */
  get policies(): readonly DeclaredPolicy<Spec>[] {
    const allDeclared = () => [...this.#declared.values(), ...this.#allForOthers()];
    this.#sorted ??= allDeclared().sort((a, b) => (a.node.locator < b.node.locator ? -1 : 1));
    return this.#sorted;
  }

  /** Whether some policies count for this traffic alone. */
  get hasConsumers(): boolean {
    return this.#consumers.size > 0;
  }

  /** Returns the policies that name a missing section of an object. */
  namingNoSectionOf({ locator }: TargetNode): Iterable<string> {
    return this.#withoutSection.at(locator);
  }

  #objectsWithoutSection(declared: DeclaredPolicy<Spec> | undefined): readonly string[] {
    const { node } = declared ?? {};
    return node?.attachments.flatMap((it) => objectWithoutSection(this.#topology, node, it)?.locator ?? none) ?? none;
  }

  #noteConsumer(locator: string, declared: DeclaredPolicy<Spec> | undefined): void {
    if (this.#options.trafficFrom === undefined) return;
    const isConsumer = declared?.node.attachments.some((it) => it.consumerNamespace === this.#options.trafficFrom);
    if (isConsumer === true) this.#consumers.add(locator);
    else this.#consumers.delete(locator);
  }

  /**
   * Follows changes of the topology. O(policies that have changed, and those beside them).
   *
   * @param asked Locators of policies with a controller's verdict that may differ.
   */
  follow(records: readonly ChangeRecord[], asked: Iterable<string> = none): ChangedLevels<Spec> {
    const targets = new Set<TargetNode>();
    const locators = new Set([...records.flatMap(({ policies }) => [...policies.keys()]), ...asked]);
    for (const locator of locators) {
      const declaredBefore = this.#declared.get(locator);
      const node = this.#topology.policy(locator);
      const isMeant = node?.kind === this.#kind && !this.#isForOthers(node);
      const declared = isMeant ? this.#read(node, declaredBefore) : undefined;
      for (const target of this.#declare(locator, declared)) targets.add(target);
      for (const policy of [declaredBefore, declared]) {
        for (const { target } of policy === undefined ? none : countingAttachments(policy, this.#options.trafficFrom)) {
          targets.add(target);
        }
      }
    }
    if (locators.size > 0) this.#sorted = undefined;
    for (const { came, gone } of records) {
      for (const target of gone) if (this.#slots.has(target)) targets.add(target);
      if (this.#bars.isEmpty) continue;
      for (const target of came) if (this.#bars.at(target.locator).size > 0) targets.add(target);
    }
    this.#renewOwnLevels(records, targets);
    // A target may select how its policies are merged.
    if (!this.#asksTargets) return this.#renew(targets);
    for (const { changed, gone } of records) {
      for (const some of [changed, gone]) for (const target of some) if (this.#slots.has(target)) targets.add(target);
    }
    return this.#renew(targets);
  }

  /** Reads the own values of changed targets again, and adds the targets to those with other levels. */
  #renewOwnLevels(records: readonly ChangeRecord[], targets: Set<TargetNode>): void {
    if (this.#kind.ownValueTargets.length === 0) return;
    for (const { came, changed, gone } of records) {
      for (const target of [...came, ...gone]) if (this.hasOwnLevel(target)) targets.add(target);
      for (const target of changed) {
        if (this.hasOwnLevel(target) && this.#own.renew(target) !== undefined) targets.add(target);
      }
    }
  }

  #renew(targets: Iterable<TargetNode>): ChangedLevels<Spec> {
    const changed = new Set<TargetNode>();
    const moved = new Set<TargetNode>();
    const goneSlots: LevelSlot<Spec>[] = [];
    const edited = new Map<LevelSlot<Spec>, Level<Spec>>();
    const counting = new Map<DeclaredPolicy<Spec>, ReadonlyMap<TargetNode, readonly CountingAttachment[]>>();
    for (const target of targets) {
      const slotsBefore = this.at(target);
      const currentLevels = this.#levelsAt(target, counting);
      const levels = slotsBefore.map(({ level }) => level);
      if (isEqualList(levels, currentLevels, (old, young) => isSameLevel(old, young, this.#asksTargets))) continue;
      changed.add(target);
      if (this.#bars.isEmpty && this.#kind.fieldsAt === undefined && isEqualList(levels, currentLevels, isLikeLevel)) {
        for (const [index, slot] of slotsBefore.entries()) {
          edited.set(slot, slot.level);
          slot.level = currentLevels[index] as Level<Spec>;
        }
        continue;
      }
      moved.add(target);
      goneSlots.push(...slotsBefore);
      if (currentLevels.length > 0) this.#slots.set(target, slotsFor(currentLevels));
      else this.#slots.delete(target);
    }
    return { targets: changed, moved, gone: goneSlots, edited };
  }

  /** @param counting The known attachments of each policy that count, by target: there may be thousands. */
  #levelsAt(
    target: TargetNode,
    counting: Map<DeclaredPolicy<Spec>, ReadonlyMap<TargetNode, readonly CountingAttachment[]>>,
  ): readonly Level<Spec>[] {
    this.#surplus.delete(target);
    if (this.#topology.get(target) !== target) return none;
    const attached = new Map<TargetNode, Attached<Spec>>();
    for (const { locator } of this.#topology.policiesAt(target, this.#kind)) {
      const declared = this.#declared.get(locator);
      if (declared === undefined) continue;
      const byTarget = counting.get(declared) ?? byTargets(countingAttachments(declared, this.#options.trafficFrom));
      counting.set(declared, byTarget);
      attach(byTarget.get(target) ?? none, declared, attached);
    }
    const attachedHere = attached.get(target);
    const levels = attachedHere === undefined ? none : this.#levelsFrom(target, attachedHere);
    const bars = this.#barsAt(target);
    const ownLevel = this.#ownLevelAt(target);
    return bars.length + ownLevel.length === 0 ? levels : [...bars, ...levels, ...ownLevel];
  }

  #levelsFrom(target: TargetNode, attached: Attached<Spec>): readonly Level<Spec>[] {
    const used = ways.filter((via) => attached[via] !== undefined);
    const levels = used.map((via) => levelOf({ target, via }, attached[via] ?? none, this.#kind, this.#counting));
    const surplus = levels.flatMap(({ via, policies }) =>
      beyond(attached[via === 'policyRef' ? via : 'targetRef'] ?? none, policies),
    );
    if (surplus.length === 0) return levels;
    this.#surplus.set(target, new Set(surplus));
    return levels.filter(({ policies }) => policies.length > 0);
  }
}

/** Returns the locators of policies that are not among others. */
function beyond<Spec>(some: readonly Policy<Spec>[], others: readonly Policy<Spec>[]): readonly string[] {
  if (some.length <= others.length) return none;
  const counting = new Set(others);
  return some.filter((policy) => !counting.has(policy)).map(({ locator }) => locator);
}

function slotsFor<Spec>(levels: readonly Level<Spec>[]): readonly LevelSlot<Spec>[] {
  return levels.map((level) => new LevelSlot(level));
}
