import type { Acceptor, FoundText, Reading, RegularLanguages } from '@policy-machinery/cel/languages';
import type { RegularExpression } from '@policy-machinery/gateway-api';
import type { ConcreteRequest } from './concrete-request.ts';
import type { RankedMatch } from './contender.ts';
import type { Hindrance } from './contest.ts';
import type { Region } from './region.ts';
import {
  acceptorOf,
  charactersOf,
  conditionsOfCell,
  conditionsOfMatch,
  type FieldCondition,
  fieldsOf,
  keyOfField,
  possibleTexts,
  type TextCondition,
  type TextField,
  withText,
} from './text-fields.ts';

/** The request that shows an answer. */
export interface Shown {
  /** Whether it is a request that is looked for: `undecided` if facts decide that are not known. */
  readonly answer: 'yes' | 'undecided' | 'no';
  readonly hiddenBy: readonly Hindrance[];
  /** Conditions that it meets: the requests that are looked for do not meet all of these. Default: none. */
  readonly without?: readonly FieldCondition[] | undefined;
  /** The match that has these conditions. Default: none. */
  readonly match?: RankedMatch | undefined;
}

/** Where requests are looked for. */
export interface SearchSpace {
  readonly languages: RegularLanguages;
  /** The requests, apart from regular expressions. */
  readonly region: Region;
  /** One of them, with values that no condition asks for. */
  readonly least: ConcreteRequest;
  /** The matches that the requests must meet. */
  readonly matches: readonly RankedMatch[];
  readonly show: (request: ConcreteRequest, engine: RegularExpression) => Shown;
}

/** The result of a search. */
export type Found =
  | { readonly by: 'request'; readonly request: ConcreteRequest }
  | { readonly by: 'undecided'; readonly request: ConcreteRequest; readonly hiddenBy: readonly Hindrance[] }
  /** `takers` take all requests. */
  | { readonly by: 'none'; readonly takers: readonly RankedMatch[] };

/** The work of one search: moves of acceptors, and requests that are tried. */
const limits = { moves: 400_000, requests: 48 } as const;

/**
 * Searches for a request. Each request that is not one of those leads to another one: without one of the conditions that make it none.
 *
 * @param space Where requests are looked for.
 * @returns A request, or why there is none. The work is bounded; beyond the bounds, the expressions hide whether there is one.
 */
export function searchRequest(space: SearchSpace): Found {
  const sure = new Search(space, 'every').run();
  if (sure.request !== undefined) return { by: 'request', request: sure.request };
  const hidden = sure.undecided;
  const isDecidedByFacts = hidden?.hiddenBy.every(({ dependsOn }) => dependsOn !== 'regular expression');
  if (hidden !== undefined && isDecidedByFacts) return { by: 'undecided', ...hidden };
  const met = new Set(sure.met);
  const isNone = space.languages.readings.every((reading) => {
    const { isPossible, met: others } = new Search(space, reading).run();
    for (const each of others) met.add(each);
    return !isPossible;
  });
  if (isNone) return { by: 'none', takers: [...met] };
  const expressions = [...space.matches, ...met].filter((match) => match.expressions.length > 0);
  const hiddenBy = expressions.map((match): Hindrance => ({ match, dependsOn: 'regular expression' }));
  return { by: 'undecided', request: hidden?.request ?? space.least, hiddenBy };
}

/** The result of a search. */
interface Outcome {
  readonly request?: ConcreteRequest | undefined;
  /** The first request that unknown facts decide. */
  readonly undecided?: { readonly request: ConcreteRequest; readonly hiddenBy: readonly Hindrance[] } | undefined;
  /** Whether there may be a request. */
  readonly isPossible: boolean;
  readonly met: ReadonlySet<RankedMatch>;
}

/** Conditions by the keys of fields. */
type Conditions = ReadonlyMap<string, readonly TextCondition[]>;

/**
 * One search. For `every` reading of regular expressions, it finds requests that all of these agree on. For one reading, it finds out whether there
 * is any request at all, of any characters.
 */
class Search {
  readonly #space: SearchSpace;
  readonly #reading: Reading | 'every';
  readonly #engine: RegularExpression;
  readonly #fields: readonly TextField[];
  /** The conditions that texts must meet. */
  readonly #own: Conditions;
  readonly #limit = { moves: limits.moves };
  readonly #met = new Set<RankedMatch>();

