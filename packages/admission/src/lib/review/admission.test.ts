import type { Labels, Meter } from '@policy-machinery/observability';
import { describe, expect, it, vi } from 'vitest';
import { createAdmission, webhookPath } from '../../index.ts';
import { gateway, httpRoute, LonelyPolicy, policy, reviewOf, TimeoutPolicy, world } from './world.fixture.ts';

const edge = gateway('edge');
const cart = httpRoute('cart', { parents: ['edge'] });
const strict = policy(TimeoutPolicy, 'strict', { on: edge, spec: { overrides: { strategy: 'patch', idle: '1s' } } });
const mine = policy(TimeoutPolicy, 'mine', { on: cart, spec: { idle: '9s' } });
const overridden = 'Overridden in all scopes. shop/strict replaces it (Patch overrides).';
const allowed = (...warnings: readonly string[]) => ({ uid: 'u-1', allowed: true, warnings });

/** A meter that keeps counts by name and labels. */
function countingMeter() {
  const counts: Record<string, number> = {};
  const readings: (() => Iterable<readonly [Labels, number]>)[] = [];
  const keyOf = (name: string, labels: Labels) => `${name}{${Object.values(labels).join(',')}}`;
  const meter: Meter = {
    counter: ({ name }) => ({
      add: (labels, value = 1) => {
        counts[keyOf(name, labels)] = (counts[keyOf(name, labels)] ?? 0) + value;
      },
    }),
    gauge: ({ name }) => ({
      observe: (read) => {
        readings.push(() => Array.from(read(), ([labels, value]) => [{ name: keyOf(name, labels) }, value] as const));
        return () => {};
      },
    }),
    histogram: ({ name }) => ({
      record: (labels) => {
        counts[keyOf(name, labels)] = 1;
      },
    }),
  };
  return { meter, counts, gauges: () => readings.flatMap((read) => [...read()]) };
}

