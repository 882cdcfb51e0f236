import { isJsonObject } from '@policy-machinery/resource';
import { badRequest } from '../statuses.ts';

/** Where the next page of a list begins. */
export interface ContinueToken {
  /** The version of all pages; -1 for a list that continues with the present objects. */
  readonly version: number;
  /** The last key of the pages so far. */
  readonly after: string;
}

/** Writes a token, which clients do not look into. */
export function formatContinue({ version, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: `${after}\0` })).toString('base64url');
}

/** Reads a token. Throws 400 for an invalid one. */
export function parseContinue(token: string): ContinueToken {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (isJsonObject(value) && typeof value.rv === 'number' && typeof value.start === 'string') {
      return { version: value.rv, after: value.start.slice(0, -1) };
    }
  } catch {
    // As for JSON that is not a token.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}
