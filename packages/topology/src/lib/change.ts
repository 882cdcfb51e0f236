import {
  formatLocator,
  type GroupKind,
  groupKindOf,
  type Issue,
  isJsonObject,
  type KubernetesObject,
  locatorOf,
  objectFaults,
  PolicyMachineryError,
  parseLocator,
  type ResourceRef,
  type Scope,
} from '@policy-machinery/resource';

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
 * @param scopeOf The scope of a kind, if the topology knows that kind.
 * @throws {PolicyMachineryError} `invalid-resources`, with everything that is wrong.
 */
export function checkChange(
  { upsert = [], remove = [] }: TopologyChange,
  scopeOf: (kind: GroupKind) => Scope | undefined,
): CheckedChange {
  const issues: Issue[] = [];
  const upserts = new Map<string, KubernetesObject>();
  const places = new Map<string, number>();
  const removals: string[] = [];
  const ignored: string[] = [];
  const reject = (code: string, message: string, resource?: string): void => {
    issues.push({ code, severity: 'error', message, ...(resource === undefined ? {} : { resource }) });
  };

  for (const [index, resource] of [...upsert].entries()) {
    const [fault] = objectFaults(resource);
    if (fault !== undefined) {
      reject('no-kubernetes-object', `upsert[${index}]: ${fault.message}`);
      continue;
    }
    const scope = scopeOf(groupKindOf(resource));
    if (scope === undefined) {
      ignored.push(locatorOf(resource));
      continue;
    }
    const locator = locatorOf(resource, scope);
    const first = places.get(locator);
    if (first === undefined) places.set(locator, index);
    else reject('duplicate-resource', `upsert[${first}] and upsert[${index}] are one resource; leave one out`, locator);
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
    if (fault === undefined) removals.push(locatorOf(item, scopeOf(groupKindOf(item))));
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
