import {
  formatGroupKind,
  groupKindKey,
  groupKindOf,
  type Issue,
  type KubernetesObject,
  locatorOf,
} from '@policy-machinery/resource';
import { objectFaults } from '@policy-machinery/resource/inner';
import { readSafely } from '../model/read-safely.ts';
import type { TargetKind } from '../model/target-kind.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { none } from '../support/nothing.ts';

/** The sources of one virtual resource. */
interface Derivations {
  readonly bySource: Map<string, KubernetesObject>;
  /** The first source in the order of locators; `undefined` if it has to be found again. */
  first: string | undefined;
}

function firstOf(sources: Iterable<string>): string {
  let first: string | undefined;
  for (const source of sources) if (first === undefined || source < first) first = source;
  return first ?? '';
}

/**
 * The resources of virtual kinds, which no API server knows, by their sources. If several sources derive one resource, the first source
 * counts, in the order of locators.
 */
export class VirtualResources {
  readonly #kinds: readonly TargetKind[];
  readonly #bySource = new Map<string, ReadonlyMap<string, KubernetesObject>>();
  readonly #byLocator = new Map<string, Derivations>();

  /** @param kinds The kinds; only virtual ones are used. */
  constructor(kinds: Iterable<TargetKind>) {
    this.#kinds = [...kinds].filter(({ derive }) => derive !== undefined);
  }

  get(locator: string): KubernetesObject | undefined {
    const derivations = this.#byLocator.get(locator);
    if (derivations === undefined) return undefined;
    derivations.first ??= firstOf(derivations.bySource.keys());
    return derivations.bySource.get(derivations.first);
  }

  /** Returns the locators of the virtual resources derived from a resource. */
  from(source: string): Iterable<string> {
    return this.#bySource.get(source)?.keys() ?? none;
  }

  /**
   * Derives the virtual resources of a resource again.
   *
   * @returns The issues of deriving them.
   */
  set(source: string, resource: KubernetesObject | undefined): readonly Issue[] {
    for (const locator of this.from(source)) {
      const derivations = this.#byLocator.get(locator);
      if (derivations === undefined) continue;
      derivations.bySource.delete(source);
      if (derivations.first === source) derivations.first = undefined;
      if (derivations.bySource.size === 0) this.#byLocator.delete(locator);
    }
    const issues: Issue[] = [];
    const derived = resource === undefined ? [] : derivedFrom(source, resource, this.#kinds, issues);
    const byLocator = new Map(derived);
    if (byLocator.size > 0) this.#bySource.set(source, byLocator);
    else this.#bySource.delete(source);
    for (const [locator, virtual] of byLocator) {
      const derivations = getOrInsert(
        this.#byLocator,
        locator,
        (): Derivations => ({ bySource: new Map(), first: source }),
      );
      derivations.bySource.set(source, virtual);
      if (derivations.first !== undefined && source < derivations.first) derivations.first = source;
    }
    return issues;
  }
}

function* derivedFrom(
  source: string,
  resource: KubernetesObject,
  kinds: readonly TargetKind[],
  issues: Issue[],
): Iterable<readonly [locator: string, virtual: KubernetesObject]> {
  for (const kind of kinds) {
    for (const virtual of readSafely(source, issues, () => [...(kind.derive?.(resource) ?? [])])) {
      const fault = faultOf(virtual, kind);
      if (fault === undefined) yield [locatorOf(virtual, kind.scope), virtual];
      else issues.push({ code: 'invalid-virtual-resource', severity: 'error', message: fault, resource: source });
    }
  }
}

function faultOf(virtual: KubernetesObject, kind: TargetKind): string | undefined {
  const name = formatGroupKind(kind);
  const [fault] = objectFaults(virtual);
  if (fault !== undefined) return `the ${name} that is derived from it is ${fault.message}`;
  const derived = groupKindOf(virtual);
  if (groupKindKey(derived) === groupKindKey(kind) && derived.kind === kind.kind) return undefined;
  return `a ${formatGroupKind(derived)} is derived from it instead of a ${name}; derive a ${name}`;
}
