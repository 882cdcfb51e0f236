import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A version of a package, as `npm publish` sends it. */
interface Version {
  readonly name: string;
  readonly version: string;
  readonly dist: { readonly tarball: string };
}

/** What `npm publish` sends. */
interface Publication {
  readonly name: string;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, Version>>;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

/** An npm registry on the loopback interface. */
export interface Registry {
  /** `http://127.0.0.1:PORT/`. */
  readonly url: string;
  /** The names of the packages that were published. */
  readonly names: readonly string[];
  close(): void;
}

/**
 * Starts a registry that takes publications, and redirects requests for other packages to a registry that has them. Like npm's, it
 * takes a version once, and checks nothing else.
 *
 * @param upstream The registry of all other packages, with a slash at its end.
 */
export async function startRegistry(upstream: string): Promise<Registry> {
  const packages = new Map<string, Publication>();
  const tarballs = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url?.slice(1) ?? '');
    const answer = request.method === 'PUT' ? publish(request, path) : find(path);
    answer.then(
      ({ status, headers, body }) => send(response, status, headers, body),
      (error) => send(response, 500, {}, JSON.stringify({ error: String(error) })),
    );
  });

  async function publish(request: IncomingMessage, name: string): Promise<Answer> {
    const sent = (await json(request)) as Publication;
    if (packages.has(name)) return { status: 403, body: '{"error":"this version is there"}' };
    const [attachment] = Object.values(sent._attachments);
    const [version] = Object.values(sent.versions);
    if (attachment === undefined || version === undefined) return { status: 400, body: '{"error":"no tarball"}' };
    const file = `tarballs/${name}.tgz`;
    tarballs.set(file, Buffer.from(attachment.data, 'base64'));
    const dist = { ...version.dist, tarball: url() + file };
    packages.set(name, { ...sent, versions: { [version.version]: { ...version, dist } }, _attachments: {} });
    return { status: 201, body: '{"ok":true}' };
  }

  async function find(path: string): Promise<Answer> {
    const tarball = tarballs.get(path);
    if (tarball !== undefined) return { status: 200, body: tarball };
    const found = packages.get(path);
    if (found !== undefined) return { status: 200, body: JSON.stringify(found) };
    return { status: 302, headers: { location: upstream + path.replace(/^(@[^/]+)\//, '$1%2f') }, body: '' };
  }

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: url(),
    get names() {
      return [...packages.keys()].sort();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

function send(response: ServerResponse, status: number, headers: Answer['headers'], body: Answer['body']): void {
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
    ...headers,
  });
  response.end(body);
}
