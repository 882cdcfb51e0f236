/** An answer of the server of a page that is about the viewer: it does not accept their token, or has none. */
export class SignInError extends Error {}

/** The requests of a page to its server. The token of a viewer stays in the memory of the page, and goes to that server alone. */
export class Session {
  #token: string | undefined;

  /** Whether there is a token. */
  get hasToken(): boolean {
    return this.#token !== undefined;
  }

  /** Signs in by a token. */
  signIn(token: string): void {
    this.#token = token;
  }

  /**
   * Asks the server.
   *
   * @param path The address, relative to the page's.
   * @param signal Ends the request.
   * @returns The response. Rejects with a {@link SignInError} if the server wants to know who asks, and with another error for any other refusal.
   */
  async ask(path: 'data' | 'events', signal?: AbortSignal): Promise<Response> {
    const headers = this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
    const response = await fetch(path, { cache: 'no-store', headers, ...(signal !== undefined && { signal }) });
    if (response.status === 401) throw new SignInError(await response.text());
    if (!response.ok) throw new Error(`the server answers with ${response.status}: ${await response.text()}`);
    return response;
  }
}
