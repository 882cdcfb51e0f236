import { type GroupKind, groupKindKey, specOf, stringIn } from '@policy-machinery/resource';
import type { TargetNode, Topology } from '@policy-machinery/topology';

const gatewayApiGroup = 'gateway.networking.k8s.io';

/** The kinds of classes, which name the controller of the objects below. */
const gatewayClass = groupKindKey({ group: gatewayApiGroup, kind: 'GatewayClass' });

/** The kinds of objects that have one controller, by their class. */
const gateway = groupKindKey({ group: gatewayApiGroup, kind: 'Gateway' });

/** Returns whether an object counts for a controller. */
export type ObjectTest = (object: TargetNode) => boolean;

/**
 * Returns a test that leaves out Gateways of other controllers: their GatewayClass names another controller, or does not exist. All other objects
 * count, unless they are only below these.
 *
 * @param controllerName The name in `spec.controllerName` of the controller's GatewayClasses.
 */
export function ourGateways(controllerName: string): ObjectTest {
  return (object) => {
    if (!isOfKind(object.ref, gateway)) return true;
    const above = object.object.linksFrom.filter(({ ref }) => isOfKind(ref, gatewayClass));
    return above.some(({ resource }) => stringIn(specOf(resource).controllerName) === controllerName);
  };
}

/** Returns whether a GatewayClass has a controller name. O(GatewayClasses). */
export function hasGatewayClass(topology: Topology, controllerName: string): boolean {
  const classes = [...topology.targetsOf([{ group: gatewayApiGroup, kind: 'GatewayClass' }])];
  return classes.some(({ resource }) => stringIn(specOf(resource).controllerName) === controllerName);
}

/** Returns a test that an object passes if it passes all of some tests; `undefined` if there are none. */
export function allOf(...tests: readonly (ObjectTest | undefined)[]): ObjectTest | undefined {
  const given = tests.filter((test) => test !== undefined);
  return given.length === 0 ? undefined : (object) => given.every((test) => test(object));
}

function isOfKind(ref: GroupKind, key: string): boolean {
  return groupKindKey(ref) === key;
}
