import {
  type Counterexample,
  formatCounterexample,
  formatHidden,
  formatRequest,
  type Guarantee,
  type Verdict,
} from '@policy-machinery/guarantees';
import { destinationsOf, formatTaker } from '@policy-machinery/guarantees/inner';
import { formatLocator, locatorOf, objectIn, objectsIn, refOf } from '@policy-machinery/resource';
import { hasSameContent } from '@policy-machinery/resource/inner';
import { formatRef, type TargetNode } from '@policy-machinery/topology';
import { unconsideredIn, unconsideredText } from '../answers/unconsidered.ts';
import type { Section } from '../model/answer.ts';
import { firstOf } from '../model/first-of.ts';
import type { Options } from '../model/flags.ts';
import type { World } from '../model/world.ts';
import { changedDataPlanes } from './changed-data-planes.ts';

/** The requests that a change opens. */
export interface NewAccess {
  readonly answer: 'none' | 'found' | 'undecided';
  /** A request for each cause. */
  readonly requests: readonly string[];
  /** Why there may be more. */
  readonly notKnown: readonly string[];
}

const isMet = (request: string, concern: string): string =>
  `${request}concerns.${concern} in ["covered", "not-needed"]`;

/** Requests that no rule took were refused. A new route only needs authentication, because few systems have both. */
const opening: readonly Guarantee[] = [
  {
    name: 'no-new-access',
    holds: `${isMet('', 'authentication')} || (before.taken && !(${isMet('before.', 'authentication')}))`,
    mayBeEmpty: true,
  },
  {
    name: 'no-new-access (authorization)',
    holds: `${isMet('', 'authorization')} || !before.taken || !(${isMet('before.', 'authorization')})`,
    mayBeEmpty: true,
  },
];

const deciding = ['authentication', 'authorization'] as const;

const isDecided = (request: string, concern: string): string => `${request}concerns.${concern} in ["covered", "weak"]`;

/** Changes that may open something, with the text about a request: the input does not show which backend has more data, or which rules permit more requests. */
const doubting: readonly { readonly guarantee: Guarantee; readonly doubt: (example: Counterexample) => string }[] = [
  {
    guarantee: {
      name: 'no-new-access (backends)',
      holds: `${isMet('', 'authentication')} || !before.taken || destinations.all(it, it in before.destinations)`,
      mayBeEmpty: true,
    },
    doubt(example) {
      const earlier = example.other?.takenBy === undefined ? [] : destinationsOf(example.other.takenBy);
      const added = destinationsOf(example.contender).filter((it) => !earlier.includes(it));
      return `${formatRequest(example)} is open, and may reach something else: ${formatTaker(example)} sends it to ${firstOf(added)}`;
    },
  },
  {
    guarantee: {
      name: 'no-new-access (rules)',
      holds: deciding
        .map(
          (it) =>
            `(!(${isDecided('', it)} && ${isDecided('before.', it)}) || decidedBy.${it} == before.decidedBy.${it})`,
        )
        .join(' && '),
      mayBeEmpty: true,
    },
    doubt(example) {
      const differing = [...example.concerns].filter(
        ([name, { decidedBy }]) => decidedBy !== example.other?.concerns.get(name)?.decidedBy,
      );
      const rules = differing.map(([name, { why }]) => `${name} (${why})`);
      return `other rules decide ${formatRequest(example)}, and may let more requests pass: ${rules.join(', ')}`;
    },
  },
];

const doubts = new Map(doubting.map(({ guarantee, doubt }) => [guarantee.name, doubt]));

/** Returns the guarantees about requests that the state before a change refuses or protects, and that the state after it leaves open; none without `--no-new-access`. */
export function newAccessGuarantees({ newAccess: isAllowed = true }: Options): readonly Guarantee[] {
  return isAllowed ? [] : [...opening, ...doubting.map(({ guarantee }) => guarantee)];
}

/** Returns the changes of objects that no verdict considers, in sentences without a full stop. */
function newlyUnconsidered(base: World, head: World): readonly string[] {
  const [earlier, later] = [base, head].map(({ objects }) => new Map(objects.map((it) => [locatorOf(it), it])));
  const changed = [...new Map([...(earlier ?? []), ...(later ?? [])])].flatMap(([locator, object]) => {
    const [was, is] = [earlier?.get(locator), later?.get(locator)];
    return was !== undefined && is !== undefined && hasSameContent(was, is) ? [] : object;
  });
  const filters = new Set([...head.topology.targets].flatMap(filtersOf));
  const edited = changed.filter(
    (it) => earlier?.has(locatorOf(it)) && filters.has(formatLocator(refOf(it, 'Namespaced'))),
  );
  return [
    ...unconsideredIn({ objects: changed, scope: head.scope }).map(unconsideredText),
    ...edited.map((it) => `${formatRef(refOf(it, 'Namespaced'))} is a filter of routes, and its effect is not known`),
  ];
}

/** Returns the locators of objects that a rule names as filters, of all requests or of a backend. */
function filtersOf({ section, ref: { namespace = '' } }: TargetNode): readonly string[] {
  const { filters, backendRefs } = objectIn(section?.value);
  const filtering = [...objectsIn(filters), ...objectsIn(backendRefs).flatMap((it) => objectsIn(it.filters))];
  return filtering.flatMap(({ extensionRef }) => {
    const { group, kind, name } = objectIn(extensionRef);
    return name === undefined
      ? []
      : formatLocator({ group: String(group), kind: String(kind), namespace, name: String(name) });
  });
}

/**
 * Returns the requests that a change opens, by the verdicts about its guarantees and by objects that these do not
 * consider; `undefined` without any verdict.
 */
export function newAccess(verdicts: readonly Verdict[], base: World, head: World): NewAccess | undefined {
  if (verdicts.length === 0) return undefined;
  const textsOf = (certain: boolean): readonly string[] =>
    verdicts.flatMap((verdict) => {
      const doubt = doubts.get(verdict.guarantee.name);
      if ((doubt === undefined) !== certain) return [];
      return verdict.counterexamples.map((it) => doubt?.(it) ?? formatCounterexample(verdict, it));
    });
  const requests = textsOf(true);
  const changed = [...textsOf(false), ...newlyUnconsidered(base, head), ...changedDataPlanes(base, head)];
  const notKnown = new Set([...verdicts.flatMap((verdict) => formatHidden(verdict)), ...changed]);
  const isUndecided = changed.length > 0 || verdicts.some(({ answer }) => answer === 'undecided');
  return {
    answer: requests.length > 0 ? 'found' : isUndecided ? 'undecided' : 'none',
    requests,
    notKnown: [...notKnown],
  };
}

/** Returns the requests that a change opens, for people. */
export function newAccessSections(access: NewAccess | undefined): readonly Section[] {
  if (access === undefined) return [];
  const { answer, requests, notKnown } = access;
  const summary = {
    none: 'No request is newly open.',
    found: 'Requests that were refused or protected are open now:',
    undecided: 'It is undecided whether a request is newly open:',
  }[answer];
  const more = answer === 'found' && notKnown.length > 0 ? ['There may be more:'] : [];
  const lines = [...requests, ...more, ...notKnown];
  return [{ heading: 'New access', blocks: [{ lines: [summary, ...lines.map((line) => `  ${line}`)], indent: 2 }] }];
}

const exitCodes = { none: 0, found: 1, undecided: 4 } as const;

/** Returns the exit code for the requests that a change opens; 0 without `--no-new-access`. */
export function newAccessCode(access: NewAccess | undefined): 0 | 1 | 4 {
  return access === undefined ? 0 : exitCodes[access.answer];
}
