import { type HttpRequest, intersectHostnames, type RequestTrace } from '@policy-machinery/gateway-api';
import { notKnownAbout } from '@policy-machinery/guarantees/inner';
import { locatorOf, namespaceOf, parseLocator, refOf, specOf } from '@policy-machinery/resource';
import { type Attachment, formatRef, formatTarget, type PolicyNode, type TargetNode } from '@policy-machinery/topology';
import { isInScope } from '../answers/in-scope.ts';
import { definitionAssumptions } from '../answers/unchecked.ts';
import { mergeAssumptions } from '../input/merged-gateways.ts';
import { classAssumptions, classesNotKnown, ofAll } from '../input/missing-classes.ts';
import { unknownInput } from '../input/unknown-input.ts';
import type { PolicyView, World } from '../model/world.ts';
import { verifiedKinds } from './verified-kinds.ts';

/** Returns the assumptions of answers to requests that meet policies of some views, in clauses: `that class edge belongs to Envoy Gateway`. */
export function requestAssumptions(world: World, views: World['views']): readonly string[] {
  return [...classAssumptions(ofAll, world), ...mergeAssumptions(world), ...definitionAssumptions(views)];
}

/** Returns the assumptions and unknowns of outcomes of policies of some views, as notes. */
export function outcomeNotes(world: World, views: Iterable<PolicyView>): readonly string[] {
  const isMeant = ({ node: { resource } }: PolicyView['effective']['policies'][number]) =>
    isInScope(world.scope, resource.metadata.namespace);
  const all = [...new Set(views)].filter(({ effective }) => effective.policies.some(isMeant));
  if (all.length === 0) return [];
  return [
    ...classesNotKnown(ofAll, world).map((it) => `Undecided: ${it}.`),
    ...[...classAssumptions(ofAll, world), ...definitionAssumptions(all)].map(assumptionNote),
  ];
}

/** Returns an assumption as a note: `The answer assumes that class edge belongs to Envoy Gateway.` */
export function assumptionNote(clause: string): string {
  return `The answer assumes ${clause}.`;
}

/**
 * Returns the unknown input that the answer to a request depends on, in sentences without a full stop: as for verdicts.
 *
 * @param traces Where it arrives.
 * @param gateway The locator of the only Gateway that is meant. Default: all.
 */
export function requestDoubts(
  world: World,
  { host = '', path = '/' }: HttpRequest,
  traces: readonly RequestTrace[],
  gateway?: string,
): readonly string[] {
  const entries = assumedEntries(world, host, traces, gateway);
  const { namespace = '', name = '' } = gateway === undefined ? {} : parseLocator(gateway);
  const requests = {
    ...(gateway !== undefined && { gateways: { namespaces: [namespace], names: [name] } }),
    ...(host !== '' && { hostnames: [host.replace(/:\d+$/, '')] }),
    paths: [{ type: 'Exact', value: path.split(/[?#]/, 1)[0] ?? '' }] as const,
  };
  const present = new Set(world.views.map(({ found: { kind } }) => kind.kind));
  // Others do not have an effect, whatever is missing; policies of absent kinds may be named by routes, or created.
  const kinds = verifiedKinds(world).filter(({ kind, policies }) => policies.length > 0 || !present.has(kind));
  const state = { topology: world.topology, kinds };
  const takers = new Set(traces.map(({ winner }) => winner?.rule ?? 'none'));
  return [
    ...new Set([
      ...unknownInput(world),
      ...entries.map((entry) => `the listeners of ${formatTarget(entry)} are not in this input`),
      ...[...takers, ...(takers.size === 0 ? ['none' as const] : [])].flatMap((taker) =>
        notKnownAbout(state, requests, taker),
      ),
      ...meshDoubts(world, traces),
    ]),
  ];
}

/** Returns the assumed Gateways where a route takes a request, or may take it at a listener that is not known. */
function assumedEntries(
  { assumed, topology }: World,
  host: string,
  traces: readonly RequestTrace[],
  gateway: string | undefined,
): readonly TargetNode[] {
  const takes = ({ winner, undecided }: RequestTrace) => winner !== undefined || undecided.length > 0;
  return assumed.flatMap(({ object, refs }): readonly TargetNode[] => {
    const entry = topology.get(locatorOf(object, 'Namespaced'));
    if (entry === undefined || (gateway !== undefined && gateway !== entry.locator)) return [];
    const arriving = traces.filter((trace) => trace.entry === entry);
    const isMeant = refs.some(({ resource }) => {
      const { hostnames } = specOf(topology.get(resource)?.resource ?? object);
      return intersectHostnames(host.replace(/:\d+$/, ''), hostnames).length > 0;
    });
    return (arriving.length === 0 ? isMeant : arriving.some(takes)) ? [entry] : [];
  });
}

/** Returns which policies of a mesh may be at a Gateway that takes the request: on Pods that may run it, or in its namespace, if one is not known. */
function meshDoubts({ topology, views }: World, traces: readonly RequestTrace[]): readonly string[] {
  const gateways = new Set(traces.flatMap(({ winner, entry }) => (winner ? entry : [])));
  const policies = views.flatMap(({ effective }) => (effective.topology === topology ? [] : effective.policies));
  return policies.flatMap(({ node }) => {
    const isOpen = (it: Attachment) => [...gateways].some((gateway) => mayBeAt(it, node, gateway));
    const open = node.attachments.find(isOpen);
    const { resource, kind } = node;
    const why = open?.reason ?? 'may be in the namespace of a Gateway that does not name one';
    return open === undefined ? [] : [`${formatRef(refOf(resource, kind.scope))} ${why}`];
  });
}

function mayBeAt({ declared, outcome }: Attachment, { resource }: PolicyNode, gateway: TargetNode): boolean {
  const isPlaced = [resource, gateway.resource].every(({ metadata }) => metadata.namespace !== undefined);
  if (!('kind' in declared) || (outcome !== 'Undecided' && (outcome !== 'Attached' || isPlaced))) return false;
  if (declared.kind === 'Mesh') return false;
  const isNamed = 'name' in declared && declared.kind !== 'Namespace';
  if (isNamed) return !isPlaced && declared.kind === gateway.ref.kind && declared.name === gateway.ref.name;
  const isEverywhere = 'namespaces' in declared && declared.namespaces?.from === 'All';
  return !isPlaced || isEverywhere || namespaceOf(resource) === gateway.ref.namespace;
}
