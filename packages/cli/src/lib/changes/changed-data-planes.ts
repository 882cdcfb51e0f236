import { Gateway, GatewayClass } from '@policy-machinery/gateway-api';
import { knownKinds } from '@policy-machinery/known-kinds';
import { specOf, stringIn } from '@policy-machinery/resource';
import { formatTarget, type TargetNode } from '@policy-machinery/topology';
import type { World } from '../model/world.ts';

const knownDomains: ReadonlySet<string> = new Set(knownKinds.flatMap(({ controllers }) => controllers ?? []));

/** Returns the class of a Gateway, with the controller that serves it: `edge of gateway.envoyproxy.io`. */
function servedBy(gateway: TargetNode, { topology }: World): { readonly text: string; readonly isKnown: boolean } {
  const name = String(specOf(gateway.resource).gatewayClassName);
  const gatewayClass = topology.parents(gateway).find(({ ref }) => ref.kind === GatewayClass.kind);
  if (gatewayClass === undefined) return { text: `${name}, which is not in this input`, isKnown: false };
  const controller = stringIn(specOf(gatewayClass.resource).controllerName) ?? '';
  return {
    text: `${name} of the controller ${controller}`,
    isKnown: knownDomains.has(controller.split('/', 1)[0] ?? ''),
  };
}

/** Returns the Gateways that a change moves to a data plane that is not known, in sentences without a full stop: policies may not count there. */
export function changedDataPlanes(base: World, head: World): readonly string[] {
  const earlier = [...base.topology.targetsOf([Gateway])].filter(({ section }) => section === undefined);
  const used = new Set(earlier.map((gateway) => servedBy(gateway, base).text));
  return [...head.topology.targetsOf([Gateway])].flatMap((gateway) => {
    const { text, isKnown } = servedBy(gateway, head);
    const previous = base.topology.get(gateway.locator);
    const isSame = previous === undefined ? used.has(text) : servedBy(previous, base).text === text;
    if (gateway.section !== undefined || isKnown || isSame) return [];
    return `${formatTarget(gateway)} gets the class ${text}, and whether policies count there is not known`;
  });
}
