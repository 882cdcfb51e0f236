import { Gateway, HTTPRoute, Namespace, Service } from '@policy-machinery/gateway-api';
import { type JsonValue, namespaceOf, objectsIn, specOf } from '@policy-machinery/resource';
import { referenceGrantKind } from '@policy-machinery/target-ref/inner';
import { addition, change, changeOfAny, type Edit, rarely, removal, repetition, someNamespace } from './edit.ts';
import { newGateway, portListener } from './gateways.ts';
import { grantSpec, newGrant } from './grants.ts';
import { listChange, withOneAgain, withOneChanged, withOneMore, withoutOne } from './list-edits.ts';
import { namespaceLabels, newNamespace } from './namespaces.ts';
import { parentsIn } from './parent-refs.ts';
import { backendHabits, newPolicy, type PolicyHabits, trafficHabits } from './policies.ts';
import { broken, newInvalidPolicy, respecified, retargeted } from './policy-edits.ts';
import { newRoute } from './routes.ts';
import { newBackends, newRule } from './rules.ts';
import { newService, servicePorts } from './services.ts';
import { withoutStatus, withStatusOfOthers } from './statuses.ts';
import { word } from './words.ts';

/** Every edit of {@link randomChanges}. Objects are edited oftener than they come and go, so that references hold for a while. */
export const edits = {
  'add policy': ofEither((habits) =>
    addition(habits.kind, (world, name) =>
      (world.random.chance(0.2) ? newInvalidPolicy : newPolicy)(world, name, habits),
    ),
  ),
  'remove policy': ofEither(({ kind }) => removal(kind)),
  'edit policy': ofEither((habits) => change(habits.kind, (world, policy) => respecified(world, policy, habits))),
  'replace policy': ofEither((habits) =>
    change(habits.kind, (world, policy) => {
      const spec = world.random.chance(0.5) ? policy.spec : respecified(world, policy, habits).spec;
      return world.server.replace(policy, spec as JsonValue);
    }),
  ),
  'break policy': rarely(ofEither(({ kind }) => change(kind, broken))),
  'retarget policy': ofEither((habits) => change(habits.kind, (world, policy) => retargeted(world, policy, habits))),

  'add route': rarely(addition(HTTPRoute, (world, name) => newRoute(world, name, 1 + world.random.int(4)))),
  'remove route': rarely(removal(HTTPRoute)),
  'move route': change(HTTPRoute, (world, route) => {
    const { hostnames: _, parentRefs: __, ...rest } = specOf(route);
    return world.server.respec(route, { ...parentsIn(world, namespaceOf(route)), ...rest });
  }),
  'add rule': listChange(HTTPRoute, 'rules', (world, rules, route) =>
    withOneMore(world, rules, () => newRule(world, namespaceOf(route), rules.length)),
  ),
  'remove rule': listChange(HTTPRoute, 'rules', withoutOne),
  'reorder rules': listChange(HTTPRoute, 'rules', ({ random }, rules) => random.shuffle(rules)),
  'rename rule': listChange(HTTPRoute, 'rules', (world, rules) =>
    withOneChanged(world, rules, () => ({ name: word(world.random) })),
  ),
  'edit backends': listChange(HTTPRoute, 'rules', (world, rules, route) =>
    withOneChanged(world, rules, () => ({ backendRefs: newBackends(world, namespaceOf(route)) })),
  ),

  'add gateway': rarely(
    addition(Gateway, (world, name) => newGateway(world, name, someNamespace(world), 1 + world.random.int(5))),
  ),
  'remove gateway': rarely(removal(Gateway)),
  'add listener': rarely(
    listChange(Gateway, 'listeners', (world, listeners) => {
      const [{ allowedRoutes = {} } = {}] = listeners;
      const free = listeners.findIndex((_, index) => listeners.every(({ name }) => name !== portListener(index).name));
      const added = { ...portListener(free < 0 ? listeners.length : free), allowedRoutes };
      return withOneMore(world, listeners, () => added);
    }),
  ),
  'remove listener': rarely(listChange(Gateway, 'listeners', withoutOne)),
  'rename listener': rarely(
    listChange(Gateway, 'listeners', (world, listeners) =>
      withOneChanged(world, listeners, () => ({ name: `http-${world.random.int(5)}` })),
    ),
  ),

  'add service': rarely(addition(Service, (world, name) => newService(world, name, someNamespace(world)))),
  'remove service': rarely(removal(Service)),
  'change ports': change(Service, ({ random, server }, service) =>
    server.respec(service, { ...specOf(service), ports: servicePorts(random) }),
  ),

  'add namespace': rarely(addition(Namespace, newNamespace)),
  'remove namespace': rarely(removal(Namespace)),
  'relabel namespace': change(Namespace, ({ random, server }, namespace) =>
    server.relabel(namespace, namespaceLabels(random, namespace.metadata.name)),
  ),

  'edit backends abroad': listChange(HTTPRoute, 'rules', (world, rules) =>
    withOneChanged(world, rules, () => {
      const namespace = someNamespace(world);
      return { backendRefs: newBackends(world, namespace).map((ref) => ({ ...ref, namespace })) };
    }),
  ),
  'repeat a backend': listChange(HTTPRoute, 'rules', (world, rules) =>
    withOneChanged(world, rules, ({ backendRefs }) => ({ backendRefs: withOneAgain(world, objectsIn(backendRefs)) })),
  ),
  'repeat a parent': listChange(HTTPRoute, 'parentRefs', withOneAgain),
  'add grant': addition(referenceGrantKind, (world, name) => newGrant(world, name, someNamespace(world))),
  'remove grant': removal(referenceGrantKind),
  'change grant': change(referenceGrantKind, (world, grant) => world.server.respec(grant, grantSpec(world))),

  'write a status': changeOfAny(withStatusOfOthers),
  'lose a status': changeOfAny(withoutStatus),
  'serve again': repetition,
} satisfies Readonly<Record<string, Edit>>;

/** Returns an edit of a policy of either kind. */
function ofEither(edit: (habits: PolicyHabits) => Edit): Edit {
  return (world) => edit(world.random.pick([trafficHabits, backendHabits]))(world);
}
