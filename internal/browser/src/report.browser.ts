import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { effectivePolicies } from '@policy-machinery/effective-policy';
import { gatewayApi } from '@policy-machinery/gateway-api';
import { reportPage } from '@policy-machinery/report';
import { locatorOf } from '@policy-machinery/resource';
import { createTopology } from '@policy-machinery/topology';
import { clusterOf, scaled } from '@policy-machinery/workload';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cluster, runWith } from '../../../packages/cli/src/lib/run.fixture.ts';
import { Chromium } from './chromium.ts';
import { textsWithLittleContrast } from './contrast.ts';
import { hostileShop, longShop, pageOf, shop, wideShop } from './shop.ts';
import type { Tab } from './tab.ts';

const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-pages-'));
const isReady = `document.documentElement.dataset.ready === 'true'`;
const answer = '#answer';

function addressOf(name: string, page: string): string {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, page);
  return pathToFileURL(file).href;
}

let chromium: Chromium;
let tab: Tab;

beforeAll(() => {
  chromium = Chromium.start();
});
afterAll(async () => {
  await chromium.close();
});

/** The text of the answer, once there is one with some text in its heading. */
async function answered(heading: string): Promise<string> {
  await tab.until(`document.querySelector('${answer} h2')?.innerText.includes(${JSON.stringify(heading)})`);
  return tab.text(answer);
}

