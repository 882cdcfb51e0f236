import { createFakeApiServer, createFakeClock } from '@policy-machinery/testing';
import { joinShards, type Transport } from '../../index.ts';
import { sleep } from '../../inner.ts';
import { stoppable } from './stoppable.fixture.ts';

/** Returns an API server with functions to run members that share keys. */
export function createMembers() {
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock, namespaces: ['policies'] });
  const errors: unknown[] = [];
  /** Starts a member. */
  const join = (identity: string) => {
    let isCut = false;
    let delay = 0;
    const process = stoppable(clock, server.transport);
    const transport: Transport = {
      async request(request) {
        if (isCut) {
          return new Promise((_, reject) =>
            request.signal?.addEventListener('abort', () => reject(request.signal?.reason)),
          );
        }
        const response = await process.transport.request(request);
        if (delay > 0) await sleep(process.clock, delay, request.signal);
        return response;
      },
    };
    const shard = joinShards(transport, {
      namespace: 'policies',
      name: 'timeouts',
      identity,
      clock: process.clock,
      random: () => 0.5,
      onError: (error) => errors.push(error),
    });
    return {
      identity,
      shard,
      /** Whether the process runs, so that it can act. */
      get runs() {
        return process.runs;
      },
      /** Cuts the member off from the API server, as if its node had no network. */
      cut(isCutNow: boolean) {
        isCut = isCutNow;
      },
      /** Has each answer of the API server arrive so late, in milliseconds. */
      slow(ms: number) {
        delay = ms;
      },
      stop: process.stop,
      goOn: process.goOn,
    };
  };
  return { clock, server, errors, join };
}

export type Member = ReturnType<ReturnType<typeof createMembers>['join']>;

const keys = Array.from({ length: 40 }, (_, index) => `gateway.gateway.networking.k8s.io:shop/edge-${index}`);

/** Returns the owners of each key, among the processes that run. */
export function ownersOf(members: readonly Member[]): readonly (readonly string[])[] {
  return keys.map((key) =>
    members.filter(({ runs, shard }) => runs && shard.owns(key)).map(({ identity }) => identity),
  );
}
