import {
  formatLocator,
  type Issue,
  isJsonObject,
  type KubernetesObject,
  locatorOf,
  objectFaults,
  PolicyMachineryError,
  parseLocator,
  type ResourceRef,
} from '@policy-machinery/resource';
import type { ResourceChange } from './change-record.ts';
import { type Kinds, locatorFor } from './kinds.ts';
import type { World } from './world.ts';

/** A change of the cluster. */
export interface TopologyChange {
  /** Resources that are new or have changed. */
  readonly upsert?: Iterable<KubernetesObject>;
  /** Whole resources that are gone, by themselves, by reference or by locator. Those that are not there are skipped. */
  readonly remove?: Iterable<KubernetesObject | ResourceRef | string>;
}

/** A change that has been checked. */
export interface CheckedChange {
  /** What comes, changes or goes, by locator. */
  readonly resources: Map<string, ResourceChange>;
  /** Locators of the resources whose kind is not known. */
  readonly ignored: readonly string[];
}

/**
 * Checks a change before anything is done about it.
 *
 * @param world What there is, and the kinds that it knows.
 * @throws {PolicyMachineryError} `invalid-resources`, with everything that is wrong.
 */
export function checkChange(
  { upsert = [], remove = [] }: TopologyChange,
  { kinds, given }: Pick<World, 'kinds' | 'given'>,
): CheckedChange {
  const all = [...upsert];
  const issues: Issue[] = [];
  const resources = new Map<string, ResourceChange>();
  const ignored: string[] = [];
  const alike: string[] = [];
  let places: ReadonlyMap<KubernetesObject | undefined, number> | undefined;
  for (let index = 0; index < all.length; index += 1) {
    const now = all[index] as KubernetesObject;
    const [fault] = objectFaults(now);
    if (fault !== undefined) {
      issues.push(rejected('no-kubernetes-object', `upsert[${index}]: ${fault.message}`));
      continue;
    }
    const known = kinds.of(now);
    if (known === undefined) {
      ignored.push(locatorOf(now));
      continue;
    }
    const locator = locatorFor(known, now);
    const other = resources.get(locator);
    if (other !== undefined) {
      places ??= new Map(all.map((it, place) => [it, place] as const).reverse()); // There may be many.
      issues.push(duplicate(places.get(other.now), index, locator));
    }
    const was = given.get(locator);
    if (was === now) alike.push(locator);
    resources.set(locator, { locator, known, was, now });
  }
  const { locators, faults } = removed(remove, kinds);
  issues.push(...faults);
  if (issues.length > 0) throw new PolicyMachineryError('invalid-resources', 'The change cannot be applied', issues);
  for (const locator of locators) {
    const was = given.get(locator);
    const known = was && kinds.of(was);
    if (known !== undefined && !resources.has(locator)) resources.set(locator, { locator, known, was, now: undefined });
  }
  for (const locator of alike) resources.delete(locator);
  return { resources, ignored: ignored.sort() };
}

/** The locators of what is to be removed, and what is wrong with that. */
function removed(remove: NonNullable<TopologyChange['remove']>, kinds: Kinds) {
  const locators: string[] = [];
  const faults: Issue[] = [];
  for (const [index, item] of [...remove].entries()) {
    if (typeof item === 'string' || isReference(item)) {
      const { locator, fault } = readLocator(typeof item === 'string' ? item : formatLocator(item));
      if (fault === undefined) locators.push(locator);
      else faults.push(rejected('invalid-locator', `remove[${index}]: ${fault}`));
      continue;
    }
    const [fault] = objectFaults(item);
    if (fault === undefined) locators.push(locatorOf(item, kinds.of(item)?.scope));
    else faults.push(rejected('no-kubernetes-object', `remove[${index}]: ${fault.message}`));
  }
  return { locators, faults };
}

function rejected(code: string, message: string): Issue {
  return { code, severity: 'error', message };
}

function duplicate(first: number | undefined, second: number, resource: string): Issue {
  const message = `upsert[${first}] and upsert[${second}] are one resource; leave one out`;
  return { code: 'duplicate-resource', severity: 'error', message, resource };
}

/** Reads the locator of a whole resource, and writes its kind in lower case. */
function readLocator(text: string): { readonly locator: string; readonly fault?: string } {
  try {
    const ref = parseLocator(text);
    const fault = `"${text}" is a section, which goes with its resource; remove the resource, or upsert it without the section`;
    return { locator: formatLocator(ref), ...(ref.section === undefined ? {} : { fault }) };
  } catch (error) {
    return { locator: text, fault: error instanceof Error ? error.message : String(error) };
  }
}

function isReference(item: KubernetesObject | ResourceRef): item is ResourceRef {
  return isJsonObject(item) && [item.group, item.kind, item.name].every((field) => typeof field === 'string');
}
