import type { Layer, Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { objectIn } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import { isOwnLevel, type Level, type LevelSlot } from '../levels/level.ts';
import { isOneOfTargetables } from '../support/targetables.ts';
import type { ArrivalsId } from './arrivals.ts';
import type { StackId } from './stacks.ts';

/** The fields of policies that count at some effective targets. */
export class Part<Spec> {
  /** The part in the names of levels. */
  readonly key: string;
  readonly #fields: ReadonlySet<string>;
  readonly #yields: (target: TargetNode) => boolean;
  readonly #prevails: (target: TargetNode) => boolean;
  /** Whether links of a target decide where this part counts alone. */
  readonly isByLinks: boolean;
  /** Returns whether a target is of a kind where this part counts alone. */
  readonly mayBeAt: (target: TargetNode) => boolean;
  /** Returns whether only this part of policies counts at a target. */
  readonly isAt: (target: TargetNode) => boolean;
  /** The lists of contexts with merged stacks, by the lists of contexts. */
  readonly merged = new Map<ArrivalsId, ArrivalsId>();
  /** The stacks of this part, by the stacks of all fields. */
  readonly stacks = new Map<StackId, StackId>();
  /** The part of each layer, which is the same in all contexts. */
  readonly #layers = new WeakMap<Layer<Spec>, Layer<Spec>>();

  constructor(topology: Topology, declared: NonNullable<PolicyKind<Spec>['fieldsAt']>[number]) {
    const { targets, fields, leadingTo, yielding = { targets: [], to: [] } } = declared;
    this.key = fields.join(' ');
    this.#fields = new Set(fields);
    this.mayBeAt = isOneOfTargetables(targets);
    this.isByLinks = leadingTo !== undefined;
    const isBelow = isOneOfTargetables(leadingTo ?? []);
    const leadsBelow = (target: TargetNode): boolean =>
      target.linksTo.some(isBelow) && topology.referencesOf(target).every(({ ends }) => ends.length > 0);
    this.isAt = (target) => this.mayBeAt(target) && (!this.isByLinks || leadsBelow(target));
    this.#yields = isOneOfTargetables(yielding.targets);
    this.#prevails = isOneOfTargetables(yielding.to);
  }

  /** Forgets the stacks. */
  clear(): void {
    this.merged.clear();
    this.stacks.clear();
  }

  /** Returns the slots of a stack with those that yield before those that prevail over them. */
  inOrder(slots: readonly LevelSlot<Spec>[]): readonly LevelSlot<Spec>[] {
    const yields = ({ level }: LevelSlot<Spec>): boolean => this.#yields(level.target) && !isOwnLevel(level);
    const others = slots.filter((slot) => !yields(slot));
    const first = others.findIndex(({ target }) => this.#prevails(target));
    return first < 0 ? slots : [...others.slice(0, first), ...slots.filter(yields), ...others.slice(first)];
  }

  /** Returns a level with this part of its policies; `undefined` if none sets it. */
  of(level: Level<Spec>): Level<Spec> | undefined {
    const policies = level.policies.filter((policy) => this.#isSetBy(policy));
    if (policies.length === 0) return undefined;
    return {
      ...level,
      policies,
      layers: level.layers
        .filter(({ layer }) => this.#isSetBy(layer.policy))
        .map(({ layer, strategyFrom }) => ({ layer: this.#partOf(layer), strategyFrom: this.#partOf(strategyFrom) })),
      rejected: level.rejected
        .filter(({ layer, by }) => this.#isSetBy(layer.policy) && this.#isSetBy(by.policy))
        .map(({ layer, by }) => ({ layer: this.#partOf(layer), by: this.#partOf(by) })),
      isPart: true,
    };
  }

  #isSetBy({ layers }: Policy<Spec>): boolean {
    return layers.some(({ spec }) => Object.keys(objectIn(spec)).some((field) => this.#fields.has(field)));
  }

  #partOf(layer: Layer<Spec>): Layer<Spec> {
    const earlier = this.#layers.get(layer);
    if (earlier !== undefined) return earlier;
    const fields = Object.entries(objectIn(layer.spec)).filter(([field]) => this.#fields.has(field));
    const part = { ...layer, spec: Object.fromEntries(fields) as Spec };
    this.#layers.set(layer, part);
    return part;
  }
}
