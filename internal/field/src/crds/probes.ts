import { knownKinds } from '@policy-machinery/known-kinds';
import { formatGroupKind, groupKindKey, type JsonObject } from '@policy-machinery/resource';
import { isSectionKind, type TargetKind } from '@policy-machinery/topology';
import type { Judge } from './judges.ts';

/** A fact about the target fields of a kind, found by trying specs: what an API server allows, and what a row allows. */
export interface Probe {
  readonly fact: string;
  /** Returns the fact, as a text. */
  readonly ask: (allows: Judge, tried: Tried) => string;
}

/** What the specs that are tried have in common. */
export interface Tried {
  /** The form in which the definition has targets: the list, if it has both. */
  readonly form: 'targetRef' | 'targetRefs';
  /** A reference that the definition and the row allow. */
  readonly good: JsonObject;
  /** The kinds of targets to try: those in the tables, or those of the row, if the definition allows any. */
  readonly candidates: readonly Candidate[];
}

/** A kind of target that policies might name. */
export interface Candidate {
  readonly name: string;
  readonly reference: JsonObject;
  readonly hasSections: boolean;
}

const wholes = new Map<string, TargetKind>();
for (const { targets } of knownKinds) {
  for (const target of targets) {
    const whole = isSectionKind(target) ? target.of : target;
    wholes.set(groupKindKey(whole), whole);
  }
}

/** The kinds of targets in the tables. */
export const allCandidates: readonly Candidate[] = [...wholes.values()].map((whole) => ({
  name: formatGroupKind(whole),
  reference: { group: whole.group, kind: whole.kind, name: 'x' },
  hasSections: Object.keys(whole.sections).length > 0,
}));

/** A reference to a kind that is in no table. */
export const stranger: JsonObject = { group: 'nobody.example', kind: 'Nothing', name: 'x' };

// The name of a section that a Service may have, too, where sections are the numbers of ports.
const section = { sectionName: '80' };

/** Returns a spec with some targets. */
export const naming = (form: Tried['form'], ...refs: readonly JsonObject[]): JsonObject =>
  form === 'targetRef' ? { targetRef: refs[0] ?? {} } : { targetRefs: refs };

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : [...names].sort().join(', '));
const yesNo = (answer: boolean): string => (answer ? 'yes' : 'no');
const namesOf = (tried: readonly Candidate[], allows: (candidate: Candidate) => boolean): string =>
  listed(tried.filter(allows).map(({ name }) => name));

/** Returns the greatest number of items up to 64 that is allowed, as a text. */
function most(isAllowed: (count: number) => boolean): string {
  const allowed = Array.from({ length: 64 }, (_, index) => index + 1).filter(isAllowed);
  return allowed.length === 64 ? 'any number' : String(allowed.at(-1) ?? 0);
}

const selector = ({ group, kind }: JsonObject, matchLabels: JsonObject = { a: 'b' }): JsonObject => ({
  group: group ?? '',
  kind: kind ?? '',
  matchLabels,
});
const selecting = (...targetSelectors: readonly JsonObject[]): JsonObject => ({ targetSelectors });

const without = (reference: JsonObject, field: string): JsonObject =>
  Object.fromEntries(Object.entries(reference).filter(([name]) => name !== field));

/** The facts that are found by trying specs. */
export const probes: readonly Probe[] = [
  {
    fact: 'fields with targets',
    ask: (allows, { good }) =>
      listed((['targetRef', 'targetRefs'] as const).filter((form) => allows(naming(form, good)))),
  },
  {
    fact: 'kinds of targets',
    ask: (allows, { form, candidates }) => namesOf(candidates, ({ reference }) => allows(naming(form, reference))),
  },
  {
    fact: 'kinds of targets with sections',
    ask: (allows, { form, candidates }) =>
      namesOf(
        candidates.filter(({ hasSections }) => hasSections),
        ({ reference }) => allows(naming(form, { ...reference, ...section })),
      ),
  },
  {
    fact: 'most targets',
    ask: (allows, { form, good }) =>
      form === 'targetRef'
        ? '1'
        : most((count) =>
            allows(naming(form, ...Array.from({ length: count }, (_, n) => ({ ...good, name: `x${n}` })))),
          ),
  },
  {
    fact: 'may name a target twice',
    ask: (allows, { form, good }) => (form === 'targetRef' ? 'no' : yesNo(allows(naming(form, good, good)))),
  },
  {
    fact: 'may name a target and its section',
    ask: (allows, { form, candidates }) =>
      form === 'targetRef'
        ? 'no'
        : yesNo(candidates.some(({ reference }) => allows(naming(form, reference, { ...reference, ...section })))),
  },
  {
    fact: 'fields of a reference that may be left out',
    ask: (allows, { form, good }) =>
      listed(['group', 'kind', 'name'].filter((field) => allows(naming(form, without(good, field))))),
  },
  {
    fact: 'kinds of core that may be written with the group core',
    ask: (allows, { form, candidates }) =>
      namesOf(
        candidates.filter(({ reference }) => reference.group === ''),
        ({ reference }) =>
          allows(naming(form, { ...reference, group: 'core' })) &&
          !allows(naming(form, { ...reference, group: 'nobody.example' })),
      ),
  },
  {
    fact: 'kinds of selected targets',
    ask: (allows, { candidates }) => namesOf(candidates, ({ reference }) => allows(selecting(selector(reference)))),
  },
  {
    fact: 'fields of a selector that may be left out',
    ask: (allows, { good }) =>
      listed(['group', 'matchLabels'].filter((field) => allows(selecting(without(selector(good), field))))),
  },
  {
    fact: 'most selectors',
    ask: (allows, { good }) =>
      most((count) => allows(selecting(...Array.from({ length: count }, (_, n) => selector(good, { a: `b${n}` }))))),
  },
];

const samples: JsonObject = {
  namespace: 'other',
  sectionName: '80',
  port: 80,
  matchExpressions: [{ key: 'a', operator: 'Exists' }],
  namespaces: { from: 'All' },
};

/** Returns which fields of a reference or selector a row reads, beside its group, kind, name and labels. */
export function fieldsRead(allows: Judge, { form, candidates }: Tried, of: 'reference' | 'selector'): string {
  return listed(
    Object.entries(samples).flatMap(([field, value]) =>
      candidates.some(({ reference }) => {
        const entry = { ...(of === 'reference' ? reference : selector(reference)), [field]: value ?? null };
        return allows(of === 'reference' ? naming(form, entry) : selecting(entry));
      })
        ? [field]
        : [],
    ),
  );
}

/** Returns the fields of a reference or selector in a definition, beside its group, kind, name and labels. */
export function fieldsDefined(fields: JsonObject): string {
  return listed(Object.keys(fields).filter((field) => !['group', 'kind', 'name', 'matchLabels'].includes(field)));
}
