import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Chromium } from './chromium.ts';
import { headlampPage } from './headlamp-host.ts';
import type { Tab } from './tab.ts';

const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-headlamp-'));
const file = join(folder, 'host.html');
let chromium: Chromium;
let tab: Tab;

beforeAll(async () => {
  writeFileSync(file, await headlampPage());
  chromium = Chromium.start();
});
afterAll(async () => {
  await chromium.close();
});

/** Shows the page of an object, and returns its text once the section has read the cluster. */
async function pageOf(
  kind: string,
  namespace: string,
  name: string,
  apiVersion = 'gateway.networking.k8s.io/v1',
): Promise<string> {
  await tab.evaluate(`show(${JSON.stringify({ apiVersion, kind, metadata: { namespace, name } })})`);
  await tab.until(`document.querySelector('h1')?.innerText === ${JSON.stringify(name)}`);
  await tab.until(`!document.body.innerText.includes('Reading the cluster')`);
  return tab.text('#page');
}

describe('the Headlamp plugin', () => {
  beforeEach(async () => {
    tab = await chromium.open();
    await tab.go(pathToFileURL(file).href, `typeof show === 'function'`);
  });
  afterEach(() => {
    expect(tab.faults).toEqual([]);
  });

  it('shows the effective policies, their origins and the losses on the page of a route', async () => {
    const text = await pageOf('HTTPRoute', 'payments', 'checkout');
    expect(text).toContain('Effective policies');
    expect(text).toContain('TimeoutPolicy');
    expect(text).toContain('15s\tpayments/slow-payments\t20s of payments/slow-payments-new');
    expect(text).toContain('RateLimitPolicy');
  });

  it('shows the effective policies below on the page of a Gateway', async () => {
    expect(await pageOf('Gateway', 'infra', 'public')).toContain('HTTPRoute payments/checkout#pay through');
  });

  it('shows the effective policies of the rules that lead to it on the page of a Service', async () => {
    expect(await pageOf('Service', 'payments', 'refunds', 'v1')).toContain('HTTPRoute payments/refunds#');
  });

  it('says where no policy applies', async () => {
    expect(await pageOf('Service', 'payments', 'unknown', 'v1')).toContain('No policy applies here');
  });

  it('shows nothing on other pages, also after one that has the section', async () => {
    await pageOf('HTTPRoute', 'payments', 'checkout');
    expect(await pageOf('ConfigMap', 'payments', 'settings', 'v1')).toBe('settings');
  });

  it('says which kinds may not be read', async () => {
    await tab.evaluate(`window.refused = '/api/v1/services'`);
    expect(await pageOf('HTTPRoute', 'payments', 'checkout')).toContain(
      'This may be incomplete. Service cannot be read',
    );
  });
});
