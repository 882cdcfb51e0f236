import type { Issue } from '@policy-machinery/resource';
import type { TargetNode } from '@policy-machinery/topology';
import { byTopologyOrder } from '@policy-machinery/topology/inner';
import type { Levels } from '../levels/levels.ts';
import { limitsOfContexts, type ViewOptions, type ViewState } from './view-state.ts';

/** Returns the issues of policies, of targets' own values, and of targets with too many policies or contexts. Finds all contexts. */
export function issuesOf<Spec>(state: ViewState<Spec>, options: ViewOptions): readonly Issue[] {
  const { topology, kind, levels, own, contexts } = state;
  const haveOwnValues = kind.ownValue === undefined ? [] : [...kind.effectiveTargets, ...kind.ownValueTargets];
  const targets = [...topology.targetsOf(haveOwnValues)];
  const crowded = [...levels.crowded].sort(byTopologyOrder);
  return [
    ...levels.policies.flatMap(({ issues }) => issues),
    ...targets.flatMap((target) => own.of(target).issues),
    ...crowded.map((target) => tooManyPolicies(target, levels, options)),
    ...contexts.leftOut.map((target) => tooManyContexts(target, options)),
  ];
}

/** Returns the issue of a target with more policies, or more of their fields, than count there. */
function tooManyPolicies<Spec>(
  target: TargetNode,
  levels: Levels<Spec>,
  { maxPolicies, maxFields }: ViewOptions,
): Issue {
  const isFull = levels.at(target).some(({ level }) => level.policies.length === maxPolicies);
  const [code, what, how] = isFull
    ? [
        'too-many-policies',
        `more than ${maxPolicies} policies of one kind are attached to it`,
        'attach fewer, or raise maxPolicies',
      ]
    : [
        'too-many-fields',
        `the policies of one kind that are attached to it have more than ${maxFields} fields together`,
        'set fewer fields, or raise maxFields',
      ];
  const count = levels.surplusAt(target).size;
  const surplus = isFull
    ? `the ${count} established last ${count === 1 ? 'does' : 'do'}`
    : `${count} of them, established last, ${count === 1 ? 'does' : 'do'}`;
  const message = `${what}, so ${surplus} not count here; ${how}`;
  return { code, severity: 'error', message, resource: target.locator };
}

/** Returns the issue of a target that is left out because of its contexts. */
function tooManyContexts({ locator }: TargetNode, options: ViewOptions): Issue {
  const { maxPolicies, maxFields } = limitsOfContexts(options);
  return {
    code: 'too-many-contexts',
    severity: 'error',
    message: `it, or a target above it, has more than ${options.maxContexts} contexts, more contexts than its links allow, or a context with more than ${maxPolicies} policies or ${maxFields} fields, so its effective policies are not computed; attach fewer policies above it, or raise maxContexts, maxPolicies or maxFields`,
    resource: locator,
  };
}
