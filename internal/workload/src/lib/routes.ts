import { Gateway, HTTPRoute, Namespace } from '@policy-machinery/gateway-api';
import type { JsonObject, KubernetesObject } from '@policy-machinery/resource';
import { admissionTo } from './gateways.ts';
import { parentsIn } from './parent-refs.ts';
import { newRule } from './rules.ts';
import { word } from './words.ts';
import type { World } from './world.ts';

/**
 * Returns a new HTTPRoute in a namespace that some Gateway lets in, below that Gateway and maybe others. Without any Namespace it
 * is in `default`, and without any Gateway below none.
 */
export function newRoute(world: World, name: string, rules: number): KubernetesObject {
  const { random, state } = world;
  const gateways = state.list(Gateway);
  const gateway = gateways.length === 0 ? undefined : random.pickSkewed(gateways);
  const isLetIn = gateway === undefined ? () => true : admissionTo(gateway);
  const namespaces = state.list(Namespace).filter(isLetIn);
  const namespace = namespaces.length === 0 ? 'default' : random.pick(namespaces).metadata.name;
  return routeWith(
    world,
    { name, namespace },
    {
      ...parentsIn(world, namespace, gateway),
      rules: Array.from({ length: rules }, (_, index) => newRule(world, namespace, index)),
    },
  );
}

/** Returns a new HTTPRoute with this spec. Some have labels, some are managed by Helm. */
export function routeWith(
  { random, server }: World,
  { name, namespace }: { readonly name: string; readonly namespace: string },
  spec: JsonObject,
): KubernetesObject {
  const helm = random.chance(0.1) ? { annotations: { 'meta.helm.sh/release-name': word(random) } } : {};
  const labels = random.chance(0.3) ? { labels: { app: word(random) } } : {};
  return server.create(HTTPRoute, { ...helm, ...labels, name, namespace }, { spec });
}
