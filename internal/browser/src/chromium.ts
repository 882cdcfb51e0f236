import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { Tab } from './tab.ts';

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--hide-scrollbars'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--remote-debugging-pipe'],
];

/** A message of the DevTools protocol. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Receives the events of a session. */
export type OnEvent = (method: string, params: unknown) => void;

/** A Chromium, which is controlled by the DevTools protocol over a pipe. */
export class Chromium {
  readonly #process: ChildProcess;
  readonly #profile = mkdtempSync(join(tmpdir(), 'policy-machinery-chromium-'));
  readonly #calls = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  readonly #sessions = new Map<string, OnEvent>();
  readonly #input: Writable;
  #last = 0;

  private constructor() {
    const args = [...flags, `--user-data-dir=${this.#profile}`, 'about:blank'];
    this.#process = spawn(command(), args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    const [, , , input, output] = this.#process.stdio;
    this.#input = input as Writable;
    let rest = '';
    (output as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (rest + chunk).split('\0');
      rest = messages.pop() ?? '';
      for (const message of messages) this.#receive(JSON.parse(message));
    });
    this.#process.on('exit', (code) => {
      for (const { reject } of this.#calls.values()) reject(new Error(`Chromium has ended with ${code}`));
    });
  }

  /** Starts a Chromium. */
  static start(): Chromium {
    return new Chromium();
  }

  /** Opens a tab of some width. */
  async open(width = 1280, height = 900): Promise<Tab> {
    const { targetId } = await this.call<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.call<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
    return Tab.in(this, sessionId, width, height);
  }

  /** Calls a method, of the browser or of a session. */
  call<Result>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve: (result) => resolve(result as Result), reject });
      this.#input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    });
  }

  /** Passes the events of a session on. */
  listen(sessionId: string, onEvent: OnEvent): void {
    this.#sessions.set(sessionId, onEvent);
  }

  #receive({ id, method, sessionId = '', params, result, error }: Message): void {
    if (id === undefined) {
      if (method !== undefined) this.#sessions.get(sessionId)?.(method, params);
      return;
    }
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error.message));
  }

  /** Ends the Chromium, and removes its profile. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    await this.call('Browser.close');
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the browser's command. */
function command(): string {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
      return name;
    } catch {
      // The next one may be there.
    }
  }
  throw new Error('There is no Chromium: install the package `chromium`, or put a Chromium into the PATH.');
}
