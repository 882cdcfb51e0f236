import type { Layer, Policy, PolicyKind } from '@policy-machinery/policy-kind';
import { objectIn } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { isOneOfTargetables } from '../support/targetables.ts';
import type { Level } from './level.ts';

/** The fields of policies that count at some effective targets. */
export class Part<Spec> {
  readonly #fields: ReadonlySet<string>;
  readonly #isAt: (target: TargetNode) => boolean;
  /** The part of each layer, which is the same in all contexts. */
  readonly #layers = new WeakMap<Layer<Spec>, Layer<Spec>>();

  constructor({ targets, fields }: NonNullable<PolicyKind<Spec>['fieldsAt']>) {
    this.#fields = new Set(fields);
    this.#isAt = isOneOfTargetables(targets);
  }

  /** Returns whether only this part of policies counts at a target. */
  isAt(target: TargetNode): boolean {
    return this.#isAt(target);
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
