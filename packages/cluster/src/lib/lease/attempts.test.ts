import { createFakeClock } from '@policy-machinery/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { StatusError } from '../transport/status-error.ts';
import { TransportError } from '../transport/transport.ts';
import { Attempts, type LeaseFault } from './attempts.ts';

const renewDeadline = 10_000;

let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

/** Attempts every 2 s. Returns the attempts, and a function that makes all further attempts end in some way. */
function attempting() {
  const clock = createFakeClock();
  const attempts = new Attempts({ clock, renewDeadline, onError: () => {} });
  let attempt = (): Promise<void> => Promise.resolve();
  void attempts.run(
    () => attempt(),
    () => 2000,
    stopping.signal,
  );
  return {
    attempts,
    clock,
    async endAs(next: () => Promise<void>, ms: number) {
      attempt = next;
      await clock.advance(ms);
    },
  };
}

const failWith = (error: unknown) => () => Promise.reject(error);
const succeed = () => Promise.resolve();
const unanswered = new TransportError('ECONNREFUSED', 'connect ECONNREFUSED');
const refused = new StatusError(401, 'Unauthorized', '401 Unauthorized');

describe('the fault of a lease', () => {
  it.each<[LeaseFault['cause'], unknown]>([
    ['api-server', unanswered],
    ['api-server', new TransportError('ETIMEDOUT', 'no answer')],
    ['api-server', new TransportError('CERT_HAS_EXPIRED', 'certificate has expired')],
    ['api-server', new StatusError(500, 'InternalError', '500')],
    ['api-server', new StatusError(429, 'TooManyRequests', '429')],
    ['api-server', new StatusError(403, 'Forbidden', '403')],
    ['api-server', new StatusError(404, 'NotFound', '404')],
    ['credentials', refused],
    ['credentials', new TransportError('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate')],
    ['credentials', new TransportError('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain')],
    ['process', new TransportError('EMFILE', 'too many open files')],
  ])('is in the %s: %s', async (cause, error) => {
    const { attempts, endAs } = attempting();
    expect(attempts.fault).toBeUndefined();
    await endAs(failWith(error), 20_000);
    expect(attempts.fault).toEqual({ cause, message: (error as Error).message, lasts: 18_000 });
    await endAs(succeed, 2000);
    expect(attempts.fault).toBeUndefined();
  });

  it('lasts from the first failure for such a reason: an outage before does not count', async () => {
    const { attempts, endAs } = attempting();
    await endAs(failWith(unanswered), 600_000);
    await endAs(failWith(refused), 10_000);
    expect(attempts.fault).toMatchObject({ cause: 'credentials', lasts: 8000 });
  });

  it('is in the process if an attempt does not end, until it does', async () => {
    const { attempts, clock, endAs } = attempting();
    let end = () => {};
    const hang = () =>
      new Promise<void>((resolve) => {
        end = resolve;
      });
    await endAs(hang, 5 * renewDeadline - 1000);
    expect(attempts.fault).toBeUndefined();
    await clock.advance(10_000);
    expect(attempts.fault).toEqual({ cause: 'process', message: 'an attempt does not end', lasts: 59_000 });
    end();
    await endAs(succeed, 0);
    expect(attempts.fault).toBeUndefined();
  });
});
