import type { Fault } from '@policy-machinery/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { route, routeLocator } from '../source/world.fixture.ts';
import { createGate, createWriting } from './writing.fixture.ts';

interface Writing extends Awaited<ReturnType<typeof createWriting>> {
  readonly gate: ReturnType<typeof createGate>;
  /** Removes the faults. */
  readonly mended: (() => void)[];
}
type Step = (writing: Writing) => Promise<void> | void;

const all = ['a', 'b', 'c'];
const names = fc.constantFrom(...all);

const wishes: fc.Arbitrary<Step> = fc.tuple(names, fc.nat(100), fc.constantFrom<(0 | 3)[]>(0, 3)).map(
  ([name, attempt, priority]) =>
    ({ want }) =>
      want(name, { attempt }, priority),
);

const others: fc.Arbitrary<Step> = fc.tuple(names, fc.nat(100)).map(
  ([name, port]) =>
    ({ server }) =>
      void server.update(routeLocator(name), (each) => ({ ...each, spec: { port } })),
);

const actions: fc.Arbitrary<Fault['do']> = fc.constantFrom<Fault['do'][]>(
  'refuse',
  'drop',
  'halfOpen',
  { status: 409, reason: 'Conflict' },
  { status: 422 },
  { status: 429, retryAfter: 3 },
  { status: 500 },
  { status: 403 },
  { status: 404 },
  { status: 404, text: '404 page not found\n' },
  { status: 413, text: '<html></html>' },
  { status: 200, text: '{}' },
  { delay: 3000 },
);

const faults: fc.Arbitrary<Step> = fc
  .record({
    at: fc.constantFrom('patch httproutes', 'get httproutes', 'watch httproutes', '*'),
    do: actions,
    times: fc.integer({ min: 1, max: 3 }),
  })
  .map(
    (fault) =>
      ({ server, mended }) =>
        void mended.push(server.addFaults(fault)),
  );

const outages: fc.Arbitrary<Step> = fc.constantFrom<Step[]>(
  ({ server }) => server.stop(),
  ({ server }) => server.start(),
  ({ server }) => server.disconnect(),
  ({ gate }) => gate.set(false),
  ({ gate }) => gate.set(true),
);

const waits: fc.Arbitrary<Step> = fc.constantFrom(0, 10, 700, 5000, 60_000).map(
  (ms) =>
    ({ settle }) =>
      settle(ms),
);

const steps = fc.array(fc.oneof({ weight: 2, arbitrary: wishes }, others, faults, outages, waits), {
  minLength: 10,
  maxLength: 30,
});

describe('a writer', () => {
  it('writes the last plan in the end, after any faults, with one request for each object at a time', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const gate = createGate();
        const inFlight = new Map<string, number>();
        let most = 0;
        const writing = await createWriting(
          {
            objects: all.map((name) => route(name)),
            through: (transport) => ({
              async request(request) {
                const { method, path } = request;
                if (method !== 'PATCH') return transport.request(request);
                expect(gate.isHeld()).toBe(true);
                inFlight.set(path, (inFlight.get(path) ?? 0) + 1);
                most = Math.max(most, inFlight.get(path) ?? 0);
                return transport.request(request).finally(() => inFlight.set(path, (inFlight.get(path) ?? 0) - 1));
              },
            }),
          },
          { gate },
        );
        const mended: (() => void)[] = [];
        for (const step of script) await step({ ...writing, gate, mended });
        for (const mend of mended) mend();
        writing.server.start();
        gate.set(true);
        await writing.settle(900_000);
        // Writes that were refused or dropped after 404 wait for another plan.
        for (const name of all) writing.want(name, { attempt: 'last' });
        await writing.settle(900_000);
        expect(all.map((name) => writing.statusOf(name))).toEqual(all.map(() => ({ attempt: 'last' })));
        expect(writing.writer.queued + writing.writer.sending).toBe(0);
        expect(most).toBeLessThanOrEqual(1);
        writing.writer.close();
        writing.sources.close();
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 40) },
    );
  });
});
