import {
  groupKindOf,
  type JsonObject,
  type KubernetesObject,
  namespaceOf,
  specOf,
  stringIn,
} from '@policy-machinery/resource';
import type {
  AdmissionLookup,
  LinkEnd,
  Rivalry,
  Rivals,
  SectionDefinition,
  TargetKind,
  TargetNode,
} from '@policy-machinery/topology';
import { gatewayMeant } from '../attachment/listener-set-admission.ts';
import type { GatewayApiOptions } from '../attachment/options.ts';
import { gatewayClassKind, gatewayKind, isSameKind } from '../fields/hierarchy.ts';
import { sectionsOf } from '../fields/items.ts';
import { certificateReferences } from '../listeners/certificates.ts';
import { type DataPlane, type DataPlaneOf, unknownDataPlane } from '../listeners/data-plane.ts';
import { protocolOf } from '../listeners/listener-protocol.ts';
import { exclusiveKinds, RouteRivals } from '../listeners/route-rivals.ts';

/**
 * Returns the listeners of Gateways and ListenerSets as sections; those without a name are named by index.
 *
 * @param options The data planes of Gateways.
 */
export function listenerSectionWith({ dataPlane = unknownDataPlane }: GatewayApiOptions): SectionDefinition {
  return {
    list: (owner) => sectionsOf(specOf(owner).listeners),
    nameOf: (index) => `listener-${index + 1}`,
    references: certificateReferences,
    rivals: new RouteRivalry(typeof dataPlane === 'function' ? dataPlane : () => dataPlane),
  };
}

/** The rule of a data plane for HTTPRoutes and GRPCRoutes at one listener. */
class RouteRivalry implements Rivalry {
  readonly among = exclusiveKinds;
  readonly dataPlaneOf: DataPlaneOf;

  constructor(dataPlaneOf: DataPlaneOf) {
    this.dataPlaneOf = dataPlaneOf;
  }

  begin({ resource, section }: LinkEnd, lookup: AdmissionLookup): Rivals {
    const dataPlane = this.dataPlaneOf(controllerOfClass(classOf(resource, lookup)));
    return new RouteRivals(hostnameIn(section?.value ?? {}), dataPlane);
  }
}

/** Returns the GatewayClass of a Gateway, or of the Gateway of a ListenerSet. */
function classOf(owner: KubernetesObject, { resource }: AdmissionLookup): KubernetesObject | undefined {
  const isGateway = isSameKind(groupKindOf(owner), gatewayKind);
  const to = isGateway ? undefined : gatewayMeant(owner);
  const gateway = isGateway ? owner : to && resource({ ...to, namespace: to.namespace ?? namespaceOf(owner) });
  const name = gateway && stringIn(specOf(gateway).gatewayClassName);
  return name === undefined ? undefined : resource({ ...gatewayClassKind, name });
}

function controllerOfClass(gatewayClass: KubernetesObject | undefined): string | undefined {
  return gatewayClass && stringIn(specOf(gatewayClass).controllerName);
}

function hostnameIn(listener: JsonObject): unknown {
  return protocolOf(listener)?.hasHostname ? listener.hostname : undefined;
}

/** Returns what is known of the data plane of a Gateway. */
export function dataPlaneAt(gateway: TargetNode): DataPlane {
  const { rivals } = (gateway.kind as TargetKind).sections?.listener ?? {};
  if (!(rivals instanceof RouteRivalry)) return unknownDataPlane;
  const gatewayClass = gateway.linksFrom.find(({ ref }) => isSameKind(ref, gatewayClassKind));
  return rivals.dataPlaneOf(controllerOfClass(gatewayClass?.resource));
}
