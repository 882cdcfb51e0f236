import { namespaceOf, objectsIn } from '@policy-machinery/resource';
import type { Path, TargetNode } from '@policy-machinery/topology';
import type { RuleAtListener } from './rows.ts';

/** The requests of a place that reach one backend. */
export interface BackendPath {
  readonly path: Path;
  /** The weight of the backend; 1 if the rule leads to one backend or to none that exists. */
  readonly weight: number;
  /** The backend; `undefined` if the path ends at the rule. */
  readonly backend: TargetNode | undefined;
}

/**
 * Returns the paths of the requests of a place, with the weights of the backends. Backends without any weight get no requests; one that does not
 * exist has a path that ends at the rule.
 */
export function backendPaths({
  paths,
  rule,
  route,
}: Pick<RuleAtListener, 'paths' | 'rule' | 'route'>): readonly BackendPath[] {
  const [first] = paths;
  if (first === undefined) return [];
  const refs = objectsIn(rule?.section?.value.backendRefs);
  const end = first.indexOf(rule ?? route) + 1;
  const above = { path: first.slice(0, end), backend: undefined };
  if (refs.length === 0) return [{ ...above, weight: 1 }];
  const shares = refs.flatMap((ref): readonly BackendPath[] => {
    const weight = typeof ref.weight === 'number' ? ref.weight : 1;
    if (weight === 0) return [];
    const path = paths.find((it) => it.slice(end).some((node) => isNamed(node, ref, namespaceOf(route.resource))));
    const backend = path?.[end]?.object;
    return [path === undefined ? { ...above, weight } : { path, weight, backend }];
  });
  return shares.length === 0 ? [{ ...above, weight: 1 }] : shares;
}

function isNamed({ object, section }: TargetNode, ref: Readonly<Record<string, unknown>>, own: string): boolean {
  const { group = '', kind = 'Service', name, namespace = own, port } = ref;
  const { ref: named } = object;
  const isSame = named.group === group && named.kind === kind && named.name === name && named.namespace === namespace;
  return isSame && (section === undefined || port === undefined || section.value.port === port);
}
