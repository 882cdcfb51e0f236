import { describeTargetable } from '@policy-machinery/topology';
import { firstOf } from '../answers/tones.ts';
import type { Answer } from '../frame/answer.ts';
import type { Request } from '../frame/command.ts';
import type { PolicyView } from '../input/hierarchies.ts';
import type { World } from '../input/world.ts';

/** Lists the policy kinds, how each was found, and what is not known about them. */
export function answer({ views, found }: World, { colors, programName }: Request): Answer {
  const unknown = views.filter(({ found: { merging } }) => merging === 'unknown');
  const rows = views.map(
    ({ effective: { topology }, found: { kind, system, policyClass, merging, foundBy, notes } }) => [
      kind.kind,
      kind.group,
      system ?? '',
      policyClass,
      merging === 'known' ? ([merging, colors.green] as const) : ([merging, colors.yellow] as const),
      foundBy,
      String(topology.policies(kind).length),
      firstOf(kind.targets.map(describeTargetable), 8),
      notes.join(' '),
    ],
  );
  const names = ['KIND', 'GROUP', 'SYSTEM', 'CLASS', 'MERGING', 'FOUND BY', 'POLICIES'];
  const columns = [...names.map((name) => ({ name })), ...['TARGETS', 'NOTES'].map((name) => ({ name, isWide: true }))];
  const hint =
    unknown.length === 0
      ? []
      : [
          `Where merging is unknown, policies are shown at their levels and not merged. Declare it, for example with --dialect ${dialectOf(unknown)}.`,
        ];
  const labelled = found.labelled.map(
    ({ group, kind, label }) => `${kind}.${group} has the policy label ${label}, but no field that names targets.`,
  );
  return {
    document: { kind: 'PolicyKindList', items: views.map(documentOf) },
    sections: [{ blocks: rows.length > 0 ? [{ table: { columns, rows } }] : [] }],
    names: views.map(({ found: { kind } }) => `${kind.plural}.${kind.group}`),
    notes:
      rows.length > 0
        ? [...hint, ...labelled]
        : [...labelled, `There are no policy kinds; "${programName} kinds --help" has flags that declare them.`],
  };
}

function dialectOf([first]: readonly PolicyView[]): string {
  const { group, kind } = first?.found.kind ?? { group: 'example.com', kind: 'RetryPolicy' };
  return `${group}/${kind}=gep713`;
}

function documentOf({ found: { kind, notes, ...how } }: PolicyView): object {
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    plural: kind.plural,
    targets: kind.targets.map(describeTargetable),
    effectiveTargets: kind.effectiveTargets.map(describeTargetable),
    ...how,
    notes,
  };
}
