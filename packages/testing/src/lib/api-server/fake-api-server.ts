import type { GroupKind, KubernetesObject } from '@policy-machinery/resource';
import { type Clock, machineClock } from '../clock/clock.ts';
import { type HttpServer, listen } from '../transport/http.ts';
import { memoryTransport } from '../transport/memory.ts';
import type { Transport } from '../transport/transport.ts';
import { Administrator, type NamedObject, type ObjectChange } from './administrator.ts';
import type { Cluster } from './cluster.ts';
import { definitionOf, type FakeKind } from './kinds/fake-kind.ts';
import { KindTable } from './kinds/kind-table.ts';
import { builtInKinds, resourceKey } from './kinds/served-kind.ts';
import type { ServerObject } from './objects.ts';
import { Access } from './server/access.ts';
import type { AuditEntry } from './server/audit.ts';
import type { Fault } from './server/faults.ts';
import { matchesPattern, type RequestPattern, subjectOf } from './server/pattern.ts';
import { Server } from './server/server.ts';
import { Store } from './store.ts';

/** How a fake API server begins. */
export interface FakeApiServerOptions {
  /** The clock for `creationTimestamp`, bookmarks and timeouts. Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** The kinds to serve besides the built-in ones: target kinds, policy kinds, or CustomResourceDefinitions. Default: none. */
  readonly kinds?: readonly (FakeKind | KubernetesObject)[] | undefined;
  /** Namespaces that exist. Default `default`; the namespaces of `objects` are created as well. */
  readonly namespaces?: readonly string[] | undefined;
  /** Objects that exist, with their statuses. Default none. */
  readonly objects?: readonly KubernetesObject[] | undefined;
  /** The faults. Default: none. */
  readonly faults?: readonly Fault[] | undefined;
  /** User names by bearer token. Default: everyone is let in. */
  readonly tokens?: Readonly<Record<string, string>> | undefined;
  /** Whether watches can begin with the existing objects (`sendInitialEvents`). Default: `true`. */
  readonly watchLists?: boolean | undefined;
}

/** A Kubernetes API server in the memory of the process, with the methods of an administrator and of bad luck. */
export interface FakeApiServer {
  /** A way to the server without sockets. */
  readonly transport: Transport;
  /**
   * Serves over HTTP on 127.0.0.1 as well, for tests of a transport.
   *
   * @returns `http://127.0.0.1:PORT`, and `close`.
   */
  listen(): Promise<HttpServer>;

  /** Creates objects with their statuses, and their namespaces if they do not exist. Returns them as stored. */
  create(...objects: readonly KubernetesObject[]): readonly ServerObject[];
  /**
   * Changes an object, its status included.
   *
   * @param named The object, or its locator: `kind.group:namespace/name`.
   * @param change Returns the object after the change.
   * @returns The object as stored.
   */
  update(named: NamedObject, change: ObjectChange): ServerObject;
  /** Deletes objects, which may be named by their locators. Those with finalizers stay until someone removes these. */
  delete(...named: readonly NamedObject[]): void;
  /** Returns the present object, by its locator or by the object that was created; `undefined` if it does not exist. */
  get(named: NamedObject): ServerObject | undefined;
  /** Returns the objects of a kind. */
  list(kind: GroupKind): readonly ServerObject[];

  /** Serves another kind from now on, as when its CustomResourceDefinition is created. */
  install(kind: FakeKind | KubernetesObject): void;
  /** Serves a kind no more: its definition, all its objects and its watches go. */
  uninstall(kind: GroupKind): void;

  /** Refuses requests with 403. Watches that are open go on, as they do in a cluster. */
  forbid(pattern: RequestPattern): void;
  /** Takes a prohibition back, or all of them. */
  allow(pattern?: RequestPattern): void;
  /** Lets in the bearers of these tokens, and refuses all others with 401. */
  setTokens(tokens: Readonly<Record<string, string>>): void;

