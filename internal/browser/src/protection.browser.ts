import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bad, cors, edge, good, login, route } from '../../../packages/cli/src/lib/covering/shop.fixture.ts';
import { runWith } from '../../../packages/cli/src/lib/run.fixture.ts';
import { Chromium } from './chromium.ts';
import { textsWithLittleContrast } from './contrast.ts';
import type { Tab } from './tab.ts';

const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-protection-'));
const isReady = `document.documentElement.dataset.ready === 'true'`;
let chromium: Chromium;
let tab: Tab;

beforeAll(() => {
  chromium = Chromium.start();
});
afterAll(() => chromium.close());
afterEach(() => {
  expect(tab.faults).toEqual([]);
});

/** Opens the report of some manifests. */
async function open(manifests: string, width = 1_400): Promise<void> {
  const { stdout } = await runWith(['report', '-f', '-'], { stdin: manifests });
  const file = join(folder, 'report.html');
  writeFileSync(file, stdout);
  tab = await chromium.open(width);
  await tab.go(pathToFileURL(file).href, isReady);
}

const count = (selector: string) =>
  tab.evaluate<number>(`document.querySelectorAll(${JSON.stringify(selector)}).length`);

describe('the first screen of the report', () => {
  it('answers in one sentence whether everything is protected, with the cause and the remedy', async () => {
    await open(bad);
    expect(await tab.text('#coverage h2')).toBe('1 route of 2 takes requests without authentication.');
    expect((await tab.text('.causes')).replaceAll(/\s+/g, ' ')).toBe(
      '✕ 1 Other policies replace the authentication of Gateway infra/public set mergeType in shop/cors to keep it',
    );
    const { bottom } = await tab.evaluate<{ bottom: number }>(
      `document.querySelector('#coverage h2').getBoundingClientRect().toJSON()`,
    );
    expect(bottom).toBeLessThan(500);
  });

  it('says that all routes are protected only if they are', async () => {
    await open(good);
    expect(await tab.text('#coverage h2')).toBe('All 2 routes have authentication.');
    await open(good.replace('jwt: {', 'jwt: { optional: true,'));
    expect(await tab.text('#coverage h2')).toBe('2 routes of 2: authentication is not for every request.');
  });

  it('has a square for each route, which opens the answer about the route', async () => {
    await open(bad);
    expect([await count('.waffle .uncovered'), await count('.waffle .inherited')]).toEqual([1, 1]);
    await tab.click('.waffle .uncovered');
    await tab.until(`document.querySelector('#answer h2')?.innerText.includes('shop/cart')`);
  });

  it('colors squares and the drawing by the concern that is chosen', async () => {
    await open(bad);
    expect(await count('#topology .stripe.uncovered')).toBeGreaterThan(0);
    const tile = `[...document.querySelectorAll('.tile')].find((it) => it.innerText.includes('TLS to clients')).id`;
    await tab.click(`#${await tab.evaluate<string>(tile)}`);
    expect(await tab.text('#coverage h2')).toBe('All 2 routes have TLS to clients.');
    expect([await count('.waffle .uncovered'), await count('#topology .stripe.uncovered')]).toEqual([0, 0]);
    expect(await tab.text('#topology .shade-legend')).toContain('TLS to clients');
  });

  it('folds equal routes, and filters by route, hostname and namespace', async () => {
    await open(`${bad}${route('pay')}`);
    expect(await tab.text('.matrix')).toContain('and 1 alike');
    await tab.click('#protection-filter');
    await tab.type('pay.example');
    expect(await tab.text('.matrix')).toContain('shop/pay');
    expect(await tab.text('.matrix')).not.toContain('shop/cart');
    await tab.evaluate(
      `(() => { const by = document.getElementById('grouped-by'); by.value = 'Hostname'; by.dispatchEvent(new Event('change')); })()`,
    );
    expect(await tab.text('.matrix .group')).toContain('pay.example.com');
  });

  it('has a sign beside each color', async () => {
    await open(bad);
    const signs = await tab.evaluate(
      `[...document.querySelectorAll('.pill .sign, #coverage .shade-legend .sign')].map((it) => it.textContent)`,
    );
    expect(new Set(signs as string[])).toEqual(new Set(['✕', '↓', '✓', '○']));
  });

  it.each([360, 800, 1_400])('fits %i pixels, with enough contrast in both themes', async (width) => {
    const many = Array.from({ length: 300 }, (_, index) => route(`svc-${index}`)).join('');
    await open(`${bad}${many}${edge().replace('name: public', 'name: canary')}`, width);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const visible = `[...document.querySelectorAll('.waffle a')].filter((it) => it.getBoundingClientRect().right <= innerWidth).length`;
    expect(await tab.evaluate(visible)).toBe(302);
    for (const theme of ['light', 'dark'] as const) {
      await tab.prefer(theme);
      expect(await tab.evaluate(textsWithLittleContrast)).toEqual([]);
    }
  });

  it('works for 20,000 routes much less than twenty times as long as for 1,000', async () => {
    /** Returns the least work of three visits, because other processes can only add to it. */
    const leastWork = async (routes: number) => {
      const shops = good + Array.from({ length: routes }, (_, index) => route(`svc-${index}`)).join('');
      await open(shops);
      const address = await tab.evaluate<string>('location.href');
      const visits: { first: number; answer: number; elements: number }[] = [];
      while (visits.length < 3) {
        tab = await chromium.open(1_400);
        await tab.countWork();
        await tab.go(address, isReady);
        const [first, elements] = [await tab.work(), await count('*')];
        await tab.click('#ask');
        await tab.type('svc-159');
        await tab.press('Enter');
        await tab.until(`document.querySelector('#answer h2')?.innerText.includes('svc-159')`);
        visits.push({ first, elements, answer: (await tab.work()) - first });
      }
      const least = (of: 'first' | 'answer' | 'elements') => Math.min(...visits.map((visit) => visit[of]));
      return { first: least('first'), answer: least('answer'), elements: least('elements') };
    };
    const [few, many] = [await leastWork(1_000), await leastWork(20_000)];
    expect(await tab.text('#coverage h2')).toBe('All 20,002 routes have authentication.');
    expect(many.elements).toBeLessThan(1.5 * few.elements);
    // On a machine at rest, the first screen takes about as long, and an answer less.
    expect(many.first).toBeLessThan(8 * few.first);
    expect(many.answer).toBeLessThan(8 * few.first);
  });

  it('does not say that no policy applies while policies are undecided', async () => {
    const own = cors.replace(', namespace: shop', '');
    for (const [policies, end] of [
      ['', ''],
      [own, ', as far as policies are decided'],
    ]) {
      await open(`${edge()}${route('cart')}${policies}`);
      await tab.click('#ask');
      await tab.type('shop/cart');
      await tab.press('Enter');
      await tab.until(`document.querySelector('#answer h2')?.innerText.includes('shop/cart')`);
      expect(await tab.text('#answer')).toContain(`No policy applies here or below${end}.`);
    }
  });

  it('is not there if no requests come in', async () => {
    await open(login);
    expect(await tab.evaluate(`document.getElementById('coverage').hidden`)).toBe(true);
  });
});
