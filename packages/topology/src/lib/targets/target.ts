// targets/: takes resources, gives the targets that they stand for: whole resources and their sections, found by namespace, kind and name.
// A link leads from one target to another below it; above and below are the ends of a target's own references, from which links are made.

import { type KubernetesObject, type ResourceRef, refOf } from '@policy-machinery/resource';
import type { NamedSection, SectionCriteria } from '../model/reference.ts';
import type { SectionEntry, SectionKind, Targetable, TargetKind } from '../model/target-kind.ts';
import type { TargetNode } from '../model/target-node.ts';
import type { Named } from './named.ts';
import { SectionIndex } from './section-index.ts';

/** What most targets have of most things: lists are made when something comes into them. */
const none: readonly never[] = [];

/** Up to so many sections, as Gateway API allows a resource, are gone through faster than looked up. */
const fewSections = 64;

/**
 * A target of the topology. There is one for each locator, for as long as that is there; only the topology that it belongs to
 * changes it.
 */
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
  /** What its own references lead to, whether or not that became a link: from above, and below. In the order of the places. */
  above: readonly Target[] = none;
  below: readonly Target[] = none;
  asked: readonly string[] = none;
  /** The version of the topology with which it came. */
  readonly since: number;
  #ref: ResourceRef | undefined = undefined;

  constructor(since: number) {
    this.since = since;
  }

  get ref(): ResourceRef {
    this.#ref ??= this.newRef();
    return this.#ref;
  }

  /** The name of its namespace, whether or not the topology holds that; none if it is cluster-scoped. */
  get namespaceName(): string | undefined {
    return this.object.namespaceEntry.name;
  }

  get namespace(): Target | undefined {
    return this.object.namespaceEntry.namespace;
  }

  protected abstract newRef(): ResourceRef;
}

/** A whole resource. */
export class WholeTarget extends Target {
  readonly locator: string;
  readonly kind: TargetKind;
  resource: KubernetesObject;
  readonly namespaceEntry: NamespaceEntry;
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

  /** A section, by its name. O(1), but for the first one sought where there are many. */
  sectionNamed(name: string): SectionTarget | undefined {
    const { sections } = this;
    if (sections.length <= fewSections) return sections.find(({ section }) => section.name === name);
    return this.#indexed().named(name);
  }

  /** All sections that are as is said, and maybe others, in their order. O(what it returns), but for the first time that a field is asked for. */
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

/** A namespace as those know it that are in it, whether or not the topology holds it; or the place of all that is in none. */
export interface NamespaceEntry {
  readonly name: string | undefined;
  namespace: WholeTarget | undefined;
  /** The whole resources in it, by kind and name. */
  readonly members: Map<TargetKind, Named<WholeTarget>>;
}

/** A section of a resource. Most are never asked for their locators, and there are many: so none is kept. */
export class SectionTarget extends Target {
  readonly object: WholeTarget;
  readonly kind: SectionKind;
  override section: NamedSection;
  /** Its place in the list of its kind. */
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

  /** What its kind is given of it. */
  get place(): SectionEntry {
    return { index: this.index, value: this.section.value };
  }

  protected newRef(): ResourceRef {
    const { group, kind, namespace, name } = this.object.ref;
    const section = this.section.name;
    return namespace === undefined ? { group, kind, name, section } : { group, kind, namespace, name, section };
  }
}
