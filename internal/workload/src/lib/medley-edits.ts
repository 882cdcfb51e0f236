import { Gateway, HTTPRoute, ListenerSet, Service } from '@policy-machinery/gateway-api';
import { type JsonObject, type KubernetesObject, namespaceOf, objectsIn, specOf } from '@policy-machinery/resource';
import { addition, type ChangingWorld, change, changeOfAny, type Edit, removal, someNamespace } from './edit.ts';
import { portListener } from './gateways.ts';
import { listChange, withOneChanged, withOneMore, withoutOne } from './list-edits.ts';
import { Tier, unmanagedClass } from './medley-kinds.ts';
import {
  extensionFilter,
  type MedleyHabits,
  medleyHabits,
  medleySpec,
  newMedleyPolicy,
  someLabels,
} from './medley-policies.ts';
import type { World } from './world.ts';

/** The edits of what only a medley has. */
export const medleyEdits = {
  'add medley policy': ofAnyKind((habits) =>
    addition(habits.kind, (world, name) => newMedleyPolicy(world, name, habits)),
  ),
  'remove medley policy': ofAnyKind(({ kind }) => removal(kind)),
  'edit medley policy': ofAnyKind((habits) =>
    change(habits.kind, (world, policy) => world.server.respec(policy, medleySpec(world, habits).spec)),
  ),
  'replace medley policy': ofAnyKind((habits) =>
    change(habits.kind, (world, policy) => world.server.replace(policy, medleySpec(world, habits).spec)),
  ),

  'add tier': addition(Tier, ({ server }, name) => server.create(Tier, { name })),
  'remove tier': removal(Tier),

  'add listener set': addition(ListenerSet, (world, name) => newListenerSet(world, name)),
  'remove listener set': removal(ListenerSet),
  'move listener set': change(ListenerSet, (world, set) => {
    const parentRef = parentRefTo(world, Gateway, namespaceOf(set));
    return parentRef === undefined ? undefined : world.server.respec(set, { ...specOf(set), parentRef });
  }),
  'add listener to set': listChange(ListenerSet, 'listeners', (world, listeners) =>
    withOneMore(world, listeners, () => setListener(world)),
  ),
  'remove listener from set': listChange(ListenerSet, 'listeners', withoutOne),
  'rename listener of set': listChange(ListenerSet, 'listeners', (world, listeners) =>
    withOneChanged(world, listeners, () => setListener(world)),
  ),
  'allow listener sets': change(Gateway, ({ random, server }, gateway) => {
    const from = random.pick(['All', 'Same', 'None', 'Selector']);
    const selector = from === 'Selector' ? { selector: { matchLabels: { tier: 'prod' } } } : {};
    return server.respec(gateway, { ...specOf(gateway), allowedListeners: { namespaces: { from, ...selector } } });
  }),
  'change class': change(Gateway, ({ random, server }, gateway) =>
    server.respec(gateway, { ...specOf(gateway), gatewayClassName: random.pick(['edge', 'edge', unmanagedClass]) }),
  ),

  'move route to listener set': change(HTTPRoute, (world, route) =>
    hungBelow(world, route, parentRefTo(world, ListenerSet, namespaceOf(route))),
  ),
  'move route to service': change(HTTPRoute, (world, route) => {
    const parentRef = parentRefTo(world, Service, namespaceOf(route));
    const port = world.random.pick([{}, { port: 80 }, { sectionName: 'http' }]);
    return hungBelow(world, route, parentRef === undefined ? undefined : { ...parentRef, ...port });
  }),
  'make route a child': change(HTTPRoute, ({ random, server, state }, route) => {
    const { hostnames: _, parentRefs: __, ...rest } = specOf(route);
    const { group, kind } = HTTPRoute;
    const { name, namespace = '' } = random.pick(state.list(HTTPRoute)).metadata;
    return server.respec(route, {
      ...(random.chance(0.5) ? { parentRefs: [{ group, kind, name, namespace }] } : {}),
      ...rest,
    });
  }),
  'delegate rule': listChange(HTTPRoute, 'rules', (world, rules) =>
    withOneChanged(world, rules, () => ({
      backendRefs: [childRef(world)],
      // Whatever its children match is within the first of these.
      ...(world.random.chance(0.8)
        ? { matches: [{ path: { type: 'PathPrefix', value: world.random.pick(['/', '/', '/a', '/a/b']) } }] }
        : {}),
    })),
  ),
  'name policy': listChange(HTTPRoute, 'rules', (world, rules) =>
    withOneChanged(world, rules, () => ({
      filters: world.random.chance(0.3) ? [] : [extensionFilter(world), ...moreFilters(world)],
    })),
  ),
  'begin deletion': changeOfAny(({ server }, resource) => {
    return isBeingDeleted(resource) ? undefined : server.beginDeletion(resource);
  }),
  'finish deletion': ({ random, state }) => {
    const ending = state.all.filter(isBeingDeleted);
    return ending.length === 0 ? undefined : { remove: random.pick(ending) };
  },
  relabel: changeOfAny(({ random, server }, resource) =>
    server.relabel(
      resource,
      { ...resource.metadata.labels, ...someLabels(random) },
      {
        [priority]: random.pick(['ShallowMergePreferParent', 'DeepMergePreferChild', 'DeepMergePreferParent']),
        [inheritance]: random.pick(['true', 'false']),
      },
    ),
  ),
} satisfies Readonly<Record<string, Edit>>;

