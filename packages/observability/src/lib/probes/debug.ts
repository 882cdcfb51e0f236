import type { IncomingMessage } from 'node:http';
import { toPlain } from '../log/to-plain.ts';
import { type Answer, text } from './answer.ts';

/** The diagnosis of a process, for clients on its own machine. */
export interface DebugContent {
  /** Returns the state of the process, which `/debug` shows as JSON, with links to the pages. */
  readonly state: () => unknown;
  /**
   * Further pages, by their name: `policies` is `/debug/policies`. Each takes the rest of its path, and returns a page of HTML as a string, any other
   * value to show as JSON, or `undefined` if there is nothing.
   */
  readonly pages?: Readonly<Record<string, (rest: string) => unknown>>;
}

/** Returns the page at a path below `/debug`; `undefined` if the page does not exist. */
export async function answerDebug({ state, pages = {} }: DebugContent, path: string): Promise<Answer | undefined> {
  if (path === '') return html(indexOf(await state(), Object.keys(pages)));
  const [name = ''] = path.split('/', 1);
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page === undefined) return undefined;
  const rest = path.slice(name.length + 1);
  const value = await page(rest);
  if (value === undefined) return text(404, `/debug/${name} has nothing about ${JSON.stringify(rest)}\n`);
  return typeof value === 'string' ? html(value) : json(value);
}

/**
 * Returns whether a request comes from this machine, and not from a page of another site in a browser on it: such a page has another host in its
 * address, even if that leads here.
 */
export function isLocal({
  socket,
  headers,
}: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } }): boolean {
  const { remoteAddress = '' } = socket;
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const isFromHere = remoteAddress === '::1' || /^(?:::ffff:)?127\./.test(remoteAddress);
  return isFromHere && ['localhost', '127.0.0.1', '[::1]'].includes(host);
}

/** The answer to clients elsewhere. */
export const notLocal = text(
  403,
  '403 forbidden: /debug answers clients on this machine alone; use kubectl port-forward, and open http://localhost:PORT/debug\n',
);

function json(value: unknown): Answer {
  return { status: 200, contentType: 'application/json', body: `${formatted(value)}\n` };
}

function html(body: string): Answer {
  return { status: 200, contentType: 'text/html; charset=utf-8', body };
}

function indexOf(state: unknown, pages: readonly string[]): string {
  const links = pages.map((name) => `<a href="/debug/${escaped(encodeURIComponent(name))}">${escaped(name)}</a>`);
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'">',
    `<title>debug</title><h1>debug</h1><p>${links.join(' ')}</p><pre>${escaped(formatted(state))}</pre></html>\n`,
  ].join('\n');
}

function formatted(value: unknown): string {
  return JSON.stringify(toPlain(value), undefined, 2) ?? '';
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
