import { type GroupKind, groupKindKey, type KubernetesObject } from '@policy-machinery/resource';
import type { ReferenceGrants } from '@policy-machinery/target-ref';
import { type KindIndex, kindIn } from './kinds.ts';
import type { AdmissionLookup, SelectedTargets } from './reference.ts';
import type { TargetKind } from './target-kind.ts';
import type { MutableTargetNode } from './target-node.ts';

/**
 * All that the links and attachments of one resource may depend on beyond the resource itself. Who decides about one asks
 * here and nowhere else.
 */
export interface Lookup extends AdmissionLookup {
  /** A kind of target, in its own spelling. It never changes. */
  readonly kind: (sought: GroupKind) => TargetKind | undefined;
  /** A whole resource or a section of one, by locator. */
  readonly target: (locator: string) => MutableTargetNode | undefined;
  /** A superset of what a selector in a namespace selects, in the order of locators. */
  readonly candidates: (selector: SelectedTargets, namespace: string | undefined) => readonly MutableTargetNode[];
  readonly permits: ReferenceGrants['permits'];
}

/** Indexes what may be asked. The index of what can be selected is made on first use: O(targets and their labels). */
export function createLookup(
  targets: ReadonlyMap<string, MutableTargetNode>,
  resources: ReadonlyMap<string, KubernetesObject>,
  kinds: KindIndex<TargetKind>,
  permits: ReferenceGrants['permits'],
): Lookup {
  let byTerm: ReadonlyMap<string, readonly MutableTargetNode[]> | undefined;
  return {
    kind: (sought) => kindIn(kinds, sought),
    target: (locator) => targets.get(locator),
    candidates: (selector, namespace) => {
      const index = byTerm ?? indexByTerm(targets.values());
      byTerm = index;
      const isCluster = kindIn(kinds, selector)?.scope === 'Cluster';
      const lists = termsOf(selector, isCluster ? undefined : namespace).map((term) => index.get(term) ?? []);
      return lists.reduce((least, list) => (list.length < least.length ? list : least));
    },
    permits,
    namespaceLabels: (name) => {
      const namespace = resources.get(`namespace:${name}`);
      return namespace === undefined ? undefined : (namespace.metadata.labels ?? {});
    },
  };
}

function indexByTerm(targets: Iterable<MutableTargetNode>): ReadonlyMap<string, readonly MutableTargetNode[]> {
  const index = new Map<string, MutableTargetNode[]>();
  for (const node of targets) {
    if (node.section !== undefined) continue;
    const key = groupKindKey(node.ref);
    for (const term of [kindTerm(key), namespaceTerm(key, node.ref.namespace), ...labelTerms(key, node.resource)]) {
      const there = index.get(term);
      if (there === undefined) index.set(term, [node]);
      else there.push(node);
    }
  }
  return index;
}

/** Each term leads to a superset of what is selected. */
function termsOf(selector: SelectedTargets, namespace: string | undefined): readonly [string, ...string[]] {
  const key = groupKindKey(selector);
  const isSame = selector.namespaces.from === 'Same' && namespace !== undefined;
  return [
    kindTerm(key),
    ...(isSame ? [namespaceTerm(key, namespace)] : []),
    ...Object.entries(selector.matchLabels ?? {}).map(([label, value]) => labelTerm(key, label, value)),
  ];
}

function labelTerms(kind: string, { metadata }: KubernetesObject): readonly string[] {
  return Object.entries(metadata.labels ?? {}).map(([label, value]) => labelTerm(kind, label, value));
}

const kindTerm = (kind: string): string => JSON.stringify([kind]);
const namespaceTerm = (kind: string, namespace: string | undefined): string => JSON.stringify([kind, namespace]);
const labelTerm = (kind: string, label: string, value: string): string => JSON.stringify([kind, label, value]);