describe('the page of a shop', () => {
  const address = addressOf('shop', pageOf(shop));

  beforeEach(async () => {
    tab = await chromium.open();
    await tab.go(address, isReady);
  });
  afterEach(() => {
    expect(tab.faults).toEqual([]); // Neither errors, nor anything that was loaded or refused.
  });

  it('suggests targets and policies, and answers the one that the arrows choose', async () => {
    await tab.click('#ask');
    await tab.type('cart');
    expect((await tab.text('#suggestions')).split('\n').filter((line) => line !== 'target')).toEqual([
      'HTTPRoute shop/cart',
      'HTTPRoute shop/cart#rule-1',
    ]);
    await tab.press('ArrowDown');
    await tab.press('ArrowDown');
    expect(await tab.evaluate(`document.activeElement.getAttribute('aria-activedescendant')`)).toBe('suggestion-1');
    await tab.press('Enter');
    const text = await answered('shop/cart#rule-1');
    expect(text).toContain('through Gateway shop/public#http');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'request 30s shop/patient default on HTTPRoute shop/cart 10s shop/house-rules lost: shop/patient is more specific (Patch defaults)',
    );
    expect(await tab.evaluate('document.title')).toBe('HTTPRoute shop/cart#rule-1 – The shop');
  });

  it('answers a suggestion that is clicked', async () => {
    await tab.click('#ask');
    await tab.type('patient');
    await tab.click('#suggestions [role=option]');
    expect(await answered('shop/patient')).toContain('In force in all scopes.');
  });

  it('answers requests: the rule at each Gateway, and the policies', async () => {
    await tab.click('#ask');
    await tab.type('GET https://shop.example.com/cart/7');
    await tab.press('Enter');
    const text = await answered('shop.example.com/cart/7');
    expect(text).toContain('Gateway shop/internal port 80');
    const [internal = '', open = ''] = text.split('Gateway shop/public port 80');
    expect(internal).toContain('Gateway shop/internal#http › HTTPRoute shop/cart#rule-1');
    expect(internal).not.toContain('shop/house-rules');
    expect(open).toContain('shop/house-rules');
  });

  it('takes the first suggestion by Enter for a part of a name', async () => {
    await tab.click('#ask');
    await tab.type('carT');
    await tab.press('Enter');
    await answered('HTTPRoute shop/cart');
    expect(await tab.evaluate('document.title')).toBe('HTTPRoute shop/cart – The shop');
  });

  it('makes the drawing larger and smaller, and finds objects in it', async () => {
    const width = () => tab.evaluate<number>(`Number(document.querySelector('#topology svg').getAttribute('width'))`);
    const before = await width();
    await tab.click('#topology .zoom button:nth-child(2)');
    expect(await width()).toBeCloseTo(before * 1.25);
    await tab.click('#topology .zoom button:nth-child(3)');
    expect(await width()).toBeLessThanOrEqual(before);
    await tab.click('#topology input[type=search]');
    await tab.type('cart');
    await tab.press('Enter');
    await tab.until(`document.querySelector('#topology .focus .name')?.textContent === 'shop/cart'`);
    await tab.evaluate(`document.querySelector('#topology input[type=search]').value = ''`);
  });

  it('reports unknown answers', async () => {
    await tab.click('#ask');
    await tab.type('nothing of the sort');
    await tab.press('Enter');
    await tab.until(`document.querySelector('${answer}').innerText !== ''`);
    expect(await tab.text(answer)).toContain('Nothing here is named “nothing of the sort”.');
  });

  it('moves to the question box by /, and out of it by Escape', async () => {
    await tab.press('Tab');
    await tab.type('/');
    expect(await tab.evaluate('document.activeElement.id')).toBe('ask');
    await tab.type('cart');
    await tab.press('Escape');
    expect(await tab.evaluate(`document.getElementById('suggestions').hidden`)).toBe(true);
    expect(await tab.evaluate(`document.getElementById('ask').value`)).toBe('cart');
    await tab.press('Escape');
    expect(await tab.evaluate(`document.getElementById('ask').value`)).toBe('');
  });

  it('follows links from answer to answer, and back', async () => {
    await tab.click('#policies tbody tr:last-child a');
    expect(await answered('shop/lost')).toContain('Target not found');
    await tab.click('.examples a');
    await answered('HTTPRoute');
    await tab.evaluate('history.back()');
    await answered('shop/lost');
  });

  it('opens with the question of its address', async () => {
    const other = await chromium.open();
    await other.go(`${address}#q=${encodeURIComponent('TimeoutPolicy shop/house-rules')}`, isReady);
    expect(await other.text(answer)).toContain('Partly enforced');
  });

  it('draws objects with their policies, and opens those that stand together', async () => {
    const labels = () =>
      tab.evaluate<readonly string[]>(`[...document.querySelectorAll('#topology .name')].map((it) => it.textContent)`);
    expect(await labels()).toEqual(['shop/internal', 'shop/public', 'shop/cart', '8 without policies', 'shop/backend']);
    await tab.click('#topology .bundle a');
    expect(await labels()).toHaveLength(12);
    await tab.click('#topology .object a');
    await answered('shop/internal');
  });

  it('shows all policies when they are asked for', async () => {
    const names = () =>
      tab.evaluate(`[...document.querySelectorAll('#policies tbody td:first-child')].map((it) => it.innerText)`);
    expect(await names()).toEqual(['TimeoutPolicy shop/house-rules', 'TimeoutPolicy shop/lost']);
    await tab.click('#policies .chip:last-of-type');
    expect(await names()).toContain('TimeoutPolicy shop/patient');
  });

  it('follows the colours of the system until they are switched', async () => {
    const background = () => tab.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await tab.prefer('light');
    const light = await background();
    expect(await tab.text('.theme')).toBe('Dark');
    await tab.prefer('dark');
    const dark = await background();
    expect(dark).not.toBe(light);
    await tab.until(`document.querySelector('.theme').innerText === 'Light'`);
    await tab.click('.theme');
    expect(await background()).toBe(light);
  });

  it.each(['light', 'dark'] as const)('has enough contrast for all text, in %s colours', async (theme) => {
    await tab.prefer(theme);
    await tab.evaluate('localStorage.clear()');
    await tab.go(`${address}?${theme}#q=${encodeURIComponent('HTTPRoute shop/cart')}`, isReady);
    expect(await tab.evaluate(textsWithLittleContrast)).toEqual([]);
  });

  it('has a name for everything that can be used', async () => {
    await tab.call('Accessibility.enable');
    const { nodes } = await tab.call<{ readonly nodes: readonly AccessibleNode[] }>('Accessibility.getFullAXTree');
    const usable = nodes.filter(
      ({ ignored, role }) => !ignored && ['button', 'link', 'combobox', 'textbox'].includes(role?.value ?? ''),
    );
    expect(usable.length).toBeGreaterThan(20);
    expect(usable.filter(({ name }) => !name?.value)).toEqual([]);
  });

  it('needs no scrolling sideways on a small screen', async () => {
    await tab.resize(400, 800);
    await tab.go(`${address}?small#q=${encodeURIComponent('HTTPRoute shop/cart')}`, isReady);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(400);
  });

  it('prints answers and tables without the parts for the screen', async () => {
    await tab.call('Emulation.setEmulatedMedia', { media: 'print' });
    const isShown = (selector: string) => tab.evaluate(`document.querySelector('${selector}').checkVisibility()`);
    expect([await isShown('.ask'), await isShown('.theme'), await isShown('nav')]).toEqual([false, false, false]);
    expect([await isShown('#policies table'), await isShown('#topology svg')]).toEqual([true, true]);
  });

  it('prints on white, also where the dark colours are chosen', async () => {
    await tab.evaluate(`document.documentElement.dataset.theme = 'dark'`);
    const colour = () => tab.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await colour()).not.toBe('rgb(255, 255, 255)');
    await tab.call('Emulation.setEmulatedMedia', { media: 'print' });
    expect(await colour()).toBe('rgb(255, 255, 255)');
  });
});