/** Says whether parents or children are preferred, on a parent of kgateway. */
const priority = 'kgateway.dev/inherited-policy-priority';

/** Says whether a child inherits the matches of its parents. */
const inheritance = 'delegation.kgateway.dev/inherit-parent-matcher';

function isBeingDeleted({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Returns an edit of a policy of any of the medley's own kinds. */
function ofAnyKind(edit: (habits: MedleyHabits) => Edit): Edit {
  return (world) => edit(world.random.pick(medleyHabits))(world);
}

/** Returns a new ListenerSet below some Gateway, or below one that is missing. */
export function newListenerSet(world: World, name: string): KubernetesObject {
  const namespace = someNamespace(world);
  const { group, kind } = Gateway;
  const parentRef = parentRefTo(world, Gateway, namespace) ?? { group, kind, name: 'missing' };
  const spec = { parentRef, listeners: [setListener(world)] };
  return world.server.create(ListenerSet, { name, namespace }, { spec });
}

/** Returns a listener for the routes of all namespaces. */
function setListener({ random }: World): JsonObject {
  return { ...portListener(random.int(4)), allowedRoutes: { namespaces: { from: random.pick(['All', 'Same']) } } };
}

/** A reference to some resource of a kind, wherever it is. */
function parentRefTo(
  { random, state }: World,
  kind: typeof Gateway | typeof ListenerSet | typeof Service,
  own: string,
) {
  const found = state.list(kind);
  if (found.length === 0) return undefined;
  const { name, namespace = own } = random.pick(found).metadata;
  return { group: kind.group, kind: kind.kind, name, ...(namespace === own ? {} : { namespace }) };
}

/** Returns a route with this parent alone, or beside those that it has. */
function hungBelow({ random, server }: ChangingWorld, route: KubernetesObject, parentRef: JsonObject | undefined) {
  if (parentRef === undefined) return undefined;
  const { hostnames: _, ...spec } = specOf(route);
  const others = random.chance(0.5) ? objectsIn(spec.parentRefs) : [];
  return server.respec(route, { ...spec, parentRefs: [...others, parentRef] });
}

/** Children of a rule: one route, all of a namespace, or those with a label. */
function childRef(world: World): JsonObject {
  const { random, state } = world;
  const { group, kind } = HTTPRoute;
  const route = random.pick(state.list(HTTPRoute));
  const byLabel = { group: 'delegation.kgateway.dev', kind: 'label', name: random.pick(['a', 'b']) };
  return random.pick([
    { group, kind, name: route.metadata.name, namespace: namespaceOf(route) },
    { group, kind, name: '*', namespace: someNamespace(world) },
    { ...byLabel, namespace: random.pick(['all', someNamespace(world)]) },
  ]);
}

function moreFilters(world: World): readonly JsonObject[] {
  return world.random.chance(0.2) ? [extensionFilter(world)] : [];
}
