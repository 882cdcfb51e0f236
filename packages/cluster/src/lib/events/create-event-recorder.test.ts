import { createFakeApiServer, createFakeClock } from '@policy-machinery/testing';
import { describe, expect, it } from 'vitest';
import { createEventRecorder, type EventDetails } from '../../index.ts';

const details: EventDetails = {
  regarding: {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'public', namespace: 'shop', uid: 'u-1' },
  },
  type: 'Warning',
  reason: 'StatusConflict',
  action: 'WriteStatus',
  note: 'traefik writes the same conditions',
};

function createWorld() {
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock, namespaces: ['shop'] });
  const errors: unknown[] = [];
  const recorder = createEventRecorder(server.transport, {
    reportingController: 'timeouts.example.com/controller',
    reportingInstance: 'timeouts-0',
    clock,
    onError: (error) => errors.push(error),
  });
  const events = () => server.list({ group: 'events.k8s.io', kind: 'Event' });
  return { clock, server, recorder, events, errors };
}

describe('createEventRecorder', () => {
  it('creates an event in the namespace of the object', async () => {
    const { recorder, events, errors } = createWorld();
    recorder.record(details);
    await recorder.flush();
    expect(errors).toEqual([]);
    expect(events()).toMatchObject([
      {
        metadata: { namespace: 'shop', name: expect.stringMatching(/^public\.[0-9a-f]{16}$/) },
        type: 'Warning',
        reason: 'StatusConflict',
        action: 'WriteStatus',
        note: 'traefik writes the same conditions',
        eventTime: '2026-01-01T00:00:00.000000Z',
        reportingController: 'timeouts.example.com/controller',
        reportingInstance: 'timeouts-0',
        regarding: { kind: 'Gateway', namespace: 'shop', name: 'public', uid: 'u-1' },
      },
    ]);
  });

  it('counts the same event within six minutes, and creates another one after that', async () => {
    const { recorder, events, clock } = createWorld();
    for (let times = 0; times < 3; times += 1) {
      recorder.record(details);
      await clock.advance(60_000);
    }
    recorder.record({ ...details, reason: 'Other' });
    await recorder.flush();
    expect(events().map(({ series }) => series)).toEqual(
      expect.arrayContaining([{ count: 3, lastObservedTime: '2026-01-01T00:02:00.000000Z' }, undefined]),
    );
    await clock.advance(360_000);
    recorder.record(details);
    await recorder.flush();
    expect(events()).toHaveLength(3);
  });

  it('sends at most 25 events about one object at once, then one every five minutes', async () => {
    const { recorder, events, clock } = createWorld();
    for (let index = 0; index < 100; index += 1) recorder.record({ ...details, note: `note ${index}` });
    recorder.record({
      ...details,
      regarding: { ...details.regarding, metadata: { name: 'other', namespace: 'shop' } },
    });
    await recorder.flush();
    expect(events()).toHaveLength(26);
    await clock.advance(300_000);
    for (let index = 0; index < 5; index += 1) recorder.record({ ...details, note: `later ${index}` });
    await recorder.flush();
    expect(events()).toHaveLength(27);
  });

  it('drops events while a thousand of them wait, and takes events again afterwards', async () => {
    const { recorder, events } = createWorld();
    const about = (name: string) => ({
      ...details,
      regarding: { ...details.regarding, metadata: { name, namespace: 'shop' } },
    });
    for (let index = 0; index < 1010; index += 1) recorder.record(about(`g${index}`));
    await recorder.flush();
    expect(events()).toHaveLength(1000);
    recorder.record(about('later'));
    await recorder.flush();
    expect(events()).toHaveLength(1001);
  });

  it('drops an event that the API server refuses, and continues', async () => {
    const { recorder, events, server, errors } = createWorld();
    server.addFaults({ at: 'create events', do: { status: 500 } });
    recorder.record(details);
    recorder.record({ ...details, reason: 'Other' });
    await recorder.flush();
    expect(errors).toHaveLength(1);
    expect(events()).toMatchObject([{ reason: 'Other' }]);
  });

  it('creates the event again when it has expired', async () => {
    const { recorder, events, server } = createWorld();
    recorder.record(details);
    await recorder.flush();
    const [{ metadata } = { metadata: { name: '' } }] = events();
    server.delete(`event.events.k8s.io:shop/${metadata.name}`);
    recorder.record(details);
    await recorder.flush();
    expect(events()).toHaveLength(1);
  });

  it('names the version of the object that the event is about, if it is known', async () => {
    const { recorder, events } = createWorld();
    const { metadata } = details.regarding;
    recorder.record({
      ...details,
      regarding: { ...details.regarding, metadata: { ...metadata, resourceVersion: '7' } },
    });
    recorder.record({ ...details, reason: 'Other' });
    await recorder.flush();
    const versionOf = (reason: string) => events().find((event) => event.reason === reason)?.regarding;
    expect(versionOf('StatusConflict')).toHaveProperty('resourceVersion', '7');
    expect(versionOf('Other')).not.toHaveProperty('resourceVersion');
  });

  it('creates the events about objects of the cluster in namespace "default"', async () => {
    const clock = createFakeClock();
    const server = createFakeApiServer({ clock, namespaces: ['default'] });
    const recorder = createEventRecorder(server.transport, {
      reportingController: 'timeouts.example.com/controller',
      clock,
    });
    const regarding = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name: 'public' },
    };
    recorder.record({ ...details, regarding });
    await recorder.flush();
    const [event] = server.list({ group: 'events.k8s.io', kind: 'Event' });
    expect(event?.metadata.namespace).toBe('default');
    expect(event?.regarding).toEqual({ apiVersion: regarding.apiVersion, kind: 'GatewayClass', name: 'public' });
  });

  it('cuts a note to the length that the API server accepts', async () => {
    const { recorder, events, errors } = createWorld();
    recorder.record({ ...details, note: 'ä'.repeat(2000) });
    await recorder.flush();
    expect(errors).toEqual([]);
    const note = String(events()[0]?.note);
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
    expect(note).toMatch(/^ä+…$/);
  });
});
