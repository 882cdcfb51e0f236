import { storedObjects } from '@policy-machinery/resource';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assumedGateways } from '../input/assumed-gateways.ts';
import { everything, nothing } from '../input/completeness.ts';
import { noticeUnrendered } from '../input/gitops/unrendered.ts';
import { findKinds } from '../input/kinds/kinds.ts';
import { noOwnKinds } from '../input/kinds/own-kinds.ts';
import { createWorld } from '../input/world.ts';
import { rendered } from '../model/unrendered.ts';
import { type DividedWorld, dividedWorlds } from './divided-world.fixture.ts';
import { contradictions, guaranteesOf, statementsIn, withNamespaces } from './statements.fixture.ts';

/** How many worlds are tried: `npm run check` tries more. */
const numRuns = Number(process.env.CONSISTENCY_WORLDS ?? 40);

const guarantees = guaranteesOf([
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
  '!("team" in route.namespaceLabels) || route.namespaceLabels.team == "x"',
  '!("team" in backend.namespaceLabels)',
  'request.host == "a.example"',
  'route.name != "r0"',
  'backend.exists',
  '!backend.exists || backend.name != "s0"',
  'listener.tls',
  'gateway.name == "g0"',
]);

/** The statements about a whole world, or about files that have a part of one. */
function statementsAbout({ whole, part, definitions, released }: DividedWorld, isWhole: boolean) {
  const store = storedObjects(definitions);
  const objects = isWhole ? [...definitions, ...whole.map((it) => store(it).object)] : part;
  const inFile = objects.map((object) => ({ object, source: 'all.yaml' }));
  const world = createWorld({
    objects,
    found: findKinds(objects, noOwnKinds, {}, isWhole ? [] : released),
    isComplete: isWhole ? everything : nothing,
    released: isWhole ? [] : released,
    unrendered: isWhole
      ? rendered
      : noticeUnrendered(inFile, [], { templates: [], declaredApart: [], files: [], leftOut: [] }),
    assumed: isWhole ? [] : assumedGateways(objects),
    scope: { namespace: undefined },
  });
  return statementsIn(world, guarantees);
}

describe('a part of a world, as files have it', () => {
  it('gives rise to no statement that the whole world contradicts', () => {
    fc.assert(
      fc.property(dividedWorlds, (divided) => {
        const stated = withNamespaces(statementsAbout(divided, false), divided.unnamed);
        expect(contradictions(stated, statementsAbout(divided, true))).toEqual([]);
      }),
      { numRuns },
    );
  }, 7_200_000);
});
