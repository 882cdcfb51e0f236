import type { Stanza } from '@policy-machinery/merge';
import { formatPointer, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import type { Fault } from './stanza-reader.ts';
import type { Chooser } from './strategy-choice.ts';

/** A place where policies of a kind may have a stanza. */
export interface Place {
  /** `undefined` for a bare spec. */
  readonly field: string | undefined;
  /** The stanzas that it may count as. */
  readonly stanzas: readonly Stanza[];
  /** JSON Pointer to the stanza, from the root of the policy. */
  readonly pointer: string;
  /** Chooses the strategy that is selected in the stanza, or nowhere. */
  readonly within: Chooser;
  /** Chooses the strategy that is selected next to the stanza. */
  readonly beside: Chooser;
}

/** A part of a spec that may be a stanza. */
export interface Found {
  readonly place: Place;
  readonly value: JsonValue;
}

/** Returns the parts that count as a stanza, in their order. */
export function partsOf(stanza: Stanza, wrapped: readonly Found[]): readonly Found[] {
  return wrapped.filter(({ place }) => place.stanzas[0] === stanza);
}

/** Reports a stanza in two spellings. */
function repeated([first, second]: readonly Found[]): Fault[] {
  if (first === undefined || second === undefined) return [];
  const { field } = second.place;
  const message = `both ${first.place.field} and ${field} are set, which mean the same; keep one`;
  return [{ message, pointer: formatPointer(['spec', String(field)]) }];
}

/** Reports stanzas in two spellings, and stanzas that must not occur together. */
export function clashes(
  wrapped: readonly Found[],
  bare: JsonObject,
  together: 'single' | 'defaults-and-overrides' | 'all',
): Fault[] {
  if (wrapped.length === 0) return [];
  const faults = [...repeated(partsOf('defaults', wrapped)), ...repeated(partsOf('overrides', wrapped))];
  if (together === 'all') return faults;
  const names = wrapped.map(({ place }) => place.field).join(' and ');
  for (const key of Object.keys(bare)) {
    const message = `${key} is next to ${names}; move it inside, or remove it`;
    faults.push({ message, pointer: formatPointer(['spec', key]) });
  }
  const [first, other] = new Map(wrapped.map(({ place }) => [place.stanzas[0], place.field])).values();
  if (together === 'single' && first !== undefined && other !== undefined) {
    const message = `both ${first} and ${other} are set; keep one, and use a second policy for the other`;
    faults.push({ message, pointer: formatPointer(['spec', other]) });
  }
  return faults;
}
