import { type KubernetesObject, locatorOf } from '@policy-machinery/resource';

/** An object whose last change does not count. */
export interface QuarantinedObject {
  readonly locator: string;
  readonly object: KubernetesObject;
  /** Why the topology refuses the object. */
  readonly message: string;
}

/** The objects that the topology refuses. Each stays until it changes or is deleted. */
export class Quarantine {
  readonly #objects = new Map<string, QuarantinedObject>();
  readonly #onChange: (added: QuarantinedObject | undefined) => void;

  /** @param onChange Called with each object that is added, and with nothing for each that is released. */
  constructor(onChange: (added: QuarantinedObject | undefined) => void = () => {}) {
    this.#onChange = onChange;
  }

  get objects(): readonly QuarantinedObject[] {
    return [...this.#objects.values()];
  }

  add(object: KubernetesObject, message: string): void {
    const locator = locatorOf(object);
    const quarantined = { locator, object, message };
    this.#objects.set(locator, quarantined);
    this.#onChange(quarantined);
  }

  release(locator: string): void {
    if (this.#objects.delete(locator)) this.#onChange(undefined);
  }

  /** Releases an object that the topology has taken. */
  releaseObject(object: KubernetesObject): void {
    if (this.#objects.size > 0) this.release(locatorOf(object));
  }
}
