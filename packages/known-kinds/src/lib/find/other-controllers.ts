import { Gateway, GatewayClass, ListenerSet, XListenerSet } from '@policy-machinery/gateway-api';
import { type GroupKind, specOf, stringIn } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { knownKinds } from '../known-kinds.ts';
import type { KnownKind } from '../model/known-kind.ts';
import { dataPlanes, domainOf } from '../tables/data-planes.ts';
import type { ViewOptions } from './found-kind.ts';

/** The domains of further controllers that read no policies of the table. */
const others = ['gateways.kuma.io', 'konghq.com'];

const known: ReadonlySet<string> = new Set([
  ...[...knownKinds, ...dataPlanes].flatMap(({ controllers = [] }) => controllers),
  ...others,
]);

/**
 * Returns options for `effectivePolicies`: policies of a kind do not count at the Gateways of controllers that do not read the kind. A class with
 * an unknown controller may belong to any system, because controllers' names can be configured.
 */
export function viewOptionsOf({ controllers }: Pick<KnownKind, 'controllers'>): ViewOptions {
  if (controllers === undefined) return {};
  return {
    ours(object) {
      const domain = domainAt(object);
      return domain === undefined || controllers.includes(domain) || !known.has(domain);
    },
  };
}

/** Kinds, each with the kind above that leads to the class. */
const owners: readonly (readonly [GroupKind, GroupKind])[] = [
  [Gateway, GatewayClass],
  [ListenerSet, Gateway],
  [XListenerSet, Gateway],
];

/** Returns the domain of the controller that the class of a Gateway, of a ListenerSet's Gateway, or the class itself names. */
function domainAt(object: TargetNode): string | undefined {
  if (isOf(GatewayClass, object)) {
    const controllerName = stringIn(specOf(object.resource).controllerName);
    return controllerName && domainOf(controllerName);
  }
  const [, above] = owners.find(([kind]) => isOf(kind, object)) ?? [];
  const owner = above && object.linksFrom.find((it) => isOf(above, it));
  return owner && domainAt(owner.object);
}

function isOf(kind: GroupKind, { ref }: TargetNode): boolean {
  return ref.kind === kind.kind && ref.group === kind.group;
}
