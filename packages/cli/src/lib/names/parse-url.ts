import type { HttpRequest } from '@policy-machinery/gateway-api';
import type { Options } from '../model/flags.ts';
import { UsageError } from '../model/usage-error.ts';

/** A request, and the protocols and port of its scheme. */
export interface WrittenRequest {
  readonly request: HttpRequest;
  /** The protocols of listeners that take such a request. */
  readonly protocols: readonly string[];
  /** The default port of the scheme, if the URL names none. */
  readonly usualPort: number | undefined;
}

/** The protocols and the default port of each scheme. */
const schemes: Readonly<Record<string, { readonly protocols: readonly string[]; readonly port?: number }>> = {
  'http:': { protocols: ['HTTP'], port: 80 },
  'https:': { protocols: ['HTTPS', 'TLS'], port: 443 },
  'grpc:': { protocols: ['HTTP', 'HTTPS'] },
  'tcp:': { protocols: ['TCP'] },
  'tls:': { protocols: ['TLS'], port: 443 },
  'udp:': { protocols: ['UDP'] },
};

/**
 * Reads a request as curl does: `https://shop.example.com/cart`, or `shop.example.com/cart` for HTTP.
 *
 * @param options The method and the headers. `Host` among these takes the place of the URL's host.
 * @returns The request.
 * @throws {UsageError} If the URL or a header cannot be read.
 */
export function parseUrl(text: string, { method, header = [] }: Options): WrittenRequest {
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const scheme = schemes[written.slice(0, written.indexOf('/')).toLowerCase()];
  // Schemes that URL does not know have neither hosts nor paths in their usual form.
  const readable = written.replace(/^[a-z]+:/i, (each) => (each.toLowerCase() === 'http:' ? each : 'https:'));
  if (scheme === undefined || !URL.canParse(readable)) {
    const known = Object.keys(schemes).map((each) => `${each}//`);
    throw new UsageError(`"${text}" is not a URL; write https://shop.example.com/cart. Schemes are ${known.join(' ')}`);
  }
  const url = new URL(readable);
  const headers = header.map(headerIn);
  const [, host = url.hostname] = headers.find(([name]) => name.toLowerCase() === 'host') ?? [];
  const port = portIn(written);
  const request: HttpRequest = {
    host,
    path: `${url.pathname}${url.search}`,
    ...(method === undefined ? {} : { method }),
    headers: headers.filter(([name]) => name.toLowerCase() !== 'host'),
    ...(port === undefined ? {} : { port }),
    ...(scheme.protocols.includes('UDP') ? { transport: 'UDP' } : {}),
  };
  return { request, protocols: scheme.protocols, usualPort: port === undefined ? scheme.port : undefined };
}

/** Returns the port that is written in a URL. `URL` drops the usual port of a scheme, even where it is written. */
function portIn(written: string): number | undefined {
  const match = /^[^/]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(written);
  return match === null ? undefined : Number(match[1]);
}

function headerIn(text: string): readonly [name: string, value: string] {
  const colon = text.indexOf(':');
  if (colon > 0) return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  throw new UsageError(`-H "${text}" is not a header; write name:value`);
}
