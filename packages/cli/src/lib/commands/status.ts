import type { ParentReference } from '@policy-machinery/conditions';
import { formatRef } from '@policy-machinery/topology';
import { columnsInScope, isInScope, scopeText } from '../answers/in-scope.ts';
import type { Answer, Section } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import type { Scope, World } from '../model/world.ts';
import { findPolicy, kubectlName } from '../names/find.ts';
import {
  compareStatuses,
  type StatusComparison,
  type StatusDifference,
  type StatusRefusal,
} from '../statuses/compare.ts';

/** Answers whether the statuses of policies agree with the computed outcomes. */
export function answer(world: World, { args, options, colors }: Request): Answer {
  const only = args.length === 0 ? undefined : findPolicy(world, args).item.resource;
  const { scope } = world;
  const all = world.views
    .flatMap((view) => compareStatuses(view, options.controllerName, world.source !== undefined))
    .filter(({ policy, resource }) => (only === undefined ? isInScope(scope, policy.namespace) : resource === only));
  const different = all.filter(({ result }) => result === 'different');
  const unknown = all.filter(({ result }) => result === 'unknown');
  const table = tableOf(
    different.flatMap(({ policy, differences }) => differences.map((difference) => ({ policy, ...difference }))),
    columnsInScope(scope, differenceColumns(colors)),
    { subject: ({ policy, ancestor, condition }) => JSON.stringify([policy, ancestor, condition]) },
  );
  return {
    document: {
      kind: 'PolicyStatusReport',
      items: all.map(({ policy, result, differences, refusals, why }) => ({
        policy,
        result,
        differences: differences.map(({ status: _inSays, ...difference }) => difference),
        ...(refusals.length === 0 ? {} : { refusals }),
        ...(why === '' ? {} : { why }),
      })),
    },
    sections: [{ blocks: table.rows.length > 0 ? [{ table }] : [] }, ...refusedSections(all, scope)],
    names: different.map(({ policy }) => kubectlName(policy)),
    notes: [summaryOf(all, { different: different.length, unknown: unknown.length, scope })],
    exitCode: different.length > 0 ? 1 : 0,
  };
}

type Difference = StatusDifference & Pick<StatusComparison, 'policy'>;

function differenceColumns(colors: Request['colors']): readonly ColumnOf<Difference>[] {
  return [
    { name: 'NAMESPACE', isNamespace: true, cell: ({ policy }) => policy.namespace ?? '' },
    { name: 'POLICY', cell: ({ policy }) => `${policy.kind} ${policy.name}` },
    { name: 'ANCESTOR', cell: ({ policy, ancestor }) => nameOf(ancestor, policy.namespace) },
    { name: 'CONDITION', cell: ({ condition = '' }) => condition },
    { name: 'SAYS', gone: 'resolved', cell: ({ code, status = '' }) => [titles[code] || status, colors.red] },
    { name: 'COMPUTED', cell: ({ computed = '' }) => [computed, colors.green] },
    { name: 'WRITTEN', isWide: true, cell: ({ says = '' }) => says },
    { name: 'CONTROLLER', isWide: true, cell: ({ written = '' }) => written },
    { name: 'WHY', isWide: true, cell: ({ message }) => message },
  ];
}

type PolicyRefusal = StatusRefusal & Pick<StatusComparison, 'policy'>;

const refusalColumns: readonly ColumnOf<PolicyRefusal>[] = [
  { name: 'NAMESPACE', isNamespace: true, cell: ({ policy }) => policy.namespace ?? '' },
  { name: 'POLICY', cell: ({ policy }) => `${policy.kind} ${policy.name}` },
  { name: 'ANCESTOR', cell: ({ policy, ancestor }) => nameOf(ancestor, policy.namespace) },
  { name: 'REASON', cell: ({ reason }) => reason },
  { name: 'CONTROLLER', cell: ({ written }) => written },
];

/** Returns the policies that their controllers refuse for reasons that cannot be computed, with the controllers' words. */
function refusedSections(all: readonly StatusComparison[], scope: Scope): readonly Section[] {
  const refused = all.flatMap(({ policy, refusals }) => refusals.map((refusal) => ({ policy, ...refusal })));
  if (refused.length === 0) return [];
  const table = tableOf(refused, columnsInScope(scope, refusalColumns));
  return [{ heading: 'Refused by their controllers', blocks: [{ table }] }];
}

const titles: Readonly<Record<StatusDifference['code'], string>> = {
  missing: 'nothing',
  extra: 'an entry',
  outdated: 'outdated',
  differs: '',
};

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
      : ` The status of ${unknown} more ${unknown === 1 ? 'policy' : 'policies'} cannot be computed; -o json shows why.`;
  if (known === 0) return `No statuses found to compare${scopeText(scope)}.${rest}`;
  const policies = known === 1 ? 'policy' : 'policies';
  if (different === 0) return `The statuses of ${known} ${policies} agree with the computed outcomes.${rest}`;
  return `The statuses of ${different} of ${known} ${policies} differ from the computed outcomes; -o wide shows why.${rest}`;
}
