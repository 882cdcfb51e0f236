import {
  Gateway,
  GatewayClass,
  HTTPRoute,
  ListenerSet,
  Namespace,
  Service,
  ServiceFrontend,
} from '@policy-machinery/gateway-api';
import { groupKindOf, type JsonObject, type KubernetesObject } from '@policy-machinery/resource';
import type { TargetKind } from '@policy-machinery/topology';
import { someNamespace } from './edit.ts';
import { AccessPolicy, ClientPolicy, GuardPolicy, HousePolicy, LogPolicy, Tier } from './medley-kinds.ts';
import type { Random } from './random.ts';
import { pickTargets, type WeightedLevel } from './targets.ts';
import type { World } from './world.ts';

/** What policies of a medley kind target, and how. */
export interface MedleyHabits {
  readonly kind: typeof AccessPolicy | typeof ClientPolicy | typeof HousePolicy | typeof GuardPolicy | typeof LogPolicy;
  readonly levels: readonly WeightedLevel[];
  /** The kinds that they select by labels. Default: they have no selectors. */
  readonly selects?: readonly TargetKind[];
}

/** The habits of each kind of policies in a medley. */
export const medleyHabits: readonly MedleyHabits[] = [
  {
    kind: AccessPolicy,
    levels: [
      { weight: 20, level: Gateway },
      { weight: 10, level: Gateway.sections.listener },
      { weight: 10, level: ListenerSet },
      { weight: 10, level: ListenerSet.sections.listener },
      { weight: 30, level: HTTPRoute },
      { weight: 20, level: HTTPRoute.sections.rule },
    ],
    selects: [Gateway, ListenerSet, HTTPRoute],
  },
  {
    kind: ClientPolicy,
    levels: [
      { weight: 30, level: HTTPRoute },
      { weight: 40, level: Service },
      { weight: 10, level: Service.sections.port },
    ],
  },
  {
    kind: HousePolicy,
    levels: [
      { weight: 10, level: GatewayClass },
      { weight: 20, level: Tier },
      { weight: 20, level: Namespace },
      { weight: 20, level: Gateway },
      { weight: 20, level: HTTPRoute },
      { weight: 20, level: Service },
    ],
  },
  {
    kind: GuardPolicy,
    levels: [
      { weight: 10, level: GatewayClass },
      { weight: 20, level: Tier },
      { weight: 20, level: Namespace },
      { weight: 20, level: Gateway },
      { weight: 10, level: Gateway.sections.listener },
      { weight: 20, level: HTTPRoute },
      { weight: 20, level: Service },
    ],
    selects: [Gateway, HTTPRoute, Service],
  },
  {
    kind: LogPolicy,
    levels: [
      { weight: 30, level: Gateway },
      { weight: 10, level: Gateway.sections.listener },
      { weight: 30, level: HTTPRoute },
      { weight: 10, level: HTTPRoute.sections.rule },
      { weight: 20, level: Service },
    ],
    selects: [Gateway, HTTPRoute],
  },
];

/** Returns a new policy of a medley kind, mostly in the namespace of its target. */
export function newMedleyPolicy(world: World, name: string, habits: MedleyHabits): KubernetesObject {
  const { random, server } = world;
  const { namespace, spec } = medleySpec(world, habits);
  const home = random.chance(0.6) ? namespace : someNamespace(world);
  const where = habits.kind.scope === 'Cluster' ? {} : { namespace: home };
  return server.create(habits.kind, { ...where, labels: someLabels(random), name }, { spec });
}

/** What a policy of a medley kind may say, and the namespace of its first target. */
export function medleySpec(
  world: World,
  { kind, levels, selects = [] }: MedleyHabits,
): { readonly namespace: string; readonly spec: JsonObject } {
  const { random } = world;
  const proper = {
    ...(random.chance(0.7) ? { mode: random.pick(['strict', 'lax']) } : {}),
    ...(random.chance(0.5) ? { level: random.int(3) } : {}),
    ...(random.chance(0.4) ? { tags: [random.pick(['a', 'b', 'c'])] } : {}),
    ...(kind === HousePolicy ? random.pick([{}, { mergeType: 'JSONMerge' }, { mergeType: 'StrategicMerge' }]) : {}),
  };
  const named = pickTargets(world, levels);
  const namespace = named?.namespace ?? someNamespace(world);
  const targetRefs = (named?.targetRefs ?? []).map((ref) => ({ ...ref, namespace }));
  const frontends = kind === ClientPolicy && random.chance(0.3) ? targetRefs.map(asFrontend) : targetRefs;
  if (selects.length === 0 || random.chance(0.6)) return { namespace, spec: { targetRefs: frontends, ...proper } };
  const targetSelectors = [selectorOf(random, random.pick(selects))];
  const both = random.chance(0.3) ? { targetRefs } : {};
  return { namespace, spec: { targetSelectors, ...both, ...proper } };
}

/** Labels by which things are selected, and by which routes delegate. */
export function someLabels(random: Random): Readonly<Record<string, string>> {
  return {
    tier: random.pick(['prod', 'dev']),
    ...(random.chance(0.4) ? { 'delegation.kgateway.dev/label': random.pick(['a', 'b']) } : {}),
  };
}

function selectorOf(random: Random, kind: TargetKind): JsonObject {
  const matchLabels = { tier: random.pick(['prod', 'dev']) };
  const from = random.pick(['Same', 'All', 'Selector']);
  const selector = from === 'Selector' ? { selector: { matchLabels: { tier: random.pick(['prod', 'dev']) } } } : {};
  const { group, kind: name } = kind;
  return { group, kind: name, ...(random.chance(0.7) ? { matchLabels } : {}), namespaces: { from, ...selector } };
}

/** Returns a reference to a Service, as one to its frontend; any other as it is. */
function asFrontend(ref: JsonObject): JsonObject {
  const { sectionName: _, ...whole } = ref;
  const { group, kind } = ServiceFrontend;
  return ref.kind === Service.kind ? { ...whole, group, kind } : ref;
}

/** Returns a reference to a policy of a medley kind, as a filter of a rule. */
export function extensionFilter({ random, state }: World): JsonObject {
  const policies = state.list(AccessPolicy);
  const { group, kind } = policies[0] === undefined ? AccessPolicy : groupKindOf(policies[0]);
  const name = policies.length === 0 ? 'missing' : random.pick(policies).metadata.name;
  return { type: 'ExtensionRef', extensionRef: { group, kind, name } };
}
