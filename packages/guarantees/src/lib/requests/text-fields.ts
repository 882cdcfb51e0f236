import type { Acceptor, Reading, RegularLanguages } from '@policy-machinery/cel/languages';
import type { MatchCondition } from '@policy-machinery/gateway-api/inner';
import type { ConcreteRequest } from './concrete-request.ts';
import type { RankedMatch } from './contender.ts';
import type { Cell, Region } from './region.ts';

/** A part of a request that regular expressions compare: the path, a header or a query parameter. */
export interface TextField {
  readonly part: 'path' | 'header' | 'query';
  /** The name of the header or query parameter; empty for the path. */
  readonly name: string;
}

export type TextCondition =
  | Pick<MatchCondition, 'type' | 'value'>
  /** The path is a gRPC call with these parts. Default: any. */
  | { readonly type: 'Call'; readonly service?: TextCondition | undefined; readonly call?: TextCondition | undefined };

export interface FieldCondition {
  readonly field: TextField;
  readonly condition: TextCondition;
}

export function keyOfField({ part, name }: TextField): string {
  return `${part} ${name}`;
}

const path: TextField = { part: 'path', name: '' };

/** Returns the conditions of a match on texts. All parts of a gRPC call are one condition on the path. */
export function conditionsOfMatch({ match: { conditions, isCall } }: RankedMatch): readonly FieldCondition[] {
  const partOf = (field: MatchCondition['field']) => conditions.find((condition) => condition.field === field);
  const call = { type: 'Call', service: partOf('service'), call: partOf('call') } as const;
  const others = conditions.flatMap(({ field: part, name, type, value }) =>
    part === 'path' || part === 'header' || part === 'query'
      ? { field: { part, name }, condition: { type, value } }
      : [],
  );
  return isCall ? [{ field: path, condition: call }, ...others] : others;
}

/** Returns the conditions of a cell or region on texts, apart from headers and query parameters that may have any value. */
export function conditionsOfCell(cell: Cell & Pick<Region, 'call'>): readonly FieldCondition[] {
  const exact = (value: string) => ({ type: 'Exact', value }) as const;
  const valuesOf = (part: 'header' | 'query', values: Cell['headers']): readonly FieldCondition[] =>
    [...values].flatMap(([name, value]) =>
      value === undefined ? [] : { field: { part, name }, condition: exact(value) },
    );
  const { service, call } = cell.call ?? {};
  const parts = {
    service: service === undefined ? undefined : exact(service),
    call: call === undefined ? undefined : exact(call),
  };
  return [
    ...(cell.path === undefined ? [] : [{ field: path, condition: cell.path }]),
    ...(cell.call === undefined ? [] : [{ field: path, condition: { type: 'Call', ...parts } as const }]),
    ...valuesOf('header', cell.headers),
    ...valuesOf('query', cell.query),
  ];
}

/** Returns the fields that all requests of a region have. */
export function fieldsOf({ headers, query }: Region): readonly TextField[] {
  return [
    path,
    ...[...headers.keys()].map((name) => ({ part: 'header', name }) as const),
    ...[...query.keys()].map((name) => ({ part: 'query', name }) as const),
  ];
}

export function withText(request: ConcreteRequest, { part, name }: TextField, text: string): ConcreteRequest {
  if (part === 'path') return { ...request, path: text };
  const values = part === 'header' ? 'headers' : 'query';
  return { ...request, [values]: new Map([...request[values], [name, text]]) };
}

type Ranges = readonly (readonly [first: number, last: number])[];

const blanks: Ranges = [
  [0x09, 0x09],
  [0x20, 0x20],
];
const visible: Ranges = [[0x21, 0x7e]];
const inPaths: Ranges = [
  [0x21, 0x22],
  [0x24, 0x3e],
  [0x40, 0x7e],
];
const beyondAscii: Ranges = [
  [0x80, 0xd7ff],
  [0xe000, 0x10ffff],
];
const controls: Ranges = [
  [0x00, 0x08],
  [0x0a, 0x1f],
  [0x7f, 0x7f],
];

/**
 * The characters of each field. Gateway API (GEP-4359) defines regular expressions for the `usual` ones. Data planes may let others pass, and
 * read them differently.
 */