describe('the review of an admission webhook', () => {
  it('warns of the effects of a change, and allows it', async () => {
    const admission = createAdmission({ views: world(TimeoutPolicy, strict).views });
    expect((await admission.review(reviewOf(mine))).response).toEqual(allowed(overridden));
    expect((await admission.review(reviewOf(gateway('other')))).response).toEqual({ uid: 'u-1', allowed: true });
  });

  it('follows changes', async () => {
    const { topology, views } = world(TimeoutPolicy, strict);
    const admission = createAdmission({ views });
    await admission.warmUp();
    topology.apply({ remove: [strict] });
    expect((await admission.review(reviewOf(mine))).response).toEqual({ uid: 'u-1', allowed: true });
    topology.apply({ upsert: [strict] });
    expect((await admission.review(reviewOf(mine))).response).toEqual(allowed(overridden));
  });

  it('refuses a conflict only with refuse: conflicts, and names the remedy', async () => {
    const [first, second] = ['first', 'second'].map((name) =>
      policy(LonelyPolicy, name, { on: edge, spec: { idle: '1s' } }),
    );
    if (first === undefined || second === undefined) throw new Error('there are two');
    const { views } = world(LonelyPolicy, first);
    const conflict = 'Conflicts with another policy. shop/first stays: it is older (None).';
    expect((await createAdmission({ views }).review(reviewOf(second))).response).toEqual(allowed(conflict));
    const { response } = await createAdmission({ views, refuse: 'conflicts' }).review(reviewOf(second));
    expect(response).toMatchObject({
      allowed: false,
      status: {
        code: 403,
        message: `${conflict} Name another target, or change the other policy in place of this one.`,
      },
    });
  });

  it('allows everything with one warning until all objects are known', async () => {
    let isReady = false;
    const admission = createAdmission({ views: world(TimeoutPolicy, strict).views, isReady: () => isReady });
    expect((await admission.review(reviewOf(mine))).response).toEqual(
      allowed('This change was not reviewed: the webhook is starting, and does not know all objects yet.'),
    );
    isReady = true;
    expect((await admission.review(reviewOf(mine))).response).toEqual(allowed(overridden));
  });

  it('allows a change with one warning if the time is short, and computes the rest in the meantime', async () => {
    const admission = createAdmission({ views: world(TimeoutPolicy, strict).views, timeout: 0 });
    const late = 'This change was not reviewed: the webhook is still computing the effects of earlier changes.';
    expect((await admission.review(reviewOf(mine))).response).toEqual(allowed(late));
    await admission.warmUp();
    expect((await admission.review(reviewOf(mine))).response).toEqual(allowed(overridden));
  });

  it('allows at once, with one warning, a change that has waited too long behind others', async () => {
    const admission = createAdmission({ views: world(TimeoutPolicy, strict).views, timeout: 1000 });
    await admission.warmUp();
    const busy = 'This change was not reviewed: the webhook has more changes to review than it has time for.';
    const review = async () => (await admission.review(reviewOf(mine))).response;
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const early = [review(), review()];
      vi.advanceTimersByTime(600);
      const later = review();
      vi.advanceTimersByTime(600);
      expect(await Promise.all([...early, later])).toEqual([allowed(overridden), allowed(busy), allowed(overridden)]);
      expect(await review()).toEqual(allowed(overridden));
    } finally {
      vi.useRealTimers();
    }
  });

  it('lets other requests arrive between two reviews', async () => {
    const admission = createAdmission({ views: world(TimeoutPolicy, strict).views });
    await admission.warmUp();
    const events: string[] = [];
    setImmediate(() => events.push('other work'));
    const review = async () => void events.push(`${(await admission.review(reviewOf(mine))).response.uid}`);
    await Promise.all([review(), review()]);
    expect(events).toEqual(['u-1', 'other work', 'u-1']);
  });

  it('allows with one warning where it fails, and passes the error on', async () => {
    const { views } = world(TimeoutPolicy, strict);
    const broken = { ...mine, get spec(): never { throw new Error('no entry'); } }; // biome-ignore format: one line
    const errors: unknown[] = [];
    const isReady = (): never => {
      throw new Error('no answer');
    };
    const admission = createAdmission({ views, isReady, onError: (error) => errors.push(error) });
    expect((await admission.review(reviewOf(mine))).response).toEqual(
      allowed('This change was not reviewed: the webhook has failed; see its log.'),
    );
    expect(errors).toEqual([new Error('no answer')]);
    const reviewing = createAdmission({ views });
    expect((await reviewing.review(reviewOf(broken))).response.allowed).toBe(true);
    expect((await reviewing.review(reviewOf(mine))).response).toEqual(allowed(overridden));
  });

  it('rejects anything but an AdmissionReview of v1', async () => {
    const admission = createAdmission({ views: world().views });
    const review = { ...reviewOf(mine), apiVersion: 'admission.k8s.io/v1beta1' };
    await expect(admission.review(review)).rejects.toMatchObject({ code: 'invalid-admission-review' });
  });

  it('counts reviews by kind, operation and result', async () => {
    const { meter, counts } = countingMeter();
    let isReady = false;
    const { views } = world(TimeoutPolicy, strict);
    const admission = createAdmission({ views, metrics: meter, isReady: () => isReady });
    await admission.review(reviewOf(mine));
    isReady = true;
    await admission.review(reviewOf(mine, { operation: 'UPDATE' }));
    await admission.review(reviewOf({ apiVersion: 'made.up/v1', kind: 'Nonsense', metadata: { name: 'x' } }));
    expect(counts).toEqual({
      'policy_machinery_admission_reviews_total{timeoutpolicy.example.com,CREATE,unready}': 1,
      'policy_machinery_admission_reviews_total{timeoutpolicy.example.com,UPDATE,warned}': 1,
      'policy_machinery_admission_reviews_total{other,CREATE,allowed}': 1,
    });
  });
});

