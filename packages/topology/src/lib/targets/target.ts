// targets/: takes resources, returns targets: whole resources and their sections, found by namespace, kind and name. A link leads from one target
// to another below; `above` and `below` are the ends of a target's own references; they determine the links.

import { type KubernetesObject, type ResourceRef, refOf } from '@policy-machinery/resource';
import type { NamedSection, SectionCriteria } from '../model/reference.ts';
import type { Rivalry } from '../model/rivalry.ts';
import {
  isSectionKind,
  type SectionEntry,
  type SectionKind,
  type Targetable,
  type TargetKind,
} from '../model/target-kind.ts';
import type { TargetNode } from '../model/target-node.ts';
import { none } from '../support/nothing.ts';
import type { Named } from './named.ts';
import { SectionIndex } from './section-index.ts';

/** Up to this number of sections, which is Gateway API's limit, a search is faster than an index. */
const fewSections = 64;

/** A target of the topology. There is one for each locator, for as long as the target exists. Only its topology changes it. */
export abstract class Target implements TargetNode {
  abstract readonly locator: string;
  abstract readonly object: WholeTarget;
  abstract readonly kind: Targetable;
  abstract readonly resource: KubernetesObject;
  declare readonly section?: NamedSection;
  abstract readonly sections: readonly SectionTarget[];
  abstract readonly linkedSections: number;
  linksFrom: readonly Target[] = none;
  linksTo: readonly Target[] = none;
  /** The ends of its own references, linked or not: the ones above, and the ones below. In the order of locators. */
  above: readonly Target[] = none;
  below: readonly Target[] = none;
  asked: readonly string[] = none;
  /** The version of the topology that added the target. */
  readonly since: number;
  #ref: ResourceRef | undefined = undefined;

  constructor(since: number) {
    this.since = since;
  }

  get ref(): ResourceRef {
    this.#ref ??= this.newRef();
    return this.#ref;
  }

  /** The name of its namespace, whether the topology holds the Namespace or not; `undefined` if the target is cluster-scoped. */
  get namespaceName(): string | undefined {
    return this.object.namespaceEntry.name;
  }

  get namespace(): Target | undefined {
    return this.object.namespaceEntry.containers[0];
  }

  get containers(): readonly Target[] {
    const { ownContainers, namespaceEntry } = this.object;
    return ownContainers ?? namespaceEntry.containers;
  }

  protected abstract newRef(): ResourceRef;
}

/** Returns the rule about the targets that refer to a section. */
export function rivalryAt({ kind }: Target): Rivalry | undefined {
  return isSectionKind(kind) ? kind.rivals : undefined;
}

export class WholeTarget extends Target {
  readonly locator: string;
  readonly kind: TargetKind;
  resource: KubernetesObject;
  readonly namespaceEntry: NamespaceEntry;
  /** The containers with the namespace, if the object states others than the namespace. */
  ownContainers: readonly WholeTarget[] | undefined = undefined;
  sections: readonly SectionTarget[] = none;
  linkedSections = 0;
  #index: SectionIndex<SectionTarget> | undefined = undefined;

  constructor(locator: string, kind: TargetKind, resource: KubernetesObject, entry: NamespaceEntry, since: number) {
    super(since);
    this.locator = locator;
    this.kind = kind;
    this.resource = resource;
    this.namespaceEntry = entry;
  }

  get object(): this {
    return this;
  }

  /** Returns a section by its name. O(1), after an index of many sections was built. */
  sectionNamed(name: string): SectionTarget | undefined {
    const { sections } = this;
    if (sections.length <= fewSections) return sections.find(({ section }) => section.name === name);
    return this.#indexed().named(name);
  }

  /** Returns all sections that match criteria, and possibly more, in their order. O(result), after an index of the field was built. */
  sectionsWith({ name, field }: SectionCriteria): readonly SectionTarget[] {
    if (name !== undefined) {
      const section = this.sectionNamed(name);
      return section === undefined ? none : [section];
    }
    return field === undefined || this.sections.length <= fewSections
      ? this.sections
      : this.#indexed().withField(...field);
  }

  #indexed(): SectionIndex<SectionTarget> {
    if (this.#index?.sections !== this.sections) this.#index = new SectionIndex(this.sections);
    return this.#index;
  }

  protected newRef(): ResourceRef {
    return refOf(this.resource, this.kind.scope);
  }
}

/** A namespace, whether the topology holds the Namespace or not; or the place of all cluster-scoped resources. */
export interface NamespaceEntry {
  readonly name: string | undefined;
  /** The Namespace, if the topology holds it. */
  containers: readonly WholeTarget[];
  /** The whole resources in the namespace, by kind and name. */
  readonly members: Map<TargetKind, Named<WholeTarget>>;
}

/** A section of a resource. Its locator is formatted on demand: there are many sections, and few locators are read. */
export class SectionTarget extends Target {
  readonly object: WholeTarget;
  readonly kind: SectionKind;
  override section: NamedSection;
  /** The index in the list of its kind. */
  index: number;

  constructor(object: WholeTarget, kind: SectionKind, section: NamedSection, index: number, since: number) {
    super(since);
    this.object = object;
    this.kind = kind;
    this.section = section;
    this.index = index;
  }

  get locator(): string {
    return `${this.object.locator}#${this.section.name}`;
  }

  get resource(): KubernetesObject {
    return this.object.resource;
  }

  get sections(): readonly never[] {
    return none;
  }

  get linkedSections(): number {
    return 0;
  }

  /** The section as functions of its kind receive it. */
  get place(): SectionEntry {
    return { index: this.index, value: this.section.value };
  }

  protected newRef(): ResourceRef {
    const { group, kind, namespace, name } = this.object.ref;
    const section = this.section.name;
    return namespace === undefined ? { group, kind, name, section } : { group, kind, namespace, name, section };
  }
}
