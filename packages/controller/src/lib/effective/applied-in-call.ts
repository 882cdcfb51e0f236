import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '@policy-machinery/resource';
import { type TargetContext, targetIn } from './target-context.ts';
import type { TargetFailure } from './target-failure.ts';

/** Sets the objects of a context, by its key, and returns a function that takes this back. */
export type ApplyObjects = (key: string, objects: readonly KubernetesObject[]) => () => void;

/** The objects that one call of `onEffective` applies. Different objects for one context in one call are an error: none of them count. */
export class AppliedInCall {
  readonly #apply: ApplyObjects;
  readonly #byKey = new Map<string, { readonly objects: readonly KubernetesObject[]; readonly takeBack: () => void }>();
  readonly #failures = new Map<string, TargetFailure>();

  constructor(apply: ApplyObjects) {
    this.#apply = apply;
  }

  /** One failure for each context with different objects. */
  get failures(): readonly TargetFailure[] {
    return [...this.#failures.values()];
  }

  readonly apply = (context: string | TargetContext, objects: readonly KubernetesObject[]): void => {
    const key = typeof context === 'string' ? context : context.key;
    const applied = this.#byKey.get(key);
    if (applied === undefined) {
      this.#byKey.set(key, { objects, takeBack: this.#apply(key, objects) });
      return;
    }
    if (this.#failures.has(key) || isDeepStrictEqual(applied.objects, objects)) return;
    applied.takeBack();
    const message = `Different objects were applied for ${key} in one call; apply all of them at once, for each context by itself`;
    this.#failures.set(key, { target: targetIn(key), message });
  };
}
