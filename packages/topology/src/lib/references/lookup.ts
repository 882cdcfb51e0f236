import {
  formatLocator,
  type GroupKind,
  groupKindKey,
  groupOf,
  type KubernetesObject,
} from '@policy-machinery/resource';
import type { ReferenceGrants } from '@policy-machinery/target-ref';
import type { Creation } from '../model/creation.ts';
import { type Kinds, type KnownKind, locatorIn, namespacePrefix } from '../model/kinds.ts';
import type { FindObject } from '../model/policy-node.ts';
import type { AdmissionLookup, SelectedTargets } from '../model/reference.ts';
import { byTopologyOrder } from '../model/target-node.ts';
import { getOrInsert } from '../support/get-or-insert.ts';
import { none } from '../support/nothing.ts';
import type { NamespaceIndex } from '../targets/namespace-index.ts';
import type { Target, WholeTarget } from '../targets/target.ts';
import { creationsOf, isCreation } from './creations.ts';
import { type Dependent, Dependents } from './dependents.ts';
import type { Grants } from './grants.ts';
import type { SelectionLimits } from './selection-limits.ts';
import { type Selections, termsIn } from './selections.ts';

/** The sources of the answers. */
export interface LookupSources {
  readonly kinds: Kinds;
  readonly namespaces: NamespaceIndex;
  readonly selections: Selections;
  readonly selectionLimits: SelectionLimits;
  readonly grants: Grants;
  readonly resource: (locator: string) => KubernetesObject | undefined;
  readonly hasPolicy: (locator: string) => boolean;
  /** Returns the objects with references to an object. */
  readonly referrers: (object: WholeTarget) => Iterable<WholeTarget>;
}

/** The keys of answers, besides locators of whole targets and terms of selections. */
export const answerKeys = {
  labels: (namespace: string): string => `labels ${namespace}`,
  grants: (namespace: string): string => `grants ${namespace}`,
  policy: (locator: string): string => `policy ${locator}`,
  creators: 'creators',
  referrers: (locator: string): string => `referrers ${locator}`,
};

/**
 * All data that the links and attachments of one resource may depend on, beyond the resource itself. They are decided from these answers only,
 * and again when an answer changes: the lookup records who depends on its answers.
 */
export class Lookup implements AdmissionLookup {
  readonly #sources: LookupSources;
  readonly #dependents = new Dependents();
  /** The keys of the answers after the call of `ask`, with targets in place of their locators. */
  #asked: (string | WholeTarget)[] = [];
  /** The last answer about labels: the question is repeated for each listener, usually about one namespace. */
  #labelled: { readonly name: string; readonly labels: ReturnType<AdmissionLookup['namespaceLabels']> } | undefined;

  constructor(sources: LookupSources) {
    this.#sources = sources;
  }

  dependents(key: string): Iterable<Dependent> {
    return this.#dependents.of(key);
  }

  /**
   * Calls `ask`, and records the answers that it uses as those that `who` depends on, in place of earlier ones.
   *
   * @param isKnown Returns whether the dependence of `who` on a target is known otherwise, and takes no memory here. Default: no.
   */
  ask<Who extends Dependent, Answer>(
    who: Who,
    ask: (who: Who) => Answer,
    isKnown: (who: Who, target: WholeTarget) => boolean = () => false,
  ): Answer {
    this.#asked = []; // Answers outside of `ask` are not recorded.
    this.#labelled = undefined;
    try {
      return ask(who);
    } finally {
      const kept = this.#asked.filter((it) => typeof it === 'string' || !isKnown(who, it));
      this.#dependents.record(who, kept.length === 0 ? none : [...new Set(kept.map(keyOf))]);
    }
  }

  forget(who: Dependent): void {
    this.#dependents.record(who, none);
  }

  /** Returns a kind by its exact group and name. The answer never changes. */
  kind(sought: GroupKind): KnownKind | undefined {
    return this.#sources.kinds.get(sought);
  }

  /** Returns a whole resource, with its sections. */
  target({ target: kind, prefix }: KnownKind, namespace: string | undefined, name: string): WholeTarget | undefined {
    const target = kind && this.#sources.namespaces.find(kind, namespace, name);
    this.#asked.push(target ?? locatorIn(prefix, namespace, name));
    return target;
  }

  /** Returns the object of a reference; `undefined` if it is not there, or its kind is not known. */
  readonly findObject: FindObject = Object.assign(
    (ref: Parameters<FindObject>[0]) => {
      const refKind = this.kind(ref);
      return refKind && this.target(refKind, ref.namespace, ref.name)?.resource;
    },
    {
      referrers: ({ apiVersion, kind, metadata }: KubernetesObject, of: GroupKind) => {
        const refKind = this.kind({ group: groupOf(apiVersion), kind });
        const object = refKind && this.target(refKind, metadata.namespace, metadata.name);
        return object === undefined ? none : this.#referrersTo(object, of);
      },
    },
  );

