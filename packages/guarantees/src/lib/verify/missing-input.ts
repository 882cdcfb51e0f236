import { groupKindKey } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';
import type { CompiledGuarantee } from '../model/compile.ts';
import type { ObjectSelector } from '../model/guarantee.ts';
import { objectTest } from '../model/selection.ts';

const gatewayKind = { group: 'gateway.networking.k8s.io', kind: 'Gateway' };
const namespaceKind = { group: '', kind: 'Namespace' };

/** The objects with namespaces that a selector or an expression may ask about. */
const sorts = ['gateways', 'routes', 'backends'] as const;

/**
 * Returns the namespaces with unknown labels that a guarantee asks about, in sentences without a full stop. O(targets) for guarantees that ask about
 * labels of namespaces.
 *
 * @param compiled The guarantee.
 * @param topology The topology.
 */
export function labelsNotGiven({ guarantee, reads }: CompiledGuarantee, topology: Topology): readonly string[] {
  const selectors = [guarantee.requests ?? {}, ...(guarantee.except ?? [])];
  const asked = sorts.filter(
    (sort) =>
      selectors.some((it) => it[sort]?.namespaceLabels !== undefined) ||
      reads.some(([variable, field]) => `${variable}s` === sort && field === 'namespaceLabels'),
  );
  if (asked.length === 0) return [];
  const missing = new Set<string>();
  for (const { section, object } of topology.targets) {
    const { namespace: name } = object.ref;
    if (section !== undefined || name === undefined || object.namespace !== undefined) continue;
    if (asked.some((sort) => isOfSort(object, sort)) && !topology.isComplete(namespaceKind, undefined, name)) {
      missing.add(name);
    }
  }
  return [...missing].sort().map((name) => `the labels of namespace ${name} are not in this input`);
}

function isOfSort(node: TargetNode, sort: (typeof sorts)[number]): boolean {
  if (sort === 'gateways') return isGateway(node);
  if (sort === 'routes') return node.ref.kind.endsWith('Route');
  return [node, ...node.sections].some(({ linksFrom }) => linksFrom.some(({ ref }) => ref.kind.endsWith('Route')));
}

/**
 * Returns why a guarantee about no requests may be about some, in sentences without a full stop: a topology that is not given all Gateways has none that
 * it is about.
 *
 * @param compiled The guarantee.
 * @param topology The topology.
 */
export function gatewaysNotGiven({ guarantee }: CompiledGuarantee, topology: Topology): readonly string[] {
  if (topology.isComplete(gatewayKind)) return [];
  const selector: ObjectSelector = guarantee.requests?.gateways ?? {};
  const isMeant = objectTest(selector) ?? (() => true);
  for (const node of topology.targetsOf([gatewayKind])) if (isGateway(node) && isMeant(node)) return [];
  return ['no Gateway that the guarantee is about is in this input'];
}

function isGateway({ section, ref }: TargetNode): boolean {
  return section === undefined && groupKindKey(ref) === groupKindKey(gatewayKind);
}
