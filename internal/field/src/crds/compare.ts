import { type KnownKind, policyKindFromCrd } from '@policy-machinery/known-kinds';
import { formatGroupKind, type KubernetesObject, objectIn } from '@policy-machinery/resource';
import { type DefinitionVersion, type FoundDefinition, fieldsOf, versionsOf } from './definitions.ts';
import { judgeOfDefinition, judgeOfRow } from './judges.ts';
import { defaultsIn, keyedLists, mergesByKey } from './list-keys.ts';
import { allCandidates, fieldsDefined, fieldsRead, naming, probes, stranger, type Tried } from './probes.ts';

/** A fact that the table states otherwise than the definition. */
export interface Difference {
  /** The kind: `SecurityPolicy.gateway.envoyproxy.io`. */
  readonly kind: string;
  readonly fact: string;
  readonly definition: string;
  readonly table: string;
}

/** What was compared about one kind. */
export interface Comparison {
  readonly kind: string;
  readonly system: string;
  readonly project: string;
  readonly version: string;
  /** How many facts were compared. */
  readonly facts: number;
  readonly differences: readonly Difference[];
}

/**
 * Compares a row of the table with the definition of its kind.
 *
 * @param known The row.
 * @param definition The definition.
 * @returns What was compared, with the differences.
 */
export function compareRow(known: KnownKind, { project, crd }: FoundDefinition): Comparison {
  const kind = formatGroupKind(known);
  const versions = versionsOf(crd);
  const version = versions.find(({ name }) => known.versions.includes(name)) ?? versions[0];
  const facts: readonly Fact[] = [
    ...plainFacts(known, crd, version?.name),
    ...(version === undefined ? [] : [...probed(known, crd, version), ...mergingFacts(known, version)]),
  ];
  return {
    kind,
    system: known.system,
    project,
    version: version?.name ?? '',
    facts: facts.length,
    differences: facts.filter(({ definition, table }) => definition !== table).map((fact) => ({ kind, ...fact })),
  };
}

type Fact = Omit<Difference, 'kind'>;

/** Returns the facts that definitions state in fields of their own. */
function plainFacts(known: KnownKind, crd: KubernetesObject, version: string | undefined): readonly Fact[] {
  const reading = policyKindFromCrd(crd, version === undefined ? {} : { version });
  const { definition, labelled, status } = reading;
  if (definition === undefined) return [];
  return [
    { fact: 'scope', definition: definition.scope, table: known.scope },
    { fact: 'plural', definition: definition.plural, table: known.plural },
    { fact: 'versions', definition: definition.versions.join(', '), table: versionsIn(known, definition.versions) },
    { fact: 'class', definition: labelled ?? known.policyClass, table: known.policyClass },
    { fact: 'place of conditions', definition: status, table: known.status },
  ];
}

/** Returns the versions of a definition that a row has, in the order of the definition. */
function versionsIn({ versions }: KnownKind, served: readonly string[]): string {
  return served.filter((version) => versions.includes(version)).join(', ');
}

/** Returns the facts that bear on how policies are merged; none for kinds that are not merged. */
function mergingFacts(known: KnownKind, { spec }: DefinitionVersion): readonly Fact[] {
  if (known.merging === 'unknown') return [];
  const kind = known.define();
  const lists = keyedLists(spec).map((list) => ({ name: `/${list.path.join('/')}`, merges: mergesByKey(kind, list) }));
  const named = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name).join(', ') || 'none';
  return [
    {
      fact: 'lists whose items have keys',
      definition: named(lists),
      table: named(lists.filter(({ merges }) => merges)),
    },
    { fact: 'fields with default values', definition: String(defaultsIn(spec)), table: '0' },
  ];
}

function probed(known: KnownKind, crd: KubernetesObject, { name, spec }: DefinitionVersion): readonly Fact[] {
  const { targetRef, targetRefs, targetSelectors } = fieldsOf(spec);
  if (targetRef === undefined && targetRefs === undefined) return [];
  const form = targetRefs === undefined ? 'targetRef' : 'targetRefs';
  const reference = fieldsOf(form === 'targetRef' ? targetRef : objectIn(targetRefs).items);
  const [definition, table] = [judgeOfDefinition(crd, name), judgeOfRow(known)];
  const candidates = definition(naming(form, stranger))
    ? allCandidates.filter((candidate) => table(naming(form, candidate.reference)))
    : allCandidates;
  const good = candidates.find((it) => definition(naming(form, it.reference)) && table(naming(form, it.reference)));
  if (good === undefined) {
    return [
      {
        fact: 'targets',
        definition: `some in ${form}`,
        table: `none of them in ${known.define().targetFields.join(', ')}`,
      },
    ];
  }
  const tried: Tried = { form, good: good.reference, candidates };
  return [
    ...probes.map(({ fact, ask }) => ({ fact, definition: ask(definition, tried), table: ask(table, tried) })),
    {
      fact: 'fields of a reference',
      definition: fieldsDefined(reference),
      table: fieldsRead(table, tried, 'reference'),
    },
    {
      fact: 'fields of a selector',
      definition: fieldsDefined(fieldsOf(objectIn(targetSelectors).items)),
      table: fieldsRead(table, tried, 'selector'),
    },
  ];
}
