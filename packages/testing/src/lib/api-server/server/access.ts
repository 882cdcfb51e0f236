import type { ResourceRequest } from '../requests/request.ts';
import { forbidden, unauthorized } from '../statuses.ts';
import { matchesPattern, type RequestPattern, subjectOf } from './pattern.ts';

/** The access rules of the server. */
export class Access {
  /** Names of users by token; `undefined` if everyone is let in. */
  #tokens: Readonly<Record<string, string>> | undefined;
  readonly #forbidden = new Set<RequestPattern>();

  constructor(tokens: Readonly<Record<string, string>> | undefined) {
    this.#tokens = tokens;
  }

  /** Lets in the bearers of these tokens, and no others. */
  setTokens(tokens: Readonly<Record<string, string>>): void {
    this.#tokens = tokens;
  }

  forbid(pattern: RequestPattern): void {
    matchesPattern(pattern, { verb: '', resource: '' });
    this.#forbidden.add(pattern);
  }

  /** Takes a prohibition back, or all of them. */
  allow(pattern?: RequestPattern): void {
    if (pattern === undefined) this.#forbidden.clear();
    else if (!this.#forbidden.delete(pattern)) {
      const forbiddenPatterns = [...this.#forbidden].map((each) => `"${each}"`).join(', ') || 'nothing';
      throw new Error(
        `"${pattern}" is not forbidden, but ${forbiddenPatterns} is; name a request that you have forbidden`,
      );
    }
  }

  /** Returns the user that a request comes from. Throws 401 for an unknown token. */
  authenticate(authorization = ''): string {
    if (this.#tokens === undefined) return 'admin';
    if (authorization === '') return 'system:anonymous';
    const token = authorization.replace(/^Bearer /, '');
    const user = Object.hasOwn(this.#tokens, token) ? this.#tokens[token] : undefined;
    if (user === undefined) throw unauthorized();
    return user;
  }

  /** Throws 403 if a user may not make a request. */
  authorize(user: string, request: ResourceRequest): void {
    const subject = subjectOf(request);
    const isForbidden =
      user === 'system:anonymous' || [...this.#forbidden].some((each) => matchesPattern(each, subject));
    if (isForbidden) throw forbidden(request.kind, { user, ...request });
  }
}
