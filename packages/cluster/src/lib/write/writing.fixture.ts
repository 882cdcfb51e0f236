import {
  createWriter,
  type ObjectWrite,
  type WriteOutcome,
  type WriterOptions,
  type WriteSources,
} from '../../index.ts';
import { createWorld, HTTPRoute, routeLocator, type WorldOptions } from '../source/world.fixture.ts';

/** Returns the write that gives a route of the sources a status; `undefined` if it has that status. */
export function statusWrite(sources: WriteSources, name: string, status: object): ObjectWrite | undefined {
  const locator = routeLocator(name);
  const route = sources.get(locator);
  if (route === undefined || JSON.stringify(route.status) === JSON.stringify(status)) return undefined;
  const { resourceVersion = '' } = route.metadata;
  return {
    ref: { ...HTTPRoute, namespace: 'shop', name },
    locator,
    subresource: 'status',
    patch: [
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
      { op: 'add', path: '/status', value: status },
    ],
    apply: {
      apiVersion: route.apiVersion,
      kind: 'HTTPRoute',
      metadata: { name, namespace: 'shop' },
      status: { ...status },
    },
  };
}

/** Returns a gate that a test opens and closes. */
export function createGate(isOpen = true) {
  const listeners = new Set<() => void>();
  let isHeld = isOpen;
  return {
    isHeld: () => isHeld,
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(open: boolean) {
      isHeld = open;
      for (const listener of listeners) listener();
    },
  };
}

/** Returns a synced world with a controller that keeps a status on each route. */
export async function createWriting(
  worldOptions: WorldOptions = {},
  writerOptions: Partial<WriterOptions<ObjectWrite>> = {},
) {
  const world = createWorld({ watch: [HTTPRoute], ...worldOptions });
  await world.settle();
  const { sources, server, clock } = world;
  const wanted = new Map<string, object>();
  const outcomes: WriteOutcome[] = [];
  const replanned: string[] = [];
  const plan = (name: string, priority?: 0 | 1 | 2 | 3) => {
    const write = statusWrite(sources, name, wanted.get(name) ?? {});
    if (write === undefined) writer.cancel(routeLocator(name));
    else writer.write(write, priority);
  };
  const writer = createWriter(world.transport, {
    sources,
    fieldManager: 'test',
    clock,
    random: () => 0.5,
    rate: { perSecond: 1000, burst: 1000 },
    planAgain({ ref: { name } }) {
      replanned.push(name);
      plan(name);
    },
    onOutcome: (outcome) => outcomes.push(outcome),
    ...writerOptions,
  });
  return {
    ...world,
    writer,
    outcomes,
    replanned,
    /** Sets the desired status, and plans the write. */
    want(name: string, status: object, priority?: 0 | 1 | 2 | 3) {
      wanted.set(name, status);
      plan(name, priority);
    },
    /** The status that the server has. */
    statusOf: (name: string) => server.get(routeLocator(name))?.status,
    /** The writes that the server has got. */
    writes: () => server.requests.filter(({ method }) => method === 'PATCH'),
    results: () => outcomes.map(({ result }) => result),
  };
}
