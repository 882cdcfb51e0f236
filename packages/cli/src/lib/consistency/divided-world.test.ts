import {
  Gateway,
  gatewayStatus,
  HTTPRoute,
  ListenerSet,
  listenerStatuses,
  routeStatuses,
  Secret,
} from '@policy-machinery/gateway-api';
import type { Guarantee, Verdict } from '@policy-machinery/guarantees';
import { formatLocator, type KubernetesObject } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingsIn } from '../answers/issues.ts';
import { policyStates } from '../answers/policy-state.ts';
import { asFarAsReached } from '../answers/unreached.ts';
import { assumedGateways } from '../input/assumed-gateways.ts';
import { everything, nothing } from '../input/completeness.ts';
import { noticeUnrendered } from '../input/gitops/unrendered.ts';
import { findKinds } from '../input/kinds/kinds.ts';
import { noOwnKinds } from '../input/kinds/own-kinds.ts';
import { createWorld } from '../input/world.ts';
import { rendered } from '../model/unrendered.ts';
import { verifyWorld } from '../verifying/verify-world.ts';
import { dividedWorlds } from './divided-world.fixture.ts';

/** How many worlds are tried: `npm run check` tries more. */
const numRuns = Number(process.env.CONSISTENCY_WORLDS ?? 40);

const guarantees: readonly Guarantee[] = [
  'has(policies.SecurityPolicy)',
  '!has(policies.SecurityPolicy)',
  '"BackendTLSPolicy.gateway.networking.k8s.io" in policies',
  '!("BackendTLSPolicy.gateway.networking.k8s.io" in policies)',
  '!has(policies.AgentgatewayPolicy)',
  '!has(policies.ClientTrafficPolicy)',
  '!("BackendTrafficPolicy.gateway.envoyproxy.io" in policies)',
  'has(policies.TrafficPolicy)',
  '!has(policies.AuthPolicy)',
  '!has(policies.ClientSettingsPolicy)',
  '!("AuthorizationPolicy.security.istio.io" in policies)',
  '!("team" in route.namespaceLabels) || route.namespaceLabels.team == "x"',
  '!("team" in backend.namespaceLabels)',
  'request.host == "a.example"',
  'route.name != "r0"',
  'backend.exists',
  '!backend.exists || backend.name != "s0"',
  'listener.tls',
  'gateway.name == "g0"',
].map((holds) => ({ name: holds, holds }));

/** The statements about some objects, as a whole world or as files that have a part of one. */
function statementsAbout(objects: readonly KubernetesObject[], isWhole: boolean) {
  const found = findKinds(objects, noOwnKinds, {});
  const isComplete = isWhole ? everything : nothing;
  const inFile = objects.map((object) => ({ object, source: 'all.yaml' }));
  const unrendered = isWhole ? rendered : noticeUnrendered(inFile, [], { templates: [], declaredApart: [] });
  const base = { objects, found, isComplete, unrendered, scope: { namespace: undefined } };
  const world = createWorld({ ...base, assumed: isWhole ? [] : assumedGateways(objects) });
  const topology = createTopology({ targetKinds: [...found.targetKinds, Secret], isComplete });
  topology.apply({ upsert: objects });
  const verdicts = verifyWorld(createWorld(base), { guarantees, locate: (issue) => issue });
  return {
    findings: new Set(findingsIn(world).map(({ code, resource, pointer }) => `${code} ${resource} ${pointer}`)),
    outcomes: new Map(
      asFarAsReached(world, policyStates(world)).map(({ policy, outcome }) => [policy.locator, outcome]),
    ),
    // Controllers never see variables.
    conditions: unrendered.signs.length === 0 ? conditionsIn(topology, objects) : new Map<string, string>(),
    answers: new Map(verdicts.map((verdict): [string, Verdict['answer']] => [verdict.guarantee.name, verdict.answer])),
  };
}

type Conditions = ReturnType<typeof routeStatuses>[number]['conditions'];

/** The conditions of Gateways, listeners and routes, by their object and type. */
function conditionsIn(topology: ReturnType<typeof createTopology>, objects: readonly KubernetesObject[]) {
  const all = new Map<string, string>();
  const add = (of: string, conditions: Conditions = []) => {
    for (const { type, status } of conditions) all.set(`${of} ${type}`, status);
  };
  for (const { kind, metadata } of objects) {
    const of = [Gateway, ListenerSet, HTTPRoute].find((it) => it.kind === kind);
    if (of === undefined) continue;
    const locator = formatLocator({ group: of.group, kind, namespace: metadata.namespace ?? '', name: metadata.name });
    add(locator, gatewayStatus(topology, locator)?.conditions);
    for (const { name, conditions } of listenerStatuses(topology, locator)) add(`${locator}#${name}`, conditions);
    for (const { parentRef, conditions } of routeStatuses(topology, locator)) {
      add(`${locator} ${JSON.stringify(parentRef)}`, conditions);
    }
  }
  return all;
}

/** The codes of findings that something is missing or refused. */
const negativeCodes = /^(missing-|nothing-selected|reference-not-permitted|unresolved-reference|refused-reference)/;

const withoutEffect: ReadonlySet<string | undefined> = new Set([
  ...['target-not-found', 'section-not-found', 'reference-not-permitted'],
  ...['not-in-any-path', 'overridden', 'conflicted', 'no-requests'],
]);
const inForce: ReadonlySet<string | undefined> = new Set(['enforced', 'partly-enforced']);

type Statements = ReturnType<typeof statementsAbout>;

/** The statements about a part that the whole contradicts. */
function contradictions(part: Statements, whole: Statements): readonly string[] {
  const findings = [...part.findings].filter((it) => negativeCodes.test(it) && !whole.findings.has(it));
  const outcomes = [...part.outcomes].filter(
    ([policy, outcome]) => withoutEffect.has(outcome) && inForce.has(whole.outcomes.get(policy)),
  );
  const conditions = [...part.conditions].filter(
    ([of, status]) => status === 'False' && whole.conditions.get(of) === 'True',
  );
  const answers = [...part.answers].filter(
    ([name, answer]) => answer === 'holds' && whole.answers.get(name) === 'broken',
  );
  return [
    findings,
    outcomes.map(([policy, outcome]) => `${outcome} ${policy}`),
    conditions.map(([of]) => `${of} False`),
    answers.map(([name]) => `holds: ${name}`),
  ].flat();
}

describe('a part of a world, as files have it', () => {
  it('gives rise to no statement that the whole world contradicts', () => {
    fc.assert(
      fc.property(dividedWorlds, ({ whole, part }) => {
        expect(contradictions(statementsAbout(part, false), statementsAbout(whole, true))).toEqual([]);
      }),
      { numRuns },
    );
  });
});