export const charactersOf = {
  path: { usual: inPaths, others: beyondAscii },
  header: { usual: [...blanks, ...visible], others: beyondAscii },
  query: { usual: [...blanks, ...visible], others: [...controls, ...beyondAscii] },
} as const satisfies Record<TextField['part'], { readonly usual: Ranges; readonly others: Ranges }>;

const slash = 0x2f;

/** Accepts the texts that begin with a slash. */
const rooted: Acceptor = {
  start: 0,
  next: (state, character) => (state === 1 || character === slash ? 1 : undefined),
  accepts: (state) => state === 1,
  divisions: [slash, slash + 1],
};

const isBlank = (character: number): boolean => character === 0x09 || character === 0x20;

/** Accepts the texts that do not begin or end with a blank. */
const trimmed: Acceptor = {
  start: 0,
  next: (state, character) => (isBlank(character) ? (state === 0 ? undefined : 2) : 1),
  accepts: (state) => state !== 2,
  divisions: [0x09, 0x0a, 0x20, 0x21],
};

const anything: Acceptor = { start: 0, next: () => 0, accepts: () => true, divisions: [] };

/** Accepts the texts that a field can have. */
export const possibleTexts = { path: rooted, header: trimmed, query: anything } as const;

/** Returns the acceptor of a condition; `undefined` for a regular expression that has none. */
export function acceptorOf(
  condition: TextCondition,
  languages: RegularLanguages,
  reading: Reading,
): Acceptor | undefined {
  switch (condition.type) {
    case 'Exact':
      return exactText(condition.value);
    case 'PathPrefix':
      return textBelow(condition.value.replace(/\/$/, ''));
    case 'RegularExpression':
      return languages.acceptor(condition.value, reading);
    default: {
      const [service, call] = [condition.service, condition.call].map((part) =>
        part === undefined ? anything : acceptorOf(part, languages, reading),
      );
      return service && call && callOf(service, call);
    }
  }
}

function divisionsIn(text: string): readonly number[] {
  return [...text].flatMap((letter) => [letter.codePointAt(0) ?? 0, (letter.codePointAt(0) ?? 0) + 1]);
}

function exactText(text: string): Acceptor {
  const letters = [...text].map((letter) => letter.codePointAt(0));
  return {
    start: 0,
    next: (state, character) => (letters[state] === character ? state + 1 : undefined),
    accepts: (state) => state === letters.length,
    divisions: divisionsIn(text),
  };
}

/** Returns an acceptor of a prefix without a slash at its end, and of all paths below. */
function textBelow(prefix: string): Acceptor {
  const { next, divisions } = exactText(`${prefix}/`);
  const end = [...prefix].length;
  return {
    start: 0,
    next: (state, character) => (state > end ? state : next(state, character)),
    accepts: (state) => state >= end,
    divisions,
  };
}

/** Returns an acceptor of paths of two segments, each accepted by another acceptor. */
function callOf(service: Acceptor, call: Acceptor): Acceptor {
  const parts = [service, call] as const;
  const places: (readonly [part: number, state: number, isEmpty: boolean])[] = [];
  const ids = new Map<string, number>();
  const idOf = (...place: (typeof places)[number]): number => {
    const id = ids.get(place.join()) ?? places.push(place) - 1;
    ids.set(place.join(), id);
    return id;
  };
  const start = idOf(-1, 0, false);
  const isEnd = (part: number, state: number, isEmpty: boolean): boolean =>
    part < 0 || (!isEmpty && parts[part]?.accepts(state) === true);
  const next = (id: number, character: number): number | undefined => {
    const [part, state, isEmpty] = places[id] ?? [1, 0, true];
    if (character === slash) {
      const following = parts[part + 1];
      return following !== undefined && isEnd(part, state, isEmpty) ? idOf(part + 1, following.start, true) : undefined;
    }
    const behind = parts[part]?.next(state, character);
    return behind === undefined ? undefined : idOf(part, behind, false);
  };
  const accepts = (id: number): boolean => {
    const [part, state, isEmpty] = places[id] ?? [0, 0, true];
    return part === 1 && isEnd(part, state, isEmpty);
  };
  return { start, next, accepts, divisions: [slash, slash + 1, ...service.divisions, ...call.divisions] };
}
