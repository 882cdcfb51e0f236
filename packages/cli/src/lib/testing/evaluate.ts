import type { EffectivePolicy } from '@policy-machinery/effective-policy';
import { type JsonObject, type KubernetesObject, PolicyMachineryError } from '@policy-machinery/resource';
import { formatTarget, type TargetNode, type Topology, type TopologyChange } from '@policy-machinery/topology';
import { policyStates } from '../answers/policy-state.ts';
import { targetIn } from '../input/topologies.ts';
import { UsageError } from '../model/usage-error.ts';
import type { World } from '../model/world.ts';
import { findObject, findPolicy, findTarget } from '../names/find.ts';
import type {
  CaseResult,
  ChangeExpectation,
  Check,
  OutcomeExpectation,
  PolicyTestCase,
  TargetExpectation,
  YamlPath,
} from './case.ts';
import { requestChecks } from './request-checks.ts';
import { hasSecrets, setterCheck, specChecks, viewNamed, whyOf } from './spec-checks.ts';

/**
 * Compares the expectations of a case with the computed values.
 *
 * @param world The world of the test file.
 * @param testCase The case.
 * @returns The result of the case; for a change, the results of the cases after the change. A case that names something that does
 * not exist fails.
 */
export function evaluate(world: World, testCase: PolicyTestCase): readonly CaseResult[] {
  try {
    return resultsOf(world, testCase);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof PolicyMachineryError)) throw error;
    return [failedCase(testCase, error.message)];
  }
}

/** Returns the result of a case that names a missing object, or applies a value that is not an object. The other cases are run. */
function failedCase({ name, path }: PolicyTestCase, why: string): CaseResult {
  const check = { what: 'case', path, isAsExpected: false, want: 'an answer', got: undefined, why: why.split('\n') };
  return { name, path, checks: [check] };
}

function resultsOf(world: World, testCase: PolicyTestCase): readonly CaseResult[] {
  const { name, path, expects } = testCase;
  switch (expects.type) {
    case 'target':
      return [{ name, path, checks: targetChecks(world, expects, path) }];
    case 'outcome':
      return [{ name, path, checks: outcomeChecks(world, expects, path) }];
    case 'request':
      return [{ name, path, checks: requestChecks(world, expects, path) }];
    case 'change':
      return afterChange(world, expects).map((result) => ({ ...result, name: `${name}: ${result.name}` }));
  }
}

function afterChange(world: World, { remove, apply, cases }: ChangeExpectation): readonly CaseResult[] {
  const gone = remove.map((name) => findObject(world, [name]));
  const upsert = apply as unknown as readonly KubernetesObject[];
  const after = withChange(world, { upsert, remove: gone });
  return cases.flatMap((each) => evaluate(after, each));
}

/** Returns the world after a change. */
function withChange(world: World, change: TopologyChange): World {
  const after = new Map(world.topologies.map((each) => [each, each.with(change).topology]));
  const changed = (topology: Topology) => after.get(topology) ?? topology;
  return {
    ...world,
    topology: changed(world.topology),
    topologies: [...after.values()],
    views: world.views.map((view) => ({ ...view, effective: view.effective.in(changed(view.effective.topology)) })),
  };
}

function targetChecks(world: World, expects: TargetExpectation, path: YamlPath): readonly Check[] {
  const { item: target } = findTarget(world, [expects.target]);
  const view = viewNamed(world, expects.policy);
  const via = expects.via === undefined ? undefined : findTarget(world, [expects.via]).item;
  const node = targetIn(view, target);
  const all = node === undefined ? [] : view.effective.explain(node).effective.map(({ policy }) => policy);
  const contexts = via === undefined ? all : all.filter((policy) => leadsThrough(policy, via));
  const { spec, isExact, setBy } = expects;
  if (spec === null) {
    const got = contexts[0]?.spec as JsonObject | undefined;
    return [
      {
        what: 'spec',
        want: null,
        got: got ?? null,
        isAsExpected: got === undefined,
        hasSecrets: hasSecrets(view, '', [got]),
        why: contexts.flatMap((it) => whyOf(view, it, '')),
        path: [...path, 'spec'],
      },
    ];
  }
  if (contexts.length === 0) {
    const why = [
      `No ${view.found.kind.kind} applies to ${formatTarget(target)}${via === undefined ? '' : ` through ${formatTarget(via)}`}.`,
    ];
    return [{ what: 'spec', want: spec ?? {}, got: null, isAsExpected: false, why, path: [...path, 'spec'] }];
  }
  if (spec === undefined && Object.keys(setBy).length === 0) {
    const why = ['The case expects nothing; add spec, or run with --update to write the computed values.'];
    const got = contexts[0]?.spec as JsonObject;
    const isSecret = hasSecrets(view, '', [got]);
    return [
      { what: 'spec', want: undefined, got, isAsExpected: false, hasSecrets: isSecret, why, path: [...path, 'spec'] },
    ];
  }
  return contexts.flatMap((policy) => [
    ...specChecks(view, policy, spec ?? {}, { isExact, path: [...path, 'spec'] }),
    ...Object.entries(setBy).map(([pointer, want]) => setterCheck(view, policy, { pointer, want, path })),
  ]);
}

function leadsThrough(policy: EffectivePolicy<unknown>, via: TargetNode): boolean {
  for (const path of policy.paths()) if (path.some(({ locator }) => locator === via.locator)) return true;
  return false;
}

function outcomeChecks(world: World, { policy: name, is }: OutcomeExpectation, path: YamlPath): readonly Check[] {
  const { item } = findPolicy(world, [name]);
  const view = world.views.filter(({ effective }) => effective.policy(item.locator) !== undefined);
  const [state] = policyStates(world, view, new Set([item.locator]));
  const got = state?.outcome ?? null;
  const why = state === undefined || got === is ? [] : [state.message];
  return [{ what: 'outcome', want: is, got, isAsExpected: got === is, why, path: [...path, 'outcome', 'is'] }];
}
