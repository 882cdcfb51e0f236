import { Gateway, GatewayClass } from '@policy-machinery/gateway-api';
import { type GroupKind, specOf, stringIn } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { knownKinds } from '../known-kinds.ts';
import type { KnownKind } from '../model/known-kind.ts';
import type { ViewOptions } from './found-kind.ts';

/** The domains of further controllers that read no policies of the table. */
const others = ['gateways.kuma.io', 'io.cilium', 'konghq.com', 'projectcontour.io', 'traefik.io'];

const known: ReadonlySet<string> = new Set([...knownKinds.flatMap(({ controllers = [] }) => controllers), ...others]);

/**
 * Returns the options with which policies of a kind do not count at the Gateways of controllers that do not read the kind. A class whose controller
 * is not known may belong to any system, since names of controllers can be configured.
 */
export function viewOptionsOf({ controllers }: Pick<KnownKind, 'controllers'>): ViewOptions {
  if (controllers === undefined) return {};
  return {
    ours(object) {
      const domain = domainOf(object);
      return domain === undefined || controllers.includes(domain) || !known.has(domain);
    },
  };
}

/** Returns the domain of the controller that a Gateway's class names. */
function domainOf(object: TargetNode): string | undefined {
  const owner = isOf(Gateway, object) ? object.linksFrom.find((above) => isOf(GatewayClass, above)) : object;
  if (owner === undefined || !isOf(GatewayClass, owner)) return undefined;
  return stringIn(specOf(owner.resource).controllerName)?.split('/', 1)[0];
}

function isOf(kind: GroupKind, { ref }: TargetNode): boolean {
  return ref.kind === kind.kind && ref.group === kind.group;
}
