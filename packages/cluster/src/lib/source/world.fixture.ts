import { createFakeApiServer, createFakeClock, type FakeApiServerOptions } from '@policy-machinery/testing';
import {
  createSources,
  type RelistReason,
  type SourceChanges,
  type SourceState,
  type Transport,
  TransportError,
  type WatchedKind,
} from '../../index.ts';

export const Gateway = { group: 'gateway.networking.k8s.io', kind: 'Gateway', versions: ['v1', 'v1beta1'] };
export const HTTPRoute = { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', versions: ['v1', 'v1beta1'] };

/** Returns an object of a kind in namespace `shop`. */
export const object = (kind: string, name: string, spec: object = {}) => ({
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind,
  metadata: { name, namespace: 'shop' },
  spec,
});

export const gateway = (name: string, spec?: object) => object('Gateway', name, spec);
export const route = (name: string, spec?: object) => object('HTTPRoute', name, spec);

/** Returns the locator of an HTTPRoute in namespace `shop`. */
export const routeLocator = (name: string) => `httproute.gateway.networking.k8s.io:shop/${name}`;

/** Returns a transport that reads no longer bodies, as the transport over HTTP reads none of more than 128 MiB. */
export function boundedTransport(transport: Transport, maxBytes: number): Transport {
  return {
    async request(request) {
      const response = await transport.request(request);
      const text = async () => {
        const body = await response.text();
        if (body.length <= maxBytes) return body;
        const what = `${request.method} ${request.path}`;
        throw new TransportError('EBODYTOOLONG', `${what}: the answer is longer than ${maxBytes} bytes`);
      };
      return { ...response, text };
    },
  };
}

export interface WorldOptions extends Partial<FakeApiServerOptions> {
  /** The kinds that are watched. Default: those of the server. */
  readonly watch?: readonly WatchedKind[];
  /** Whether the changes are taken as they come. Default: `true`. */
  readonly isConsumed?: boolean;
  /** How old lists may be. Default: as for sources. */
  readonly relistAfter?: number;
  /** Puts something between the sources and the server. */
  readonly through?: (transport: Transport) => Transport;
}

/** Returns a fake API server, sources that watch it, and all that has come out of them. */
export function createWorld({
  watch,
  isConsumed = true,
  through = (transport) => transport,
  relistAfter,
  ...options
}: WorldOptions = {}) {
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock, kinds: [Gateway, HTTPRoute], namespaces: ['shop'], ...options });
  const transport = through(server.transport);
  const relists: RelistReason[] = [];
  const failures: unknown[] = [];
  const malformed: unknown[] = [];
  const sources = createSources(transport, watch ?? [Gateway, HTTPRoute], {
    clock,
    random: () => 0.5,
    ...(relistAfter === undefined ? {} : { relistAfter }),
    observer: {
      onRelist: (_, reason) => relists.push(reason),
      onFailure: (_, error) => failures.push(error),
      onMalformed: (_, each) => malformed.push(each),
    },
  });
  let taken: SourceChanges[] = [];
  void (async () => {
    if (!isConsumed) return;
    for await (const changes of sources) taken.push(changes);
  })();

  return {
    clock,
    server,
    /** The transport to the server, through faults. */
    transport,
    sources,
    relists,
    failures,
    malformed,
    /** Lets everything happen that needs no time, or so many milliseconds. */
    settle: (ms = 0) => clock.advance(ms),
    /** Returns the changes that the sources have passed on since the last call, as one change. */
    takeChanges() {
      const upsert = taken.flatMap((changes) => changes.upsert.map(({ metadata }) => metadata.name));
      const remove = taken.flatMap((changes) => changes.remove);
      taken = [];
      return { upsert, remove };
    },
    /** Returns the changes one by one, since the last call. */
    takeEach() {
      const each = taken;
      taken = [];
      return each;
    },
    phaseOf: (kind: WatchedKind) => stateOf(kind)?.phase,
    stateOf: (kind: WatchedKind) => stateOf(kind),
    /** The names of the objects in the sources. */
    names: (kind: WatchedKind) => [...sources.objects(kind)].map(({ metadata }) => metadata.name).sort(),
    /** Returns the requests of a verb so far: `list httproutes`. */
    requests(verb: string, resource: string) {
      return server.requests.filter((entry) => entry.verb === verb && entry.resource === resource);
    },
  };

  function stateOf({ kind, group }: WatchedKind): SourceState | undefined {
    return sources.states.get(`${kind}.${group}`.toLowerCase());
  }
}

export type World = ReturnType<typeof createWorld>;
