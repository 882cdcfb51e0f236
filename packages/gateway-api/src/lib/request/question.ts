import type { RegularExpression } from '../matching/check.ts';
import type { ReadRequest } from '../matching/http-request.ts';

/** A request, and the engine for regular expressions if there is one. */
export interface Question {
  readonly request: ReadRequest;
  /** The request with adjacent slashes of its path merged. Default: the path does not contain adjacent slashes. */
  readonly merged?: ReadRequest | undefined;
  readonly regularExpression: RegularExpression | undefined;
  /** The most specific hostname for the host, of each list of hostnames that was looked through: many listeners have the same routes. */
  readonly hostnames: Map<unknown, string | undefined>;
}
