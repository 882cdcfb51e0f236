import type { FoundKind, UnreadKind } from '@policy-machinery/known-kinds';
import { groupKindKey } from '@policy-machinery/resource';
import { describeTargetable } from '@policy-machinery/topology/inner';
import { isInScope } from '../answers/in-scope.ts';
import { isDefinition } from '../input/world.ts';
import type { Answer } from '../model/answer.ts';
import type { Request } from '../model/command.ts';
import { firstOf } from '../model/first-of.ts';
import { type ColumnOf, tableOf } from '../model/table-of.ts';
import type { PolicyView, World } from '../model/world.ts';

/** Lists the policy kinds, how each was found, and their unknown properties. */
export function answer(world: World, { colors, programName }: Request): Answer {
  const { views, found } = world;
  const reasons = views.flatMap(({ found: { unmergedBecause } }) => unmergedBecause ?? []);
  const unknown = views.filter(({ found: it }) => it.merging === 'unknown' && it.unmergedBecause === undefined);
  const table = tableOf(views, columnsOf(world, colors), { subject: ({ found: { kind } }) => groupKindKey(kind) });
  const hint =
    unknown.length === 0
      ? []
      : [
          `Where merging is not known, policies are shown at their levels and not merged. Declare it, for example with --dialect ${dialectOf(unknown)}.`,
        ];
  const unread = tableOf(found.unread, unreadColumns, { subject: groupKindKey });
  return {
    document: {
      kind: 'PolicyKindList',
      items: views.map((view) => documentOf(view, world)),
      ...(found.unread.length === 0 ? {} : { unread: found.unread }),
    },
    sections: [
      { blocks: views.length > 0 ? [{ table }] : [] },
      ...(found.unread.length > 0 ? [{ blocks: [{ table: unread }] }] : []),
    ],
    names: views.map(({ found: { kind } }) => `${kind.plural}.${kind.group}`),
    notes:
      views.length > 0
        ? [...reasons, ...hint]
        : [`No policy kinds found; "${programName} kinds --help" lists flags that declare them.`],
  };
}

function columnsOf(world: World, colors: Request['colors']): readonly ColumnOf<PolicyView>[] {
  return [
    { name: 'KIND', cell: ({ found: { kind } }) => kind.kind },
    { name: 'GROUP', isOptional: true, cell: ({ found: { kind } }) => kind.group },
    { name: 'SYSTEM', cell: ({ found: { system } }) => system ?? '' },
    { name: 'CLASS', isOptional: true, cell: ({ found: { policyClass } }) => policyClass },
    {
      name: 'MERGING',
      gone: 'deleted',
      cell: ({ found: { merging } }) => [merging, merging === 'known' ? colors.green : colors.yellow],
    },
    { name: 'FOUND BY', isOptional: true, cell: ({ found: { foundBy } }) => foundBy },
    { name: 'SCHEMA', cell: ({ found: it }) => schemaText(schemaOf(it, world)) },
    {
      name: 'POLICIES',
      cell: ({ effective: { topology }, found: { kind } }) => {
        const all = topology.policies(kind);
        return String(all.filter(({ resource }) => isInScope(world.scope, resource.metadata.namespace)).length);
      },
    },
    {
      name: 'TARGETS',
      isWide: true,
      cell: ({ found: { kind } }) => firstOf(kind.targets.map(describeTargetable), 8),
    },
    { name: 'NOTES', isWide: true, cell: ({ found: { notes } }) => notes.join(' ') },
  ];
}

/** Kinds that look like policy kinds, but have policies that are not attached. */
const unreadColumns: readonly ColumnOf<UnreadKind>[] = [
  { name: 'NOT READ', cell: ({ kind }) => kind },
  { name: 'GROUP', cell: ({ group }) => group },
  { name: 'SYSTEM', cell: ({ system = '' }) => system },
  { name: 'WHY', cell: ({ reason }) => reason },
];

function dialectOf([first]: readonly PolicyView[]): string {
  const { group, kind } = first?.found.kind ?? { group: 'example.com', kind: 'RetryPolicy' };
  return `${group}/${kind}=gep713`;
}

/** The CustomResourceDefinition for checking the specs of a kind. */
interface SchemaInUse {
  readonly from: 'cluster' | 'input' | 'shipped' | 'none';
  /** The release of a shipped one: `Envoy Gateway v1.9.0`. */
  readonly release?: string;
}

function schemaOf({ definedBy, kind }: FoundKind, { source }: World): SchemaInUse {
  if (definedBy === undefined) return { from: 'none' };
  if (definedBy.release !== undefined) return { from: 'shipped', release: definedBy.release };
  const name = `${kind.plural}.${kind.group}`;
  const isInFiles = source?.files.some((object) => isDefinition(object) && object.metadata.name === name) ?? true;
  return { from: isInFiles ? 'input' : 'cluster' };
}

function schemaText({ from, release }: SchemaInUse): string {
  return release === undefined ? from : `${from}: ${release}`;
}

function documentOf({ found }: PolicyView, world: World): object {
  const {
    kind,
    notes,
    effectiveSchema: _schema,
    vocabulary: _words,
    unmergedBecause: _inNotes,
    viewOptions: _where,
    definedBy: _asSchema,
    ...how
  } = found;
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    plural: kind.plural,
    targets: kind.targets.map(describeTargetable),
    effectiveTargets: kind.effectiveTargets.map(describeTargetable),
    ...how,
    schema: schemaOf(found, world),
    notes,
  };
}