describe('the drawing of objects with long names', () => {
  const address = addressOf('long', pageOf(longShop));

  beforeEach(async () => {
    tab = await chromium.open();
    await tab.go(address, isReady);
  });

  it('keeps all text in its box, whatever the font', async () => {
    const outside = `[...document.querySelectorAll('#topology .object')].flatMap((card) => {
      const { right } = card.querySelector('.frame').getBoundingClientRect();
      return [...card.querySelectorAll('text')].filter((it) => it.getBoundingClientRect().right > right).map((it) => it.textContent);
    })`;
    expect(await tab.evaluate(outside)).toEqual([]);
  });

  it('distinguishes objects with names that begin alike', async () => {
    const names = await tab.evaluate<readonly string[]>(
      `[...document.querySelectorAll('#topology .name')].map((it) => it.textContent)`,
    );
    expect(names).toHaveLength(4);
    expect(new Set(names).size).toBe(4);
  });

  it('has one stop of the Tab key for each box, within which the arrows move', async () => {
    const stops = `document.querySelectorAll('#topology svg a:not([tabindex="-1"])').length`;
    expect(await tab.evaluate(stops)).toBe(await tab.evaluate(`document.querySelectorAll('#topology .object').length`));
    await tab.evaluate(`document.querySelector('#topology .object:has(.policy) a').focus()`);
    const focused = () => tab.evaluate<string>(`document.activeElement.querySelector('title').textContent`);
    expect(await focused()).toContain('HTTPRoute');
    await tab.press('ArrowDown');
    await tab.press('ArrowDown');
    expect(await focused()).toContain('TimeoutPolicy');
    await tab.press('ArrowUp');
    await tab.press('ArrowUp');
    expect(await focused()).toContain('HTTPRoute');
  });
});

describe('the drawing of policies of several kinds with one name', () => {
  it('names their kinds', async () => {
    const policy = (kind: string, name: string) => ({
      apiVersion: 'gateway.envoyproxy.io/v1alpha1',
      kind,
      metadata: { name, namespace: 'shop' },
      spec: { targetRef: { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'cart' } },
    });
    const policies = [
      policy('BackendTrafficPolicy', 'a'),
      policy('SecurityPolicy', 'a'),
      policy('SecurityPolicy', 'b'),
    ];
    const stdin = [...shop, ...policies].map((it) => JSON.stringify(it)).join('\n---\n');
    const { stdout } = await runWith(['report', '-f', '-'], { stdin });
    tab = await chromium.open();
    await tab.go(addressOf('names', stdout), isReady);
    const names = await tab.evaluate<readonly string[]>(
      `[...document.querySelectorAll('#topology .policy text')].map((it) => it.textContent)`,
    );
    expect(names).toEqual(expect.arrayContaining(['BackendTrafficPolicy a', 'SecurityPolicy a', 'b']));
  });
});

describe('the drawing of a Gateway with 300 routes', () => {
  const names = Array.from({ length: 300 }, (_, index) => `route-${index}`);
  const address = addressOf('wide', pageOf(wideShop(names)));

  beforeEach(async () => {
    tab = await chromium.open();
    await tab.go(address, isReady);
  });

  const drawnText = () => tab.evaluate<string>(`document.querySelector('#topology svg').textContent`);

  it('has few boxes and lines, each group of routes with its common properties', async () => {
    expect(await tab.evaluate(`document.querySelectorAll('#topology .object').length`)).toBeLessThan(8);
    expect(await tab.evaluate(`document.querySelectorAll('#topology .lines path').length`)).toBeLessThan(8);
    const text = await drawnText();
    expect(text).toContain('100 with policies');
    expect(text).toContain('100 × TimeoutPolicy');
    expect(text).toContain('200 without policies');
  });

  it('opens a group by the keyboard', async () => {
    await tab.evaluate(`document.querySelector('#topology [aria-label="Show 100 HTTPRoutes"]').focus()`);
    await tab.press('Enter');
    await tab.until(`document.querySelectorAll('#topology .object').length > 100`);
    expect(await drawnText()).toContain('shop/route-297');
  });

  it('prints its legend', async () => {
    await tab.call('Emulation.setEmulatedMedia', { media: 'print' });
    expect(await tab.evaluate(`document.querySelector('#topology .legend').checkVisibility()`)).toBe(true);
  });
});

