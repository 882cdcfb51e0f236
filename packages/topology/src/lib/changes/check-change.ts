import {
  formatLocator,
  type Issue,
  isJsonObject,
  type KubernetesObject,
  locatorOf,
  messageOf,
  PolicyMachineryError,
  parseLocator,
  type TypeMeta,
} from '@policy-machinery/resource';
import { nameOfNoJson } from '@policy-machinery/resource/inner';
import { type Kinds, locatorFor } from '../model/kinds.ts';
import type { TopologyChange } from '../model/topology-change.ts';
import type { ResourceChange } from './change-in-progress.ts';
import { readResource, rejected } from './faulty-resources.ts';
import { type Stranger, strangerIn } from './strangers.ts';
import type { TopologyState } from './topology-state.ts';

export interface CheckedChange {
  /** The added, changed and removed resources, by locator. */
  readonly resources: ReadonlyMap<string, ResourceChange>;
  /** Locators of the resources of unknown kinds. */
  readonly ignored: readonly string[];
  /** The ignored resources that look like policies. */
  readonly strangers: readonly Stranger[];
  /** Locators of the resources to remove, known or not. */
  readonly removed: readonly string[];
  /** The resources of the change, in its order. */
  readonly upserted: readonly KubernetesObject[];
}

/**
 * Checks a change before it is applied.
 *
 * @param state The resources and kinds of the topology.
 * @throws {PolicyMachineryError} `invalid-resources` with all faults.
 */
export function checkChange(
  change: TopologyChange,
  { kinds, given }: Pick<TopologyState, 'kinds' | 'given'>,
): CheckedChange {
  const issues: Issue[] = [];
  const { objects, resources, ignored, strangers } = checkUpserts(
    listIn(change, 'upsert', issues),
    { name: 'upsert' },
    { kinds, given },
    issues,
  );
  const locators = removed(listIn(change, 'remove', issues), kinds, issues);
  if (issues.length > 0) throw invalidResources(issues);
  for (const locator of locators) {
    const previous = given.get(locator);
    const kind = previous && kinds.of(previous);
    if (kind !== undefined && !resources.has(locator))
      resources.set(locator, { locator, kind, previous, current: undefined });
  }
  const upserted = objects as readonly KubernetesObject[]; // Otherwise there is an issue.
  return { resources: withoutSame(resources), ignored: ignored.sort(), strangers, removed: locators, upserted };
}

/**
 * Checks added and changed resources.
 *
 * @param list The name of the list in issues, and the version and kind of resources without them.
 * @returns All resources of the list, in its order, with `undefined` for other values; and the parts of the checked change.
 */
export function checkUpserts(
  items: readonly unknown[],
  { name, type }: { readonly name: string; readonly type?: TypeMeta | undefined },
  { kinds, given }: Pick<TopologyState, 'kinds' | 'given'>,
  issues: Issue[],
) {
  const resources = new Map<string, ResourceChange>();
  const ignored: string[] = [];
  const strangers: Stranger[] = [];
  const faults = new Map<number, Issue>();
  const objects = items.map((item, index) =>
    readResource(item, type, (fault) =>
      faults.set(index, rejected('no-kubernetes-object', `${name}[${index}]`, fault)),
    ),
  );
  let places: ReadonlyMap<KubernetesObject | undefined, number> | undefined;
  for (const [index, resource] of objects.entries()) {
    const fault = faults.get(index);
    if (fault !== undefined) issues.push(fault);
    if (resource === undefined) continue;
    const kind = kinds.of(resource);
    if (kind === undefined) {
      ignored.push(locatorOf(resource));
      const stranger = strangerIn(resource, kinds);
      if (stranger !== undefined) strangers.push(stranger);
      continue;
    }
    const locator = locatorFor(kind, resource);
    const other = resources.get(locator)?.current;
    if (other !== undefined) {
      places ??= new Map(objects.map((it, place) => [it, place] as const).reverse()); // There may be many.
      issues.push(duplicate(name, places.get(other), index, locator));
    }
    resources.set(locator, { locator, kind, previous: given.get(locator), current: resource });
  }
  return { objects, resources, ignored, strangers };
}

