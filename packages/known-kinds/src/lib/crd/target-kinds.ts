import { type GroupKind, groupKindKey, type JsonObject, objectIn } from '@policy-machinery/resource';
import type { Targetable, TargetKind } from '@policy-machinery/topology';
import { propertiesOf } from './definition.ts';
import { type Rules, rulesOf } from './rules.ts';
import { rulePlaces, type TargetFields } from './target-fields.ts';

/** The targets that policies of a kind may name. */
export interface TargetKindsReading {
  readonly targets: readonly Targetable[];
  /** Other spellings of the core group that references may have. */
  readonly coreGroupSpellings: readonly string[];
  /** Whether the schema allows targets of any kind. */
  readonly isAny: boolean;
}

/** A reference that a policy might have. */
interface Candidate extends GroupKind {
  readonly target: Targetable;
  /** The spelling of the group. */
  readonly spelling: string;
  readonly isSection: boolean;
}

/**
 * Finds out which targets policies may name, by trying: which references would the enumerations and the CEL rules of the schema allow?
 *
 * @param spec The structural schema of `spec`.
 * @param fields Its target fields.
 * @param known Further kinds of targets to try, besides those that the schema names.
 * @param rules The compiled rules.
 * @param foreignKind Declares kinds that only the schema names.
 * @returns The targets, in the order of discovery.
 */
export function targetKindsOf(
  spec: JsonObject,
  fields: TargetFields,
  known: readonly TargetKind[],
  rules: Rules,
  foreignKind: (kind: GroupKind) => TargetKind,
): TargetKindsReading {
  const tests = [...enumerations(fields), ...ruleTests(spec, fields, rules)];
  const literals = new Set(tests.flatMap(({ text }) => literalsIn(text)));
  const candidates = candidatesFor(known, literals, fields, foreignKind);
  // A test that no candidate passes, or that all of them pass, is about something else.
  const telling = tests
    .map(({ allows }) => candidates.map((candidate) => allows(referenceTo(candidate))))
    .filter((answers) => answers.includes(true) && answers.includes(false));
  const allowed = candidates.filter((_candidate, index) => telling.every((answers) => answers[index] === true));
  return {
    targets: [...new Set(allowed.map(({ target }) => target))],
    coreGroupSpellings: [...new Set(allowed.flatMap(({ group, spelling }) => (spelling === group ? [] : [spelling])))],
    isAny: !telling.some((answers) => distinguishesKinds(candidates, answers)),
  };
}

/** A constraint that may be about the kinds of targets. */
interface Test {
  /** The parts of a schema to search for literals. */
  readonly text: string;
  readonly allows: (reference: JsonObject) => boolean;
}

function enumerations({ reference }: TargetFields): readonly Test[] {
  const fields = propertiesOf(reference);
  return ['group', 'kind'].flatMap((name): readonly Test[] => {
    const { enum: values } = objectIn(fields[name]);
    if (!Array.isArray(values)) return [];
    return [
      {
        text: values.map((value) => JSON.stringify(value)).join(' '),
        allows: (it) => values.some((value) => value === it[name]),
      },
    ];
  });
}

function ruleTests(spec: JsonObject, fields: TargetFields, rules: Rules): readonly Test[] {
  return rulePlaces(spec, fields).flatMap(({ schema, selfOf, isAbout }) =>
    rulesOf(schema)
      .filter(({ rule }) => isAbout(rule))
      .map(({ rule }): Test => ({ text: rule, allows: (it) => rules.answer(rule, selfOf(it)) !== 'fails' })),
  );
}

function literalsIn(text: string): readonly string[] {
  return [...text.matchAll(/'([^'\\]*)'|"([^"\\]*)"/g)].map(([, single, double]) => single ?? double ?? '');
}

function candidatesFor(
  known: readonly TargetKind[],
  literals: ReadonlySet<string>,
  { hasSections }: TargetFields,
  foreignKind: (kind: GroupKind) => TargetKind,
): readonly Candidate[] {
  const groups = [...literals].filter((text) => text === '' || /^[a-z0-9][-a-z0-9]*(\.[-a-z0-9]+)+$/.test(text));
  const names = [...literals].filter((text) => /^[A-Z][A-Za-z0-9]*$/.test(text));
  const keys = new Set(known.map(groupKindKey));
  const named = groups
    .flatMap((group) => names.map((kind) => ({ group, kind })))
    .filter((it) => !keys.has(groupKindKey(it)))
    .map((it) => foreignKind(it));
  const spellings = literals.has('core') ? ['', 'core'] : [''];
  return [...known, ...named].flatMap((whole) => {
    const sections = hasSections ? Object.values<Targetable>(whole.sections) : [];
    return (whole.group === '' ? spellings : [whole.group]).flatMap((spelling) =>
      [whole, ...sections].map((target): Candidate => {
        const { group, kind } = whole;
        return { group, kind, target, spelling, isSection: target !== whole };
      }),
    );
  });
}

function referenceTo({ spelling, kind, isSection }: Candidate): JsonObject {
  return { group: spelling, kind, name: 'name', ...(isSection ? { sectionName: 'section' } : {}) };
}

/** Returns whether a test distinguishes kinds, rather than wholes from sections. */
function distinguishesKinds(candidates: readonly Candidate[], answers: readonly boolean[]): boolean {
  const refused = candidates.filter((_candidate, index) => answers[index] === false);
  const allowed = new Set(
    candidates.filter((_candidate, index) => answers[index]).map(({ group, kind }) => `${kind}.${group}`),
  );
  return refused.some(({ group, kind }) => !allowed.has(`${kind}.${group}`));
}
