import { formatLocator, type GroupKind, type KubernetesObject } from '@policy-machinery/resource';
import type { ReferenceGrants } from '@policy-machinery/target-ref';
import { type Asker, Dependents } from './dependents.ts';
import type { Grants } from './grants.ts';
import type { Kinds, KnownKind } from './kinds.ts';
import type { AdmissionLookup, SelectedTargets } from './reference.ts';
import { type Selections, termsIn } from './selections.ts';
import type { Target } from './target.ts';

/**
 * All that the links and attachments of one resource may depend on beyond the resource itself. Who decides about one asks
 * here and nowhere else, and is asked anew when an answer changes.
 */
export interface Lookup extends AdmissionLookup {
  /** What is known of a kind, in its own spelling. It never changes. */
  readonly kind: (sought: GroupKind) => KnownKind | undefined;
  /** A whole resource, by locator. Its sections may be asked of it. */
  readonly target: (locator: string) => Target | undefined;
  /** A superset of what a selector in a namespace selects, in no order. */
  readonly candidates: (selector: SelectedTargets, namespace: string | undefined) => Iterable<Target>;
  readonly permits: ReferenceGrants['permits'];
  /** Whether there is a policy, by locator. */
  readonly hasPolicy: (locator: string) => boolean;
}

/** What the answers are taken from. */
export interface LookupSources {
  readonly kinds: Kinds;
  readonly targets: ReadonlyMap<string, Target>;
  readonly selections: Selections;
  readonly grants: Grants;
  readonly resource: (locator: string) => KubernetesObject | undefined;
  readonly hasPolicy: Lookup['hasPolicy'];
}

/** Under which key an answer is remembered, beside locators of whole targets and terms of selections. */
export const answerKeys = {
  labels: (namespace: string): string => `labels ${namespace}`,
  grants: (namespace: string): string => `grants ${namespace}`,
  policy: (locator: string): string => `policy ${locator}`,
};

/** Answers, and takes down who has asked what. */
export class RecordingLookup<Who extends Asker> implements Lookup {
  readonly #sources: LookupSources;
  readonly #dependents = new Dependents<Who>();
  readonly #keys: string[] = [];
  /** The last answer about labels: it is asked for with each listener, and as a rule of one namespace. */
  #labelled: { readonly name: string; readonly labels: ReturnType<Lookup['namespaceLabels']> } | undefined;

  constructor(sources: LookupSources) {
    this.#sources = sources;
  }

  /** Those who have asked for what has this key. */
  dependents(key: string): Iterable<Who> {
    return this.#dependents.of(key);
  }

  /** Takes down what is asked until `ask` returns, instead of all that `who` has asked before. */
  ask<Asking extends Who, Answer>(who: Asking, ask: (who: Asking) => Answer): Answer {
    this.#begin(); // What has been asked outside of this is nobody's.
    try {
      return ask(who);
    } finally {
      this.#dependents.record(who, eachOnce(this.#keys));
    }
  }

  #begin(): void {
    this.#keys.length = 0;
    this.#labelled = undefined;
  }

  /** Forgets who will not ask any more. */
  forget(who: Who): void {
    this.#dependents.record(who, none);
  }

  readonly kind: Lookup['kind'] = (sought) => this.#sources.kinds.get(sought);

  readonly target: Lookup['target'] = (locator) => {
    const target = this.#sources.targets.get(locator);
    this.#keys.push(target?.locator ?? locator); // The very same string takes no memory.
    return target;
  };

  readonly candidates: Lookup['candidates'] = (selector, namespace) => {
    const isNamespaced = this.kind(selector)?.scope !== 'Cluster';
    const terms = termsIn(selector, namespace, isNamespaced);
    this.#keys.push(terms.at(-1) ?? '');
    return this.#sources.selections.candidates(terms);
  };

  readonly permits: Lookup['permits'] = (reference) => {
    this.#keys.push(answerKeys.grants(reference.to.namespace));
    return this.#sources.grants.permits(reference);
  };

  readonly namespaceLabels: Lookup['namespaceLabels'] = (name) => {
    if (this.#labelled?.name === name) return this.#labelled.labels;
    this.#keys.push(answerKeys.labels(name));
    const namespace = this.#sources.resource(`namespace:${name}`);
    const labels = namespace && (namespace.metadata.labels ?? {});
    this.#labelled = { name, labels };
    return labels;
  };

  readonly has: Lookup['has'] = (target) => this.target(formatLocator(target)) !== undefined;

  readonly hasPolicy: Lookup['hasPolicy'] = (locator) => {
    this.#keys.push(answerKeys.policy(locator));
    return this.#sources.hasPolicy(locator);
  };
}

const none: readonly never[] = [];

/** Up to so many a list is searched faster than a set is made. */
const fewKeys = 8;

/** A list without room to spare, for it is kept. As a rule there are none, or one. */
function eachOnce(keys: readonly string[]): readonly string[] {
  const [first] = keys;
  if (first === undefined) return none;
  if (keys.length === 1) return [first];
  return keys.length > fewKeys ? [...new Set(keys)] : [...keys.filter((key, place) => keys.indexOf(key) === place)];
}
