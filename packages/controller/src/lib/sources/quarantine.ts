import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';

/** An object with a last change that does not count. */
export interface QuarantinedObject {
  readonly locator: string;
  readonly object: KubernetesObject;
  /** Why the topology refuses the object. */
  readonly message: string;
}

/** The objects that the topology refuses. Each stays until it changes or is deleted. */
export class Quarantine {
  readonly #objects = new Map<string, QuarantinedObject>();
  readonly #onAdd: (added: QuarantinedObject) => void;

  /** @param onAdd Called with each object that is added. */
  constructor(onAdd: (added: QuarantinedObject) => void = () => {}) {
    this.#onAdd = onAdd;
  }

  get objects(): readonly QuarantinedObject[] {
    return [...this.#objects.values()];
  }

  add(object: KubernetesObject, message: string): void {
    const locator = locatorOf(object);
    const quarantined = { locator, object, message };
    this.#objects.set(locator, quarantined);
    this.#onAdd(quarantined);
  }

  release(locator: string): void {
    this.#objects.delete(locator);
  }

  /** Releases an object that the topology has taken. */
  releaseObject(object: KubernetesObject): void {
    if (this.#objects.size > 0) this.release(locatorOf(object));
  }
}
