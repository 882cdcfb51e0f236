import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A load balancer that passes bytes on, and resets each connection above its limit. */
export interface LimitedConnections {
  readonly port: number;
  /** The most connections at a time. */
  limit: number;
  /** The most connections that were open at the same time. */
  readonly most: number;
  close(): void;
}

/** Starts a load balancer in front of a port of this machine. */
export async function limitConnections(target: number, limit: number): Promise<LimitedConnections> {
  const open = new Set<Socket>();
  const state = { limit, most: 0 };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (open.size >= state.limit) return void socket.resetAndDestroy();
    open.add(socket);
    state.most = Math.max(state.most, open.size);
    const beyond = connect(target, '127.0.0.1');
    beyond.on('error', () => {});
    beyond.on('close', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      beyond.destroy();
    });
    socket.pipe(beyond).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return Object.assign(state, { port, close });
}