describe('the page about one namespace', () => {
  it('lists the policies of the namespace, names its time and source in the head, and answers about others', async () => {
    tab = await chromium.open();
    const { stdout } = await runWith(['report', '-f', cluster, '--only', 'namespace=infra']);
    await tab.go(addressOf('infra', stdout), isReady);
    await tab.click('#policies .chip:last-of-type');
    const names = await tab.evaluate<readonly string[]>(
      `[...document.querySelectorAll('#policies tbody td:first-child')].map((it) => it.innerText)`,
    );
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((name) => !name.includes(' infra/'))).toEqual([]);
    expect(await tab.text('nav a[href="#policies"] .count')).toBe(String(names.length));
    const head = await tab.text('header');
    expect(head).toContain('As of 2026-06-01 12:00:00 UTC');
    expect(head).toContain(`Files: ${cluster}.`);
    await tab.evaluate(`location.hash = '#q=HTTPRoute shop/cart'`);
    expect(await answered('shop/cart')).toContain('shop/small-carts');
  });
});

describe('the tables of an answer', () => {
  it('break JSON between its tokens, and nothing leaves its cell, at 360, 800 and 1,400 pixels', async () => {
    tab = await chromium.open();
    const { stdout } = await runWith(['report', '-f', cluster]);
    const address = addressOf('systems', stdout);
    for (const width of [360, 800, 1_400]) {
      await tab.resize(width, 900);
      await tab.go(`${address}?${width}#q=${encodeURIComponent('HTTPRoute shop/cart')}`, isReady);
      const outside = `[...document.querySelectorAll('td, th')].filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => it.innerText)`;
      expect([width, await tab.evaluate(outside)]).toEqual([width, []]);
    }
  });
});

interface AccessibleNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
}

describe('the page of a shop with an owner who writes markup', () => {
  it('shows the markup as text', async () => {
    tab = await chromium.open();
    const question = 'Gateway shop/<img src=x onerror="document.title=1">';
    await tab.go(
      `${addressOf('hostile', pageOf(hostileShop, '</title><script>1</script>'))}#q=${encodeURIComponent(question)}`,
      isReady,
    );
    const text = await answered('<img src=x onerror="document.title=1">');
    expect(text).toContain('<i>30s</i>');
    expect(await tab.evaluate('document.title')).toBe(`${question} – </title><script>1</script>`);
    expect(await tab.evaluate(`document.querySelectorAll('img, b, i, [onload], [onerror]').length`)).toBe(0);
    expect(text).toContain('\\u202e<b>');
    expect(tab.faults).toEqual([]);
  });
});

describe('the page of routes with the same fault', () => {
  it('shows the fault once, counts the routes, and does not call policies enforced that do not exist', async () => {
    const topology = createTopology({ targetKinds: gatewayApi() });
    const routes = shop.filter(({ kind }) => kind === 'HTTPRoute');
    const named = Array.from({ length: 11 }, (_, index) =>
      routes.slice(0, 1).map((route) => ({ ...route, metadata: { ...route.metadata, name: `route-${index}` } })),
    ).flat();
    topology.apply({ upsert: named });
    const issues = named.map((route) => ({
      ...{ code: 'invalid-spec', severity: 'error' as const, message: 'must be Exact' },
      resource: locatorOf(route),
    }));
    tab = await chromium.open();
    await tab.go(addressOf('alike', reportPage({ topology, views: [], issues })), isReady);
    expect(await tab.evaluate(`document.querySelectorAll('#issues tbody tr').length`)).toBe(1);
    expect(await tab.text('#issues tbody')).toMatch(/11 HTTPRoutes: must be Exact[\s\S]*and 8 more/);
    await tab.click('#issues .more');
    expect(await tab.evaluate(`document.querySelectorAll('#issues td.where a').length`)).toBe(11);
    expect(await tab.text('#policies')).toContain('There are no policies.');
    expect(tab.faults).toEqual([]);
  });
});

describe('the page of a cluster with 1,000 routes', () => {
  const workload = clusterOf(scaled(0.05));
  const topology = createTopology(workload);
  topology.apply({ upsert: workload.resources });
  const views = workload.policyKinds.map((kind) => effectivePolicies(topology, kind));
  const page = reportPage({ topology, views });

  it('has at most 400 kB', () => {
    expect(workload.resources.filter(({ kind }) => kind === 'HTTPRoute')).toHaveLength(1_000);
    expect(Buffer.byteLength(page)).toBeLessThan(400_000);
  });

  it('begins with few elements, and answers', async () => {
    tab = await chromium.open();
    await tab.go(addressOf('large', page), isReady);
    expect(await tab.evaluate(`document.querySelectorAll('*').length`)).toBeLessThan(3_000);
    await tab.click('.examples a');
    await answered('HTTPRoute ns-0/route-0#rule-1');
    await tab.click('.examples a:nth-of-type(2)');
    await answered('payment.example.com/jobs');
    expect(tab.faults).toEqual([]);
  });
});
