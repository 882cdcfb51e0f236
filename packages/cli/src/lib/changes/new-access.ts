import {
  type Counterexample,
  formatCounterexample,
  formatHidden,
  formatRequest,
  type Guarantee,
  type Verdict,
} from '@policy-machinery/guarantees';
import { destinationsOf, formatTaker } from '@policy-machinery/guarantees/inner';
import { locatorOf } from '@policy-machinery/resource';
import { hasSameContent } from '@policy-machinery/resource/inner';
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

/** What may open something: nothing tells which backends hold more, or which rules let more requests pass. Each counterexample is in doubt. */
const doubting: readonly Guarantee[] = [
  {
    name: 'no-new-access (backends)',
    holds: `${isMet('', 'authentication')} || !before.taken || destinations.all(it, it in before.destinations)`,
    mayBeEmpty: true,
  },
  {
    name: 'no-new-access (rules)',
    holds: deciding
      .map(
        (it) => `(!(${isDecided('', it)} && ${isDecided('before.', it)}) || decidedBy.${it} == before.decidedBy.${it})`,
      )
      .join(' && '),
    mayBeEmpty: true,
  },
];

/** Returns the guarantees about requests that the state before a change refuses or protects, and that the state after it leaves open; none without `--no-new-access`. */
export function newAccessGuarantees({ newAccess: isAllowed = true }: Options): readonly Guarantee[] {
  return isAllowed ? [] : [...opening, ...doubting];
}

/** Says what may open something for the request of a counterexample: rules that decide about it, or a place that it goes to. */
function doubtAbout({ request, contender, concerns, other }: Counterexample): string {
  const name = formatRequest({ request, contender });
  const differing = [...concerns].filter(
    ([concern, { decidedBy }]) => decidedBy !== other?.concerns.get(concern)?.decidedBy,
  );
  const earlier = other?.takenBy === undefined ? [] : destinationsOf(other.takenBy);
  const added = destinationsOf(contender).filter((it) => !earlier.includes(it));
  const rules = differing.map(([concern, { why }]) => `${concern} (${why})`);
  return added.length > 0 && rules.length === 0
    ? `${name} is open, and may reach something else: ${formatTaker({ contender })} sends it to ${firstOf(added)}`
    : `other rules decide about ${name}, and may let more requests pass: ${rules.join(', ')}`;
}

/** Returns the objects that a change adds, edits or removes and that no answer considers, in sentences without a full stop. */
function newlyUnconsidered(base: World, head: World): readonly string[] {
  const [earlier, later] = [base, head].map(({ objects }) => new Map(objects.map((it) => [locatorOf(it), it])));
  const changed = [...new Map([...(earlier ?? []), ...(later ?? [])])].flatMap(([locator, object]) => {
    const [was, is] = [earlier?.get(locator), later?.get(locator)];
    return was !== undefined && is !== undefined && hasSameContent(was, is) ? [] : object;
  });
  return unconsideredIn({ objects: changed, scope: head.scope }).map(unconsideredText);
}

/** Returns the requests that a change opens, by the verdicts about its guarantees and by what these do not consider; `undefined` without any verdict. */
export function newAccess(verdicts: readonly Verdict[], base: World, head: World): NewAccess | undefined {
  if (verdicts.length === 0) return undefined;
  const requests = verdicts
    .slice(0, opening.length)
    .flatMap((verdict) => verdict.counterexamples.map((example) => formatCounterexample(verdict, example)));
  const doubts = verdicts.slice(opening.length).flatMap(({ counterexamples }) => counterexamples.map(doubtAbout));
  const changed = [...doubts, ...newlyUnconsidered(base, head), ...changedDataPlanes(base, head)];
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
