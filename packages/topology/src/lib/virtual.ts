import {
  formatGroupKind,
  groupKindKey,
  groupKindOf,
  type Issue,
  type KubernetesObject,
  locatorOf,
  objectFaults,
} from '@policy-machinery/resource';
import { readSafely } from './links.ts';
import type { TargetKind } from './target-kind.ts';

/** What was derived from each resource: it stays the same for as long as the resource does. */
export type DerivedCache = WeakMap<KubernetesObject, Derived>;

interface Derived {
  readonly resources: ReadonlyMap<string, KubernetesObject>;
  readonly issues: readonly Issue[];
}

/**
 * Adds the resources of virtual kinds, which no API server knows (T-16). One that is given as such counts before one that is
 * derived; of several derivations the one from the first resource counts, in the order of locators.
 */
export function withVirtualResources(
  resources: ReadonlyMap<string, KubernetesObject>,
  kinds: Iterable<TargetKind>,
  cache: DerivedCache,
  report: (issue: Issue) => void,
): ReadonlyMap<string, KubernetesObject> {
  const virtualKinds = [...kinds].filter(({ derive }) => derive !== undefined);
  if (virtualKinds.length === 0) return resources;
  const all = new Map(resources);
  for (const [source, resource] of [...resources].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const derived = cache.get(resource) ?? deriveFrom(source, resource, virtualKinds);
    cache.set(resource, derived);
    for (const [locator, virtual] of derived.resources) if (!all.has(locator)) all.set(locator, virtual);
    derived.issues.forEach(report);
  }
  return all;
}

function deriveFrom(source: string, resource: KubernetesObject, kinds: readonly TargetKind[]): Derived {
  const resources = new Map<string, KubernetesObject>();
  const issues: Issue[] = [];
  const report = (issue: Issue): void => {
    issues.push(issue);
  };
  for (const kind of kinds) {
    for (const virtual of readSafely(source, report, () => [...(kind.derive?.(resource) ?? [])])) {
      const fault = faultOf(virtual, kind);
      if (fault === undefined) resources.set(locatorOf(virtual, kind.scope), virtual);
      else report({ code: 'invalid-virtual-resource', severity: 'error', message: fault, resource: source });
    }
  }
  return { resources, issues };
}

function faultOf(virtual: KubernetesObject, kind: TargetKind): string | undefined {
  const name = formatGroupKind(kind);
  const [fault] = objectFaults(virtual);
  if (fault !== undefined) return `what ${name} derives from it is ${fault.message}`;
  const derived = groupKindOf(virtual);
  if (groupKindKey(derived) === groupKindKey(kind) && derived.kind === kind.kind) return undefined;
  return `what ${name} derives from it is a ${formatGroupKind(derived)}; derive a ${name}`;
}
