import { type JsonObject, objectIn, objectsIn, specOf, stringIn } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import type { Contender } from '../requests/contender.ts';
import { comparable } from './comparable.ts';

/** Filters that change responses or copy requests: they change neither the backend nor the request that it receives. */
const ofAnswers: ReadonlySet<unknown> = new Set(['ResponseHeaderModifier', 'RequestMirror', 'CORS']);

/**
 * Returns the destinations of a rule as comparable texts: each backend that receives requests, with its selector or address, and with the filters that
 * change the requests on the way.
 */
export function destinationsOf({ rule }: Pick<Contender, 'rule'>): readonly string[] {
  const { backendRefs, filters }: JsonObject = rule?.section?.value ?? {};
  const received = objectsIn(backendRefs).filter(({ weight }) => weight !== 0);
  return received.map(({ weight: _weight, filters: others, ...written }) => {
    const reference = { namespace: rule?.ref.namespace ?? '', ...written };
    const node = rule && backendIn(rule, reference);
    const changes = [...objectsIn(filters), ...objectsIn(others)].filter(({ type }) => !ofAnswers.has(type));
    return comparable({ ...reference, ...(changes.length > 0 && { changes }), ...(node && { behind: behind(node) }) });
  });
}

/** Returns the backend that a reference leads to; `undefined` if it is not in the input, or the reference is refused. */
function backendIn(
  rule: TargetNode,
  { group = '', kind = 'Service', name, namespace, port }: JsonObject,
): TargetNode | undefined {
  const backends = rule.linksTo.filter(
    ({ ref }) => ref.group === group && ref.kind === kind && ref.name === name && ref.namespace === namespace,
  );
  return backends.find(({ section }) => section?.value.port === port) ?? backends[0];
}

/** Returns the fields of a backend that select its endpoints. */
function behind({ ref, resource, section }: TargetNode): JsonObject {
  const spec = specOf(resource);
  if (ref.kind !== 'Service') return spec;
  const { externalName, selector } = spec;
  const { port, targetPort = port ?? null } = section?.value ?? {};
  const external = stringIn(externalName);
  return { ...(external && { externalName: external }), selector: objectIn(selector), targetPort };
}
