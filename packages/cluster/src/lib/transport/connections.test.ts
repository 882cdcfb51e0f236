import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { httpTransport } from './http-transport.ts';
import { type Answer, type RawServer, startRawServer } from './raw-server.fixture.ts';
import { type Transport, TransportError } from './transport.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface World {
  readonly server: RawServer;
  readonly transport: Transport;
}

async function createWorld(answer: Answer): Promise<World> {
  const server = await startRawServer(answer);
  const transport = httpTransport({ server: server.url });
  closing.push(server.close, () => transport.close?.());
  return { server, transport };
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** Collects requests until as many have arrived as are expected. Their answers come later. */
function createGate(count: number) {
  const waiting: Socket[] = [];
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const add = (socket: Socket) => {
    if (waiting.push(socket) === count) open();
  };
  return { add, opened, answer: () => waiting.splice(0).map((socket) => socket.write(ok)) };
}

async function get(transport: Transport, path: string, signal?: AbortSignal): Promise<number> {
  const response = await transport.request({ method: 'GET', path, ...(signal && { signal }) });
  await response.text();
  return response.status;
}

/** Sends requests that are in flight at the same time, and resolves when all have been answered. */
async function fill(world: World, gate: ReturnType<typeof createGate>, count: number): Promise<void> {
  const requests = Array.from({ length: count }, () => get(world.transport, '/held'));
  await gate.opened;
  gate.answer();
  await Promise.all(requests);
}

/** The reason of a deadline. */
const timeout = () => new TransportError('ETIMEDOUT', 'GET /silent: no answer within 30 s');

describe('connections', () => {
  it('carry a request for the lease while ten writes wait for their answers', async () => {
    const gate = createGate(10);
    const { transport } = await createWorld((socket, target, missing) => {
      if (missing === undefined) target === '/hangs' ? gate.add(socket) : socket.write(ok);
    });
    const writes = Array.from({ length: 10 }, () => transport.request({ method: 'PATCH', path: '/hangs', body: '{}' }));
    await gate.opened;
    expect((await transport.request({ method: 'PUT', path: '/lease', body: '{}' })).status).toBe(200);
    gate.answer();
    await Promise.all(writes);
  });

  it('are kept for later requests, at most 16 of them', async () => {
    const gate = createGate(40);
    const world = await createWorld((socket, target, missing) => {
      if (missing === undefined) target === '/held' ? gate.add(socket) : socket.write(ok);
    });
    const closed: unknown[] = [];
    const requests = fill(world, gate, 40);
    await gate.opened;
    const surplus = new Promise<void>((resolve) => {
      for (const { socket } of world.server.connections) {
        socket.once('close', () => closed.push(socket) === 24 && resolve());
      }
    });
    await requests;
    await surplus;
    await Promise.all(Array.from({ length: 16 }, () => get(world.transport, '/next')));
    expect([world.server.connections.length, closed.length]).toEqual([40, 24]);
  });

  it('are shared by watches and other requests, one after the other', async () => {
    const { server, transport } = await createWorld((socket, _, missing) => {
      if (missing === undefined) socket.write(ok);
    });
    for (const query of [{}, { watch: 'true' }, {}, { watch: '1' }]) {
      await (await transport.request({ method: 'GET', path: '/api/v1/pods', query })).text();
    }
    expect(server.connections).toHaveLength(1);
  });

  it('are closed when bytes arrive on them that no request has asked for', async () => {
    const { server, transport } = await createWorld((socket, target, missing) => {
      if (missing === undefined) socket.write(ok.replace('{}', target.slice(1, 3)));
    });
    await get(transport, '/1st');
    const [first] = server.connections;
    first?.socket.write(ok);
    if (first !== undefined) await once(first.socket, 'close');
    expect(await (await transport.request({ method: 'GET', path: '/2nd' })).text()).toBe('2n');
  });

  it('are closed when they are free while a request meets silence, because they may be as dead', async () => {
    const [held, silent] = [createGate(3), createGate(1)];
    const world = await createWorld((socket, target, missing) => {
      if (missing === undefined) (target === '/held' ? held : silent).add(socket);
    });
    await fill(world, held, 3);
    const ends = world.server.connections.map(({ socket }) => once(socket, 'close'));
    const controller = new AbortController();
    const request = get(world.transport, '/silent', controller.signal);
    const reason = timeout();
    await silent.opened;
    controller.abort(reason);
    await expect(request).rejects.toBe(reason);
    await Promise.all(ends);
  });
});

describe('a load balancer that limits connections', () => {
  const watch = (transport: Transport, path: string, signal?: AbortSignal) =>
    transport.request({ method: 'GET', path, query: { watch: '1' }, ...(signal && { signal }) });
  const beginning = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

  const ignore = () => {};

  /** Opens some watches, and returns the message of the failure of one more, which the load balancer receives or refuses. */
  const failureAfter = async (open: number, receive?: (socket: Socket) => void): Promise<string> => {
    const gate = createGate(1);
    const { server, transport } = await createWorld((socket, target, missing) => {
      if (missing !== undefined) return;
      if (target.startsWith('/allowed')) return void socket.write(beginning);
      receive?.(socket);
      gate.add(socket);
    });
    await Promise.all(Array.from({ length: open }, () => watch(transport, '/allowed')));
    if (receive === undefined) server.refuse();
    const controller = new AbortController();
    const failure = watch(transport, '/surplus', controller.signal).catch(String);
    if (receive !== undefined) await gate.opened;
    if (receive === ignore) controller.abort(timeout());
    return String(await failure);
  };

  it.each<[string, ((socket: Socket) => void) | undefined]>([
    ['refuses', undefined],
    ['closes', (socket) => void socket.end()],
    ['resets', (socket) => void socket.resetAndDestroy()],
    ['does not answer', ignore],
  ])('%s one more: the failure names the remedy if others are open', async (_, receive) => {
    expect(await failureAfter(10, receive)).toMatch(
      /; 10 other connections to this server are open: if a load balancer limits their number, raise the limit, or watch fewer kinds and namespaces$/,
    );
    expect(await failureAfter(0, receive)).not.toContain('load balancer');
  });
});
