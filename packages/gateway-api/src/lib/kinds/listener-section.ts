import { groupKindOf, type JsonObject, type KubernetesObject, namespaceOf, specOf } from '@policy-machinery/resource';
import type {
  AdmissionLookup,
  LinkEnd,
  NamedSection,
  Rivalry,
  Rivals,
  SectionDefinition,
  TargetKind,
  TargetNode,
} from '@policy-machinery/topology';
import { reportedByParents } from '../attachment/acceptance.ts';
import { attachmentOf, type GatewayApiOptions } from '../attachment/options.ts';
import { controllerOf, controllerOfClass } from '../attachment/owning-controller.ts';
import { gatewayClassKind, isSameKind } from '../fields/hierarchy.ts';
import { sectionsOf } from '../fields/items.ts';
import { certificateReferences } from '../listeners/certificates.ts';
import { type DataPlaneOf, type GatewayFacts, unknownDataPlane } from '../listeners/data-plane.ts';
import { protocolOf } from '../listeners/listener-protocol.ts';
import { exclusiveKinds, RouteRivals } from '../listeners/route-rivals.ts';

/**
 * Returns the listeners of Gateways and ListenerSets as sections; those without a name are named by index.
 *
 * @param options The data planes of Gateways, and whether statuses count.
 */
export function listenerSectionWith(options: GatewayApiOptions): SectionDefinition {
  return {
    list: (owner) => sectionsOf(specOf(owner).listeners),
    nameOf: (index) => `listener-${index + 1}`,
    references: certificateReferences,
    rivals: new RouteRivalry(options),
  };
}

/** The rule of a data plane for HTTPRoutes and GRPCRoutes at one listener. */
class RouteRivalry implements Rivalry {
  readonly among = exclusiveKinds;
  readonly options: GatewayApiOptions;
  readonly dataPlaneOf: DataPlaneOf;

  constructor(options: GatewayApiOptions) {
    const { dataPlane = unknownDataPlane } = options;
    this.options = options;
    this.dataPlaneOf = typeof dataPlane === 'function' ? dataPlane : () => dataPlane;
  }

  begin({ resource, section }: LinkEnd, lookup: AdmissionLookup): Rivals {
    const controllerName = controllerOf(resource, lookup);
    const isAccepted =
      attachmentOf(this.options) === 'status' ? acceptanceAt(resource, section, controllerName) : () => false;
    const hostname = hostnameIn(section?.value ?? {});
    return new RouteRivals(hostname, this.dataPlaneOf(controllerName), isAccepted);
  }
}

/** Returns whether the status of a route reports that a controller has accepted it at a listener. */
function acceptanceAt(
  owner: KubernetesObject,
  section: NamedSection | undefined,
  controllerName: string | undefined,
): (route: KubernetesObject) => boolean {
  const to = { ...groupKindOf(owner), namespace: namespaceOf(owner), name: owner.metadata.name };
  const wanted = [{ to }, { to, sectionName: section?.name }];
  return (route) => {
    const reported = reportedByParents(route);
    return wanted.some((parent) => reported(parent, () => controllerName) === 'accepted');
  };
}

function hostnameIn(listener: JsonObject): unknown {
  return protocolOf(listener)?.hasHostname ? listener.hostname : undefined;
}

/** Returns facts about the controller of a Gateway. */
export function factsOf(gateway: TargetNode): GatewayFacts {
  const { rivals } = (gateway.kind as TargetKind).sections?.listener ?? {};
  if (!(rivals instanceof RouteRivalry)) return { dataPlane: unknownDataPlane, statusCounts: false };
  const gatewayClass = gateway.linksFrom.find(({ ref }) => isSameKind(ref, gatewayClassKind));
  return {
    dataPlane: rivals.dataPlaneOf(controllerOfClass(gatewayClass?.resource)),
    statusCounts: attachmentOf(rivals.options) === 'status',
  };
}
