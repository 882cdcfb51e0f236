import type { Verb } from '../requests/request.ts';

/** A request that the server has received, with its result. */
export interface AuditEntry {
  /** When it came: milliseconds of the server's clock since 1970. */
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** For objects: the resource, in the terms of RBAC. */
  readonly verb?: Verb;
  /** For objects: their plural, with the subresource if there is one: `httproutes/status`. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The user; `undefined` if the token is unknown. */
  readonly user?: string;
  /** The HTTP status of the answer; `undefined` as long as there is none. */
  readonly status?: number;
}
