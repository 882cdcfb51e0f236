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
import { type Kinds, locatorFor } from './kinds.ts';

/** A change of the cluster. */
export interface TopologyChange {
  /** Resources that are new or have changed. */
  readonly upsert?: Iterable<KubernetesObject>;
  /** Whole resources that are gone, by themselves, by reference or by locator. Those that are not there are skipped. */
  readonly remove?: Iterable<KubernetesObject | ResourceRef | string>;
}

/** A change that has been checked. */
export interface CheckedChange {
  readonly upserts: ReadonlyMap<string, KubernetesObject>;
  /** Locators. */
  readonly removals: readonly string[];
  /** Locators of the resources whose kind is not known. */
  readonly ignored: readonly string[];
}

/**
 * Checks a change before anything is done about it.
 *
 * @param kinds What the topology knows.
 * @throws {PolicyMachineryError} `invalid-resources`, with everything that is wrong.
 */
export function checkChange({ upsert = [], remove = [] }: TopologyChange, kinds: Kinds): CheckedChange {
  const issues: Issue[] = [];
  const upserts = new Map<string, KubernetesObject>();
  const all = [...upsert];
  let places: ReadonlyMap<KubernetesObject, number> | undefined;
  const removals: string[] = [];
  const ignored: string[] = [];
  const reject = (code: string, message: string, resource?: string): void => {
    issues.push({ code, severity: 'error', message, ...(resource === undefined ? {} : { resource }) });
  };

  for (const [index, resource] of all.entries()) {
    const [fault] = objectFaults(resource);
    if (fault !== undefined) {
      reject('no-kubernetes-object', `upsert[${index}]: ${fault.message}`);
      continue;
    }
    const known = kinds.of(resource);
    if (known === undefined) {
      ignored.push(locatorOf(resource));
      continue;
    }
    const locator = locatorFor(known, resource);
    if (upserts.has(locator)) {
      places ??= new Map(all.map((other, place) => [other, place] as const).reverse());
      const first = places.get(upserts.get(locator) as KubernetesObject);
      reject('duplicate-resource', `upsert[${first}] and upsert[${index}] are one resource; leave one out`, locator);
    }
    upserts.set(locator, resource);
  }
  for (const [index, item] of [...remove].entries()) {
    if (typeof item === 'string' || isReference(item)) {
      const { locator, fault } = readLocator(typeof item === 'string' ? item : formatLocator(item));
      if (fault === undefined) removals.push(locator);
      else reject('invalid-locator', `remove[${index}]: ${fault}`);
      continue;
    }
    const [fault] = objectFaults(item);
    if (fault === undefined) removals.push(locatorOf(item, kinds.of(item)?.scope));
    else reject('no-kubernetes-object', `remove[${index}]: ${fault.message}`);
  }
  if (issues.length > 0) throw new PolicyMachineryError('invalid-resources', 'The change cannot be applied', issues);
  return { upserts, removals, ignored: ignored.sort() };
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
