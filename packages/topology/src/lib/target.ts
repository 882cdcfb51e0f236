import { type KubernetesObject, namespaceOf, type ResourceRef, refOf } from '@policy-machinery/resource';
import type { Asker } from './dependents.ts';
import type { NamedSection } from './reference.ts';
import { insertInto, isIn, removeFrom } from './sorted.ts';
import { isSectionKind, type Targetable } from './target-kind.ts';
import type { TargetNode } from './target-node.ts';

/** What most targets have of most things: lists are made when something comes into them. */
const none: readonly never[] = [];

/** A namespace as those know it that are in it, whether or not the topology holds it. */
export interface Home {
  namespace: Target | undefined;
  /** The whole resources in it. */
  readonly members: Set<Target>;
}

/**
 * A target of the topology. There is one for each locator, for as long as that is there; only the topology that it belongs to
 * changes it.
 */
export class Target implements TargetNode, Asker {
  readonly locator: string;
  readonly object: Target;
  kind: Targetable;
  resource: KubernetesObject;
  section?: NamedSection;
  /** Place of a section in the list of its kind. */
  index: number;
  sections: readonly Target[] = none;
  linkedSections = 0;
  linksFrom: readonly Target[] = none;
  linksTo: readonly Target[] = none;
  /** What its own references lead to, whether or not that became a link: from above, and beneath. */
  above: readonly Target[] = none;
  beneath: readonly Target[] = none;
  asked: readonly string[] = none;
  /** The version of the topology with which it came. */
  readonly since: number;
  readonly home: Home | undefined;
  #ref: ResourceRef | undefined = undefined;

  constructor(
    locator: string,
    { kind, resource, since, home }: Pick<Target, 'kind' | 'resource' | 'since'> & { readonly home: Home | undefined },
    part?: { readonly object: Target; readonly section: NamedSection; readonly index: number },
  ) {
    this.locator = locator;
    this.kind = kind;
    this.resource = resource;
    this.since = since;
    this.home = home;
    this.object = part?.object ?? this;
    this.index = part?.index ?? 0;
    if (part !== undefined) this.section = part.section;
  }

  get ref(): ResourceRef {
    this.#ref ??= this.#newRef();
    return this.#ref;
  }

  /** The name of its namespace, whether or not the topology holds that; none if it is cluster-scoped. */
  get namespaceName(): string | undefined {
    return this.home === undefined ? undefined : namespaceOf(this.resource);
  }

  get namespace(): Target | undefined {
    return this.home?.namespace;
  }

  #newRef(): ResourceRef {
    const { kind, section, resource, object } = this;
    if (section !== undefined) return { ...object.ref, section: section.name };
    return refOf(resource, isSectionKind(kind) ? kind.of.scope : kind.scope);
  }
}

/** Whether there is a link: looked for where there are fewer. */
export function isLinked(above: Target, beneath: Target): boolean {
  const [down, up] = [above.linksTo, beneath.linksFrom];
  return down.length < up.length ? isIn(down, beneath) : isIn(up, above);
}

/** Links one target to another that is beneath it. */
export function link(above: Target, beneath: Target): void {
  if (beneath.section !== undefined && beneath.linksFrom.length === 0) beneath.object.linkedSections += 1;
  above.linksTo = withOne(above.linksTo, beneath);
  beneath.linksFrom = withOne(beneath.linksFrom, above);
}

/** Takes a link away. */
export function unlink(above: Target, beneath: Target): void {
  above.linksTo = withoutOne(above.linksTo, beneath);
  beneath.linksFrom = withoutOne(beneath.linksFrom, above);
  if (beneath.section !== undefined && beneath.linksFrom.length === 0) beneath.object.linkedSections -= 1;
}

function withOne(list: readonly Target[], target: Target): readonly Target[] {
  if (list === none) return [target];
  insertInto(list as Target[], target);
  return list;
}

function withoutOne(list: readonly Target[], target: Target): readonly Target[] {
  if (list.length === 1 && list[0] === target) return none;
  removeFrom(list as Target[], target);
  return list;
}
