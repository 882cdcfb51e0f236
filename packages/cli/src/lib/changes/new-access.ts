import { formatCounterexample, formatHidden, type Guarantee, type Verdict } from '@policy-machinery/guarantees';
import { locatorOf } from '@policy-machinery/resource';
import { hasSameContent } from '@policy-machinery/resource/inner';
import { unconsideredIn, unconsideredText } from '../answers/unconsidered.ts';
import type { Section } from '../model/answer.ts';
import type { Options } from '../model/flags.ts';
import type { World } from '../model/world.ts';

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
const guarantees: readonly Guarantee[] = [
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

/** Returns the guarantees about requests that the state before a change refuses or protects, and that the state after it leaves open; none without `--no-new-access`. */
export function newAccessGuarantees({ newAccess: isAllowed = true }: Options): readonly Guarantee[] {
  return isAllowed ? [] : guarantees;
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

/**
 * Returns the requests that a change opens, by the verdicts about its guarantees and by objects that these do not
 * consider; `undefined` without any verdict.
 */
export function newAccess(verdicts: readonly Verdict[], base: World, head: World): NewAccess | undefined {
  if (verdicts.length === 0) return undefined;
  const requests = verdicts.flatMap((verdict) =>
    verdict.counterexamples.map((example) => formatCounterexample(verdict, example)),
  );
  const unconsidered = newlyUnconsidered(base, head);
  const notKnown = new Set([...verdicts.flatMap((verdict) => formatHidden(verdict)), ...unconsidered]);
  const isUndecided = unconsidered.length > 0 || verdicts.some(({ answer }) => answer === 'undecided');
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