  /** Adds faults. Returns a function that removes them. */
  addFaults(...faults: readonly Fault[]): () => void;
  /** Forgets the past: watches from before, and pages of lists from before, get 410. */
  compact(): void;
  /** Breaks the connections of watches that are open. Default: of all of them. */
  disconnect(pattern?: RequestPattern): void;
  /** Breaks all connections, and refuses further ones until `start`. */
  stop(): void;
  /** Takes requests again. The past is forgotten, because the cache of watches begins with the present. */
  start(): void;
  /** Stops and starts the server. */
  restart(): void;

  /** The `resourceVersion` of the last write. */
  readonly resourceVersion: string;
  /** The requests so far, in their order. */
  readonly requests: readonly AuditEntry[];
}

/**
 * Creates a Kubernetes API server for tests. It speaks discovery, LIST, WATCH, GET, POST, PUT, PATCH and DELETE as the real one does.
 *
 * @param options The clock and the kinds. Default: the clock of the machine, and the built-in kinds.
 * @returns The server.
 * @example
 * ```ts
 * const server = createFakeApiServer({ clock: createFakeClock(), kinds: [...gatewayApi(), TimeoutPolicy] });
 * server.addFaults({ at: 'watch httproutes', after: 3, do: 'drop' });
 * ```
 */
export function createFakeApiServer(options: FakeApiServerOptions = {}): FakeApiServer {
  const { clock = machineClock, watchLists = true, tokens } = options;
  const store = new Store(1);
  const kinds = new KindTable(store, (removed) =>
    server.endWatches(({ kind }) => resourceKey(kind) === resourceKey(removed)),
  );
  let objects = 0;
  const cluster: Cluster = {
    clock,
    store,
    kinds,
    watchLists,
    newUid() {
      objects += 1;
      return `00000000-0000-4000-8000-${objects.toString(16).padStart(12, '0')}`;
    },
    send: (stream, request, type, json) => server.send(stream, request, type, json),
  };
  const server = new Server(cluster, new Access(tokens));
  const fake = fakeOf(cluster, server);
  for (const name of options.namespaces ?? ['default'])
    fake.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const kind of options.kinds ?? []) if (!isBuiltIn(kind)) fake.install(kind);
  fake.create(...(options.objects ?? []));
  fake.addFaults(...(options.faults ?? []));
  return fake;
}

function fakeOf(cluster: Cluster, server: Server): FakeApiServer {
  const { store, kinds } = cluster;
  const administrator = new Administrator(cluster);
  const handle = server.handle.bind(server);
  const fake: FakeApiServer = {
    transport: memoryTransport(handle),
    listen: (): Promise<HttpServer> => listen(handle),
    create: (...each) => each.map((object) => administrator.create(object)),
    update: (named, change) => administrator.update(named, change),
    delete(...named) {
      for (const each of named) administrator.delete(each);
    },
    get: (named) => administrator.get(named),
    list: (kind) => administrator.list(kind),
    install(kind) {
      administrator.create('metadata' in kind ? kind : definitionOf(kind));
    },
    uninstall(groupKind) {
      const kind = kinds.named(groupKind);
      if (!kind?.isCustom)
        throw new Error(`${groupKind.kind} lacks a CustomResourceDefinition; uninstall only kinds that you installed`);
      administrator.delete(`customresourcedefinition.apiextensions.k8s.io:${resourceKey(kind)}`);
    },
    forbid: (pattern) => server.access.forbid(pattern),
    allow: (pattern) => server.access.allow(pattern),
    setTokens: (renewed) => server.access.setTokens(renewed),
    addFaults: (...faults) => server.faults.add(faults),
    compact: () => store.compact(),
    disconnect: (pattern = '*') => server.breakWatches((request) => matchesPattern(pattern, subjectOf(request))),
    stop: () => server.stop(),
    start() {
      store.compact();
      server.start();
    },
    restart() {
      fake.stop();
      fake.start();
    },
    get resourceVersion() {
      return String(store.revision);
    },
    requests: server.log,
  };
  return fake;
}

function isBuiltIn(kind: FakeKind | KubernetesObject): boolean {
  return 'group' in kind && builtInKinds.some((each) => each.group === kind.group && each.kind === kind.kind);
}
