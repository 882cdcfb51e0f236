import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubernetesObject } from '@policy-machinery/resource';
import type { FakeApiServer } from '@policy-machinery/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCluster } from '../../../packages/cli/src/lib/cluster.fixture.ts';
import { cluster, runWith, type TestEnvironment } from '../../../packages/cli/src/lib/run.fixture.ts';
import { Chromium } from './chromium.ts';
import type { Tab } from './tab.ts';

const isLive = `document.documentElement.dataset.ready === 'true' && document.documentElement.dataset.live === 'live'`;

let chromium: Chromium;
let tab: Tab;
let end: AbortController;
let ended: Promise<unknown>;
let address: string;

beforeAll(() => {
  chromium = Chromium.start();
});
afterAll(() => chromium.close());
afterEach(async () => {
  const own = ['data', 'events'].map((path) => `asked for ${address}${path}`);
  expect(tab.faults.filter((fault) => !own.includes(fault))).toEqual([]);
  end.abort();
  await ended;
});

/** Starts `gwpolicy serve`, and opens its page. */
async function open(args: readonly string[], surroundings: TestEnvironment = {}): Promise<void> {
  end = new AbortController();
  const printed = new Promise<string>((resolve, reject) => {
    const run = runWith(['serve', ...args], { ...surroundings, signal: end.signal, onOutput: resolve });
    ended = run.then(({ stderr }) => reject(new Error(stderr)));
  });
  address = (await printed).trim();
  tab = await chromium.open();
  await tab.go(address, isLive);
}

const timeouts = (name: string, requestTimeout: string): KubernetesObject => ({
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'BackendTrafficPolicy',
  metadata: { name, namespace: 'shop' },
  spec: {
    targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'cart' }],
    timeout: { http: { requestTimeout } },
  },
});

const includes = (selector: string, text: string) =>
  `(document.querySelector('${selector}')?.innerText.includes(${JSON.stringify(text)}) === true)`;

/** How many policies there are, by the page's links to its sections. */
const counted = `Number(document.querySelector('nav a[href="#policies"] .count').textContent)`;

describe('the page of gwpolicy serve, about a cluster', () => {
  let server: FakeApiServer;

  beforeEach(async () => {
    server = await startCluster();
    await open([], { transport: server.transport, kubectl: () => 'shop' });
  });

  it('shows each change by itself, in the answer and in the tables, and keeps the selection', async () => {
    await tab.click('#policies .chip:last-of-type');
    await tab.click('#ask');
    await tab.type('HTTPRoute shop/cart');
    await tab.press('Enter');
    await tab.until(includes('#answer', 'HTTPRoute shop/cart'));
    server.create(timeouts('fresh', '7s'));
    await tab.until(includes('#policies', 'shop/fresh'));
    expect(await tab.text('#answer')).toContain('shop/fresh');
    server.update('backendtrafficpolicy.gateway.envoyproxy.io:shop/fresh', (policy) => ({
      ...policy,
      spec: timeouts('fresh', '8s').spec,
    }));
    await tab.until(includes('#answer', '8s'));
    server.delete('backendtrafficpolicy.gateway.envoyproxy.io:shop/fresh');
    await tab.until(`!${includes('#policies', 'shop/fresh')}`);
    expect(await tab.text('#answer')).not.toContain('shop/fresh');
    expect(await tab.evaluate(`document.querySelector('#policies .chip:last-of-type').ariaPressed`)).toBe('true');
  });

  it('draws only the changes: neither other parts of the page, nor an answer that stays the same', async () => {
    await tab.click('#ask');
    await tab.type('HTTPRoute shop/cart');
    await tab.press('Enter');
    await tab.until(includes('#answer', 'HTTPRoute shop/cart'));
    const before = await tab.evaluate<number>(counted);
    const parts = ['header', '#answer > div', '#issues', '#policies', '#topology', 'nav'];
    await tab.evaluate(`for (const it of ${JSON.stringify(parts)}) document.querySelector(it).isOld = true`);
    const old = () => tab.evaluate(`${JSON.stringify(parts)}.filter((it) => document.querySelector(it).isOld)`);
    const shown = await tab.text('header p');
    server.create({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'fresh', namespace: 'shop' }, spec: {} });
    await tab.until(`document.querySelector('header p').innerText !== ${JSON.stringify(shown)}`);
    expect(await old()).toEqual(['#answer > div', '#issues', '#policies', 'nav']); // The new object is counted, and may be drawn.
    expect(await tab.evaluate<number>(counted)).toBe(before);
  });

  it('keeps typed text and the focus', async () => {
    const before = await tab.evaluate<number>(counted);
    await tab.click('#ask');
    await tab.type('HTTPRoute sh');
    server.create(timeouts('fresh', '7s'));
    await tab.until(`${counted} === ${before + 1}`);
    expect(await tab.evaluate('[document.activeElement.id, document.activeElement.value]')).toEqual([
      'ask',
      'HTTPRoute sh',
    ]);
    expect(await tab.evaluate(`document.getElementById('suggestions').hidden`)).toBe(false);
    await tab.evaluate(`document.querySelector('#policies tbody tr a').focus()`);
    const focused = () => tab.evaluate('document.activeElement.textContent');
    const link = await focused();
    server.delete('backendtrafficpolicy.gateway.envoyproxy.io:shop/fresh');
    await tab.until(`${counted} === ${before}`);
    expect(await focused()).toBe(link);
  });

  it('answers clicks while objects change', async () => {
    const before = await tab.evaluate<number>(counted);
    const ids = Array.from({ length: 20 }, (_, index) => `fresh-${index}`);
    for (const id of ids) {
      server.create(timeouts(id, '7s'));
      if (id.endsWith('5')) {
        await tab.click('#policies .chip:last-of-type');
        await tab.click('.examples a');
      }
    }
    await tab.until(`${counted} === ${before + ids.length}`);
    await tab.click('#policies .more');
    await tab.evaluate(
      `[...document.querySelectorAll('#policies a')].find((it) => it.innerText.includes('fresh-19')).id = 'last'`,
    );
    await tab.click('#last .kind'); // The link takes two lines.
    await tab.until(includes('#answer h2', 'fresh-19'));
  });

  it('counts in its head the policies that its table lists as those that lost something', async () => {
    const listed = await tab.evaluate<string>(`document.querySelector('#policies .chip .count').textContent`);
    expect(await tab.text('header')).toContain(`, ${listed} not fully in force`);
    expect(await tab.evaluate(`[...document.querySelectorAll('#policies tbody tr')].length`)).toBe(Number(listed));
  });

  it('says that the connection is lost', async () => {
    expect(await tab.text('#live')).toBe('This page is live.');
    end.abort();
    await tab.until(`document.documentElement.dataset.live === 'lost'`);
    expect(await tab.text('#live')).toContain('The connection is lost');
    tab.faults.length = 0; // The browser reports the connection, too.
  });
});

describe('the page of gwpolicy serve, about a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-serve-'));

  it('shows changes of a file', async () => {
    cpSync(cluster, folder, { recursive: true });
    await open(['-f', folder]);
    await tab.click('#policies .chip:last-of-type');
    writeFileSync(join(folder, 'fresh.yaml'), JSON.stringify(timeouts('fresh', '7s')));
    await tab.until(includes('#policies', 'shop/fresh'));
    writeFileSync(join(folder, 'fresh.yaml'), 'kind: {');
    await tab.until(includes('#issues', 'fresh.yaml'));
  });
});
