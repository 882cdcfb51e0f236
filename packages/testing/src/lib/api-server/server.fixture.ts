import {
  createFakeApiServer,
  createFakeClock,
  type FakeApiServerOptions,
  type TransportResponse,
} from '../../index.ts';

export const routes = '/apis/gateway.networking.k8s.io/v1/namespaces/shop/httproutes';
export const allRoutes = '/apis/gateway.networking.k8s.io/v1/httproutes';
export const locatorOfRoute = (name: string) => `httproute.gateway.networking.k8s.io:shop/${name}`;
export const httpRoute = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', versions: ['v1', 'v1beta1'] };

export const route = (name: string, spec = {}) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name, namespace: 'shop' },
  spec,
});

/** Returns a server of HTTPRoutes, and requests to it. */
export function setUp(options: Partial<FakeApiServerOptions> = {}) {
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock, kinds: [httpRoute], namespaces: ['default', 'shop'], ...options });
  const request = (
    method: string,
    path: string,
    { query = {}, body, headers = {}, signal }: RequestParts = {},
  ): Promise<TransportResponse> =>
    server.transport.request({
      method,
      path,
      query,
      headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  const watch = async (query: Readonly<Record<string, string>> = {}) =>
    readEvents(await request('GET', allRoutes, { query: { watch: '1', ...query } }));
  return { clock, server, request, watch };
}

interface RequestParts {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Returns the events of a watch so far: `ADDED cart`, `ERROR 410`, `garbage`; at the end `end`, or the reason why it broke. */
export function readEvents(response: TransportResponse): string[] {
  const events: string[] = [];
  const read = async () => {
    for await (const line of response.lines()) events.push(describe(line));
    events.push('end');
  };
  read().catch((error) => events.push(error.name === 'AbortError' ? error.name : error.code));
  return events;
}

function describe(line: string): string {
  try {
    const { type, object } = JSON.parse(line);
    const isEnd = object.metadata?.annotations?.['k8s.io/initial-events-end'] === 'true';
    return [type, object.metadata?.name ?? object.code, isEnd ? 'end of initial events' : undefined]
      .filter(Boolean)
      .join(' ');
  } catch {
    return 'garbage';
  }
}
