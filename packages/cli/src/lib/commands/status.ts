import type { ParentReference } from '@policy-machinery/conditions';
import type { Row } from '@policy-machinery/text';
import { formatRef } from '@policy-machinery/topology';
import { isInScope, listInScope, scopeText } from '../answers/in-scope.ts';
import type { Answer, Section } from '../frame/answer.ts';
import type { Request } from '../frame/command.ts';
import type { Scope, World } from '../input/world.ts';
import { findPolicy, kubectlName } from '../names/find.ts';
import { compareStatuses, type StatusComparison, type StatusDifference } from '../statuses/compare.ts';

/** Answers whether the statuses of policies agree with what is computed. */
export function answer(world: World, { args, options, colors }: Request): Answer {
  const only = args.length === 0 ? undefined : findPolicy(world, args).item.resource;
  const { scope } = world;
  const all = world.views
    .flatMap((view) => compareStatuses(view, options.controllerName, world.source !== undefined))
    .filter(({ policy, resource }) => (only === undefined ? isInScope(scope, policy.namespace) : resource === only));
  const different = all.filter(({ result }) => result === 'different');
  const unknown = all.filter(({ result }) => result === 'unknown');
  const rows = different.flatMap(({ policy, differences }) =>
    differences.map((difference): Row => {
      const { ancestor, condition = '', says = '', computed = '', written = '', message } = difference;
      return [
        policy.namespace ?? '',
        `${policy.kind} ${policy.name}`,
        nameOf(ancestor, policy.namespace),
        condition,
        [titles[difference.code] || statusOf(says), colors.red],
        [computed, colors.green],
        says,
        written,
        message,
      ];
    }),
  );
  const columns = [
    ...['NAMESPACE', 'POLICY', 'ANCESTOR', 'CONDITION', 'SAYS', 'COMPUTED'].map((name) => ({ name })),
    ...['WRITTEN', 'CONTROLLER', 'WHY'].map((name) => ({ name, isWide: true })),
  ];
  return {
    document: {
      kind: 'PolicyStatusReport',
      items: all.map(({ policy, result, differences, refusals, why }) => ({
        policy,
        result,
        differences,
        ...(refusals.length === 0 ? {} : { refusals }),
        ...(why === '' ? {} : { why }),
      })),
    },
    sections: [
      { blocks: rows.length > 0 ? [{ table: listInScope(scope, { columns, rows }) }] : [] },
      ...refusedSections(all, scope),
    ],
    names: different.map(({ policy }) => kubectlName(policy)),
    notes: [summaryOf(all, { different: different.length, unknown: unknown.length, scope })],
    exitCode: different.length > 0 ? 1 : 0,
  };
}

/** Returns the policies that their controllers refuse for reasons that cannot be computed, with the controllers' words. */
function refusedSections(all: readonly StatusComparison[], scope: Scope): readonly Section[] {
  const rows = all.flatMap(({ policy, refusals }) =>
    refusals.map(
      ({ ancestor, reason, written }): Row => [
        policy.namespace ?? '',
        `${policy.kind} ${policy.name}`,
        nameOf(ancestor, policy.namespace),
        reason,
        written,
      ],
    ),
  );
  const columns = ['NAMESPACE', 'POLICY', 'ANCESTOR', 'REASON', 'CONTROLLER'].map((name) => ({ name }));
  if (rows.length === 0) return [];
  return [{ heading: 'Refused by their controllers', blocks: [{ table: listInScope(scope, { columns, rows }) }] }];
}

const titles: Readonly<Record<StatusDifference['code'], string>> = {
  missing: 'nothing',
  extra: 'an entry',
  outdated: 'outdated',
  differs: '',
};

/** Returns the status of a condition without the reason. */
function statusOf(text: string): string {
  const reason = text.endsWith(')') ? text.indexOf(' (') : -1;
  return reason < 0 ? text : text.slice(0, reason);
}

function nameOf(ancestor: ParentReference | undefined, own: string | undefined): string {
  if (ancestor === undefined) return '';
  const { kind = 'Gateway', namespace = own, name, sectionName: section } = ancestor;
  return formatRef({ kind, namespace, name, section });
}

interface Summary {
  readonly different: number;
  readonly unknown: number;
  readonly scope: Scope;
}

function summaryOf(all: readonly StatusComparison[], { different, unknown, scope }: Summary): string {
  const known = all.length - unknown;
  const rest =
    unknown === 0
      ? ''
      : ` Of ${unknown} more ${unknown === 1 ? 'policy' : 'policies'}, what the status should say cannot be computed; -o json says why.`;
  if (known === 0) return `There is no status to compare${scopeText(scope)}.${rest}`;
  const policies = known === 1 ? 'policy' : 'policies';
  if (different === 0) return `The statuses of ${known} ${policies} agree with what is computed.${rest}`;
  return `The statuses of ${different} of ${known} ${policies} differ from what is computed; -o wide says why.${rest}`;
}