/** Removes the resources from a change that the topology holds already, and returns the change. */
export function withoutSame(resources: Map<string, ResourceChange>): ReadonlyMap<string, ResourceChange> {
  for (const [locator, { previous, current }] of resources) if (previous === current) resources.delete(locator);
  return resources;
}

/** Returns the error for resources that cannot be used. */
export function invalidResources(issues: readonly Issue[], cause?: unknown): PolicyMachineryError {
  const options = cause === undefined ? undefined : { cause };
  return new PolicyMachineryError('invalid-resources', 'The change cannot be applied', issues, options);
}

/** Returns the items of a field of a change; none if the field is missing or no list. */
function listIn(change: TopologyChange, field: keyof TopologyChange, issues: Issue[]): readonly unknown[] {
  if (!isChange(change)) {
    if (field === 'upsert') issues.push(rejected('no-change', 'the change', { message: 'pass { upsert, remove }' }));
    return [];
  }
  return itemsOf(change[field] ?? [], field, issues);
}

/**
 * Returns the items of a list; none if the value is not a list.
 *
 * @param name The name of the list in issues.
 */
export function itemsOf(list: unknown, name: string, issues: Issue[]): readonly unknown[] {
  if (typeof list === 'object' && list !== null && Symbol.iterator in list) return [...(list as Iterable<unknown>)];
  issues.push(rejected('no-list', name, { message: `it is ${nameOf(list)}; pass a list, also of one` }));
  return [];
}

function isChange(change: unknown): boolean {
  return typeof change === 'object' && change !== null;
}

function nameOf(value: unknown): string {
  if (typeof value === 'string') return 'a string';
  return nameOfNoJson(value) ?? `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`;
}

/** Returns the locators of the resources to remove. */
function removed(remove: readonly unknown[], kinds: Kinds, issues: Issue[]): readonly string[] {
  const locators: string[] = [];
  for (const [index, item] of remove.entries()) {
    const place = `remove[${index}]`;
    const reference = typeof item === 'string' ? item : referenceIn(item);
    if (reference !== undefined) {
      const { locator, fault } = readLocator(reference);
      if (fault === undefined) locators.push(locator);
      else issues.push(rejected('invalid-locator', place, { message: fault }));
      continue;
    }
    const resource = readResource(item, undefined, (fault) =>
      issues.push(rejected('no-kubernetes-object', place, fault)),
    );
    if (resource !== undefined) locators.push(locatorOf(resource, kinds.of(resource)?.scope));
  }
  return locators;
}

function duplicate(list: string, first: number | undefined, second: number, resource: string): Issue {
  const message = `${list}[${first}] and ${list}[${second}] are one resource; leave one out`;
  return { code: 'duplicate-resource', severity: 'error', message, resource };
}

/** Returns the locator of a whole resource with its kind in lower case. */
function readLocator(text: string): { readonly locator: string; readonly fault?: string } {
  try {
    const ref = parseLocator(text);
    const fault = `"${text}" is a section, which goes with its resource; remove the resource, or upsert it without the section`;
    return { locator: formatLocator(ref), ...(ref.section === undefined ? {} : { fault }) };
  } catch (error) {
    return { locator: text, fault: messageOf(error) };
  }
}

/** Returns the locator of a reference; `undefined` for other values. */
function referenceIn(item: unknown): string | undefined {
  try {
    if (!isJsonObject(item)) return undefined;
    const { group, kind, name, namespace = '', section = '' } = item;
    const isReference = [group, kind, name, namespace, section].every((field) => typeof field === 'string');
    return isReference ? formatLocator(item as never) : undefined;
  } catch {
    return undefined;
  }
}
