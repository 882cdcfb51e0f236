import { createFakeApiServer, createFakeClock } from '@policy-machinery/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { kubectl, startProxy } from '../cluster.ts';
import { httpTransport } from '../http-transport.ts';
import { differences } from './differences.ts';
import { normalise } from './normalise.ts';
import { type RecordedAnswer, run } from './run.ts';
import { script } from './script.ts';
import { namespace, widgetDefinition } from './widgets.ts';

type Answers = ReadonlyMap<string, RecordedAnswer>;

const cluster = inject('cluster');

async function askReal(): Promise<Answers> {
  await cleanUp();
  await kubectl(cluster, ['create', '-f', '-'], JSON.stringify(widgetDefinition));
  await kubectl(cluster, ['wait', '--for=condition=Established', `crd/${widgetDefinition.metadata.name}`]);
  const proxy = await startProxy(cluster);
  try {
    return normalise(await run(httpTransport(proxy.url), script));
  } finally {
    await proxy.close();
  }
}

async function cleanUp(): Promise<void> {
  await kubectl(cluster, [
    'delete',
    '--ignore-not-found',
    `namespace/${namespace}`,
    `crd/${widgetDefinition.metadata.name}`,
  ]);
}

async function askFake(): Promise<Answers> {
  const clock = createFakeClock();
  const server = createFakeApiServer({ clock });
  server.install(widgetDefinition);
  server.compact();
  // Time passes as it does for the real server, since watches end after theirs.
  const ticking = setInterval(() => clock.advance(1000), 50);
  const { url, close } = await server.listen();
  try {
    return normalise(await run(httpTransport(url), script));
  } finally {
    clearInterval(ticking);
    await close();
  }
}

let [real, fake]: [Answers, Answers] = [new Map(), new Map()];

beforeAll(async () => {
  [real, fake] = await Promise.all([askReal(), askFake()]);
});
afterAll(cleanUp);

describe('the fake API server answers as the real one', () => {
  it.each(script.map(({ name }) => name).filter((name) => !Object.hasOwn(differences, name)))('when %s', (name) => {
    expect(fake.get(name)).toEqual(real.get(name));
  });
});

describe('the fake API server differs from the real one, for a reason', () => {
  it.each(Object.entries(differences))('when %s: %s', (name) => {
    expect(real.get(name)).toBeDefined();
    expect(fake.get(name)).not.toEqual(real.get(name));
  });
});