describe('the fetch of an admission webhook', () => {
  const path = webhookPath(TimeoutPolicy as typeof TimeoutPolicy & { versions: readonly string[] });
  const headers = { 'content-type': 'application/json' };
  const post = (body: string, more: RequestInit & { readonly at?: string } = {}) =>
    new Request(`https://webhook${more.at ?? path}`, { method: 'POST', headers, body, ...more });
  const { views } = world(TimeoutPolicy, strict);
  const admission = createAdmission({ views, maxBytes: 2000, senders: 'api-server' });

  it('answers at the path of a kind, also below another path', async () => {
    for (const at of [
      '/validate-example-com-v1-timeoutpolicy',
      '/webhooks/validate-example-com-v1-timeoutpolicy?timeout=2s',
    ]) {
      const response = await admission.fetch(post(JSON.stringify(reviewOf(mine)), { at }));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await response.json()).toMatchObject({ kind: 'AdmissionReview', response: allowed(overridden) });
    }
  });

  const large = JSON.stringify(reviewOf({ ...mine, padding: 'x'.repeat(2000) } as typeof mine));
  it.each([
    ['another path', post('{}', { at: '/validate-me' }), 404, /has the path \/validate-me/],
    ['another method', new Request(`https://webhook${path}`), 405, /send a POST/],
    ['another type', post('{}', { headers: { 'content-type': 'text/plain' } }), 415, /application\/json/],
    ['a large body', post(large), 413, /larger than 2000 bytes/],
    [
      'a body that says that it is large',
      post('{}', { headers: { ...headers, 'content-length': '9999' } }),
      413,
      /2000/,
    ],
    ['what is no JSON', post('{'), 400, /JSON/],
    ['what is no AdmissionReview', post('{"kind":"Pod"}'), 400, /must be an AdmissionReview/],
    ['a review without a uid', post('{"kind":"AdmissionReview","request":{}}'), 400, /must have a uid/],
    [
      'a review of another version',
      post(JSON.stringify({ ...reviewOf(mine), apiVersion: 'admission.k8s.io/v1beta1' })),
      400,
      /admissionReviewVersions/,
    ],
  ])('refuses %s', async (_what, request, status, message) => {
    const response = await admission.fetch(request);
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(message)]);
  });

  it('reads no more of a body than it may', async () => {
    let chunks = 0;
    const body = new ReadableStream({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new TextEncoder().encode(' '.repeat(1000)));
      },
    });
    const request = new Request(`https://webhook${path}`, { method: 'POST', headers, body, duplex: 'half' });
    expect((await admission.fetch(request)).status).toBe(413);
    expect(chunks).toBeLessThan(10);
  });

  const hidden = 'This change has 1 effect on policies, or of policies on it (names only for the API server).';
  it.each([
    ['nothing is known of the sender', {}, undefined, hidden],
    ['the sender has proved nothing', {}, { isApiServer: false }, hidden],
    ['the sender has proved to be the API server', {}, { isApiServer: true }, overridden],
    ['only the API server can send', { senders: 'api-server' }, undefined, overridden],
  ] as const)('names policies or not, if %s', async (_what, options, sender, warning) => {
    const asked = createAdmission({ views, ...options });
    const response = await asked.fetch(post(JSON.stringify(reviewOf(mine))), sender);
    expect(await response.json()).toMatchObject({ response: allowed(warning) });
  });

  it('says to anyone that a change is refused, or was not reviewed, without names', async () => {
    const on = (name: string) => policy(LonelyPolicy, name, { on: edge, spec: { idle: '1s' } });
    const lonely = createAdmission({ views: world(LonelyPolicy, on('first')).views, refuse: 'conflicts' });
    const refused = await lonely.fetch(post(JSON.stringify(reviewOf(on('second')))));
    const status = { code: 403, message: 'The policy would be in conflict with another one.' };
    expect(await refused.json()).toMatchObject({ response: { allowed: false, status } });
    const starting = createAdmission({ views, isReady: () => false });
    const unready = await starting.fetch(post(JSON.stringify(reviewOf(mine))));
    expect(await unready.text()).toContain('does not know all objects yet');
  });

  it('answers small requests while large ones arrive, and limits the total bytes of bodies', async () => {
    const limited = createAdmission({ views, maxBytes: 100_000, maxTotalBytes: 150_000 });
    const arriving = Array.from({ length: 3 }, () => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const response = limited.fetch(post('', { body: readable, duplex: 'half' } as RequestInit));
      return { writer: writable.getWriter(), response };
    });
    for (const { writer } of arriving) writer.write(new Uint8Array(60_000)).catch(() => {});
    const refused = await Promise.race(arriving.map(({ response }) => response));
    expect([refused.status, await refused.text()]).toEqual([503, 'too many large bodies arrive at once\n']);
    const small = await limited.fetch(post(JSON.stringify(reviewOf(mine))));
    expect(small.status).toBe(200);
    for (const { writer } of arriving) writer.abort().catch(() => {});
    await Promise.all(arriving.map(({ response }) => response));
    const whole = JSON.stringify(reviewOf({ ...mine, padding: 'x'.repeat(90_000) } as typeof mine));
    expect((await limited.fetch(post(whole))).status).toBe(200);
  });

  it('counts requests, and those under way', async () => {
    const { meter, counts, gauges } = countingMeter();
    const counting = createAdmission({ views: world(TimeoutPolicy, strict).views, metrics: meter });
    const response = counting.fetch(post(JSON.stringify(reviewOf(mine))));
    const inFlight = `controller_runtime_webhook_requests_in_flight{${path}}`;
    expect(gauges()).toEqual([[{ name: inFlight }, 1]]);
    await response;
    await counting.fetch(post('{}', { at: '/made-up' }));
    expect(gauges()).toEqual([[{ name: inFlight }, 0]]);
    expect(counts).toMatchObject({
      [`controller_runtime_webhook_requests_total{${path},200}`]: 1,
      [`controller_runtime_webhook_latency_seconds{${path}}`]: 1,
    });
    expect(Object.keys(counts)).toHaveLength(3);
  });
});
