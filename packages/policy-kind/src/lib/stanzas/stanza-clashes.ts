import type { Stanza } from '@policy-machinery/merge';
import { formatPointer, type JsonObject, type JsonValue } from '@policy-machinery/resource';
import type { Fault } from './stanza-reader.ts';

/** A part of a spec that may be a stanza. */
export interface Found {
  /** `undefined` for a bare spec. */
  readonly field: string | undefined;
  /** The stanzas that it may count as. */
  readonly stanzas: readonly Stanza[];
  readonly value: JsonValue;
}

/** Reports a stanza in two spellings. */
export function repeated([first, second]: readonly Found[]): Fault[] {
  if (first === undefined || second === undefined) return [];
  const message = `both ${first.field} and ${second.field} are set, which mean the same; keep one`;
  return [{ message, pointer: formatPointer(['spec', String(second.field)]) }];
}

/** Reports stanzas that must not occur together. */
export function clashes(
  wrapped: readonly Found[],
  bare: JsonObject,
  together: 'single' | 'defaults-and-overrides' | 'all',
): Fault[] {
  if (together === 'all' || wrapped.length === 0) return [];
  const names = wrapped.map(({ field }) => field).join(' and ');
  const faults = Object.keys(bare).map((key): Fault => {
    return {
      message: `${key} is next to ${names}; move it inside, or remove it`,
      pointer: formatPointer(['spec', key]),
    };
  });
  const [first, other] = [...new Map(wrapped.map((part) => [part.stanzas[0], part])).values()];
  if (together === 'single' && first !== undefined && other !== undefined) {
    const message = `both ${first.field} and ${other.field} are set; keep one, and use a second policy for the other`;
    faults.push({ message, pointer: formatPointer(['spec', String(other.field)]) });
  }
  return faults;
}