  /** The lists of referrers, by locator and kind. */
  readonly #referrers = new Map<string, Map<string, readonly KubernetesObject[]>>();

  #referrersTo(object: WholeTarget, kind: GroupKind): readonly KubernetesObject[] {
    this.#asked.push(answerKeys.referrers(object.locator));
    const byKind = getOrInsert(this.#referrers, object.locator, () => new Map());
    return getOrInsert(byKind, groupKindKey(kind), () => {
      const targets = [...this.#sources.referrers(object)].filter(
        ({ ref }) => groupKindKey(ref) === groupKindKey(kind),
      );
      return targets.sort(byTopologyOrder).map(({ resource }) => resource);
    });
  }

  /** Forgets the referrers of an object, which have changed. */
  forgetReferrers(locator: string): void {
    this.#referrers.delete(locator);
  }

  /** Returns a superset of the targets that a selector in a namespace selects, in the order of locators. */
  candidates(selector: SelectedTargets, namespace: string | undefined): readonly WholeTarget[] {
    const terms = this.#termsIn(selector, namespace);
    this.#asked.push(terms.at(-1) ?? '');
    return this.#sources.selections.candidates(terms);
  }

  /** Returns whether references of a target may use a selector: too many older targets of its namespace may use the same one. */
  maySelect(from: Target, selector: SelectedTargets, namespace: string | undefined): boolean {
    return this.#sources.selectionLimits.mayTake(from, this.#termsIn(selector, namespace).at(-1) ?? '');
  }

  #termsIn(selector: SelectedTargets, namespace: string | undefined): readonly string[] {
    return termsIn(selector, namespace, this.kind(selector)?.scope !== 'Cluster');
  }

  /** Returns whether a resource that is not there does not exist. The answer never changes. */
  isComplete({ group, kind }: GroupKind, namespace: string | undefined, name?: string): boolean {
    return this.#sources.kinds.isComplete({ group, kind }, namespace, name);
  }

  /**
   * Returns a resource that a controller creates others for, if the topology does not hold these; `undefined` without one. O(creators).
   *
   * @param name The name of the created resource. Default: any name.
   */
  creatorOf(kind: GroupKind, namespace: string | undefined, name?: string): WholeTarget | undefined {
    const { kinds, namespaces } = this.#sources;
    if (kinds.creators.length === 0) return undefined;
    this.#asked.push(answerKeys.creators);
    for (const target of namespaces.of(kinds.creators)) {
      const sought = { ...kind, namespace, name };
      if (creationsOf(target).some((it) => isCreation(it, target, sought) && !this.#holds(it, target))) return target;
    }
    return undefined;
  }

  /** Returns whether the topology holds the resources that a controller creates. Of several objects, it is not known whether these are all. */
  #holds({ group, kind, namespace, name }: Creation, { ref }: WholeTarget): boolean {
    const { kinds, namespaces } = this.#sources;
    const targetKind = kinds.targets.get(groupKindKey({ group, kind }));
    const target = targetKind && namespaces.find(targetKind, namespace ?? ref.namespace, name);
    if (target !== undefined) this.#asked.push(target);
    return target !== undefined;
  }

  permits(reference: Parameters<ReferenceGrants['permits']>[0]): boolean {
    this.#asked.push(answerKeys.grants(reference.to.namespace));
    return this.#sources.grants.permits(reference);
  }

  hasPolicy(locator: string): boolean {
    this.#asked.push(answerKeys.policy(locator));
    return this.#sources.hasPolicy(locator);
  }

  readonly namespaceLabels: AdmissionLookup['namespaceLabels'] = (name) => {
    if (this.#labelled?.name === name) return this.#labelled.labels;
    this.#asked.push(answerKeys.labels(name));
    const namespace = this.#sources.resource(namespacePrefix + name);
    const labels = namespace && (namespace.metadata.labels ?? {});
    this.#labelled = { name, labels };
    return labels;
  };

  readonly has: AdmissionLookup['has'] = (sought) => this.resource(sought) !== undefined;

  readonly resource: AdmissionLookup['resource'] = (sought) => {
    const kind = this.#sources.kinds.targets.get(groupKindKey(sought));
    const target = kind && this.#sources.namespaces.find(kind, sought.namespace, sought.name);
    this.#asked.push(target ?? formatLocator(sought));
    return target?.resource;
  };
}

function keyOf(asked: string | WholeTarget): string {
  return typeof asked === 'string' ? asked : asked.locator;
}