  constructor(space: SearchSpace, reading: Reading | 'every') {
    this.#space = space;
    this.#reading = reading;
    this.#engine = space.languages.engine(reading);
    this.#own = ownConditions(space);
    this.#fields = fieldsOf(space.region).filter((field) => isOpen(this.#own.get(keyOfField(field))));
  }

  run(): Outcome {
    const due: Conditions[] = [new Map()];
    let undecided: Outcome['undecided'];
    let isPossible = false;
    for (let tried = 0; due.length > 0; tried += 1) {
      const excluded = due.pop() ?? new Map();
      const request = tried < limits.requests ? this.#requestWithout(excluded) : 'unknown';
      if (request === 'none') continue;
      if (request === 'unknown') return { undecided, isPossible: true, met: this.#met };
      const { answer, hiddenBy, without, match } = this.#space.show(request, this.#engine);
      if (match !== undefined) this.#met.add(match);
      if (answer !== 'no') isPossible = true;
      if (isPossible && this.#reading !== 'every') break;
      if (answer === 'yes') return { request, isPossible, met: this.#met };
      if (answer === 'undecided') undecided ??= { request, hiddenBy };
      due.push(...this.#alternatives(excluded, without ?? []));
    }
    return { undecided, isPossible, met: this.#met };
  }

  /** Returns the ways not to meet all of some conditions, each by one of them. */
  *#alternatives(excluded: Conditions, conditions: readonly FieldCondition[]): Iterable<Conditions> {
    const open = new Set(this.#fields.map(keyOfField));
    for (const { field, condition } of conditions) {
      const key = keyOfField(field);
      if (open.has(key)) yield new Map([...excluded, [key, [...(excluded.get(key) ?? []), condition]]]);
    }
  }

  /** Returns a request that meets no excluded condition. */
  #requestWithout(excluded: Conditions): ConcreteRequest | 'none' | 'unknown' {
    let request = this.#space.least;
    for (const field of this.#fields) {
      const key = keyOfField(field);
      const [own, others] = [this.#own.get(key) ?? [], excluded.get(key) ?? []];
      if (others.length === 0 && !own.some(isExpression)) continue; // The least text will do.
      const found = this.#find(field, own, others);
      if (typeof found === 'string') return found;
      request = withText(request, field, found.text);
    }
    return request;
  }

  #find({ part }: TextField, own: readonly TextCondition[], others: readonly TextCondition[]): FoundText {
    const { readings, find } = this.#space.languages;
    const all = own.flatMap((condition) => this.#acceptors(condition, readings, 'whole'));
    const none = others.flatMap((condition) => this.#acceptors(condition, readings, 'part'));
    if ([...all, ...none].includes(undefined)) return 'unknown';
    const { usual, others: further } = charactersOf[part];
    const characters = this.#reading === 'every' ? usual : [...usual, ...further];
    const isThere = (it: Acceptor | undefined): it is Acceptor => it !== undefined;
    return find(
      { all: [possibleTexts[part], ...all.filter(isThere)], none: none.filter(isThere), characters },
      this.#limit,
    );
  }

  /** Returns the acceptors of a condition. Every reading agrees on a text if the strictest one accepts it, or if the other one does not. */
  #acceptors(
    condition: TextCondition,
    readings: readonly Reading[],
    strict: Reading,
  ): readonly (Acceptor | undefined)[] {
    const asked = this.#reading === 'every' ? (readings.includes(strict) ? strict : readings[0]) : this.#reading;
    return [acceptorOf(condition, this.#space.languages, asked ?? strict)];
  }
}

/** Returns the conditions that a search must meet, each once. */
function ownConditions({ region, matches }: SearchSpace): Conditions {
  const all = new Map<string, Map<string, TextCondition>>();
  for (const { field, condition } of [...conditionsOfCell(region), ...matches.flatMap(conditionsOfMatch)]) {
    const key = keyOfField(field);
    const known = all.get(key) ?? new Map<string, TextCondition>();
    all.set(key, known.set(JSON.stringify(condition), condition));
  }
  return new Map([...all].map(([key, conditions]) => [key, [...conditions.values()]]));
}

/** Returns whether requests may have different texts, or have one that regular expressions decide. */
function isOpen(conditions: readonly TextCondition[] = []): boolean {
  return conditions.some(isExpression) || !conditions.some(({ type }) => type === 'Exact');
}

function isExpression(condition: TextCondition): boolean {
  if (condition.type !== 'Call') return condition.type === 'RegularExpression';
  return [condition.service, condition.call].some((part) => part?.type === 'RegularExpression');
}
