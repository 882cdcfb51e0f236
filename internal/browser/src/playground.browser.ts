import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildPlayground } from '../../playground/src/build.ts';
import { examples } from '../../playground/src/examples.ts';
import { Chromium } from './chromium.ts';
import type { Tab } from './tab.ts';

const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-playground-'));
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const listed = `document.getElementById('changes').value`;
const isAnswered = `document.documentElement.dataset.answered === 'true'`;
const shown = `document.getElementById('answer').contentDocument`;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let server: Server;
let address: string;
let chromium: Chromium;
let tab: Tab;

beforeAll(async () => {
  await buildPlayground(folder);
  server = createServer(({ url = '/' }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1);
    if (!readdirSync(folder).includes(name)) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': types[extname(name)] }).end(readFileSync(join(folder, name)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  chromium = Chromium.start();
});
afterAll(async () => {
  await chromium.close();
  server.closeAllConnections();
  server.close();
});

beforeEach(async () => {
  tab = await chromium.open();
  await tab.go(address, isAnswered);
});
afterEach(() => {
  expect(
    tab.faults.filter((fault) => !fault.startsWith(`asked for ${address}`) && !fault.startsWith('asked for data:')),
  ).toEqual([]);
});

/** Puts text at the end of the manifests, as if it was typed. */
async function write(text: string): Promise<void> {
  await tab.evaluate(`document.getElementById('editor').shadowRoot.querySelector('.cm-content').focus()`);
  await tab.evaluate(`document.documentElement.dataset.answered = 'false'`);
  await tab.call('Input.insertText', { text });
  await tab.until(isAnswered);
}

const choose = (id: string, index: number) =>
  tab.evaluate(`{
    const chooser = document.querySelector(${JSON.stringify(id)});
    chooser.selectedIndex = ${index};
    document.documentElement.dataset.answered = 'false';
    chooser.dispatchEvent(new Event('change'));
  }`);

/** Waits until the report has some words. */
const reported = (words: string) =>
  tab.until(
    `${shown}?.documentElement?.dataset.ready === 'true' && ${shown}.body?.innerText.includes(${JSON.stringify(words)})`,
  );

describe('the playground', () => {
  it('opens with a question that is answered, and shares it', async () => {
    await reported('mergeType is not set');
    expect(await tab.text('#wrong')).toMatch(/What is wrong\s+error SecurityPolicy shop\/cors replaces/);
    await tab.evaluate(`${shown}.defaultView.location.hash = '#q=SecurityPolicy%20infra%2Flogin'`);
    await tab.click('#link');
    await tab.until(`document.getElementById('status').textContent.includes('the question')`);
    const other = await chromium.open();
    await other.go(await tab.evaluate<string>('location.href'), isAnswered);
    await other.until(`${shown}?.querySelector('#ask')?.value === 'SecurityPolicy infra/login'`);
  });

  it('answers for each of its examples', async () => {
    expect(await tab.evaluate(`document.getElementById('example').length`)).toBe(examples().length);
    for (const [index] of examples().entries()) {
      await choose('#example', index);
      await tab.until(isAnswered);
      await reported('Polic');
    }
  });

  it('answers while you type, and marks faults at their lines', async () => {
    await write('---\nkind: Service\n---\n');
    expect(await tab.text('#status')).toMatch(/finding/);
    await tab.until(`document.getElementById('editor').shadowRoot.querySelector('.cm-lintRange-error') !== null`);
    await tab.click('#findings button');
    expect(await tab.evaluate(`document.getElementById('editor').shadowRoot.activeElement !== null`)).toBe(true);
  });

  it('merges a kind by the chosen dialect', async () => {
    await choose('#example', 11);
    await tab.until(isAnswered);
    expect(await tab.text('#dialects')).toContain('TimeoutPolicy merges as');
    await choose('#dialects select', 1);
    await tab.until(isAnswered);
    await reported('shop/checkout');
  });

  it('lists the changes of a comparison, and its address contains both sides', async () => {
    await choose('#example', 0);
    await tab.until(isAnswered);
    await tab.evaluate(`document.documentElement.dataset.answered = 'false'`);
    await tab.click('#compare');
    await tab.until(isAnswered);
    expect(await tab.evaluate(listed)).toBe('Nothing changes for any target or policy.');
    await write(`---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: of-mine, namespace: nowhere }
spec: { targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: none }] }
---
`);
    expect(await tab.evaluate(listed)).toContain('BackendTrafficPolicy nowhere/of-mine is target-not-found');
    await tab.click('#link');
    const other = await chromium.open();
    await other.go(await tab.evaluate<string>('location.href'), isAnswered);
    expect(await other.evaluate(listed)).toContain('nowhere/of-mine');
  });

  it('reads only the document that an edit changes', async () => {
    const services = Array.from(
      { length: 100 },
      (_, index) => `apiVersion: v1\nkind: Service\nmetadata: { name: s${index}, namespace: shop }\n---\n`,
    );
    const read = `Number(document.documentElement.dataset.read)`;
    await write(services.join(''));
    expect(await tab.evaluate(read)).toBeGreaterThanOrEqual(100);
    await write('# A note of mine\n');
    expect(await tab.evaluate(read)).toBe(1);
  });

  it('shows Gateway API or a mesh, as you choose, and its address holds that', async () => {
    await choose(
      '#example',
      examples().findIndex(({ name }) => name.startsWith('Puzzle')),
    );
    await tab.until(isAnswered);
    await reported('AuthPolicy');
    await choose('#dialects select', 1);
    await tab.until(isAnswered);
    await reported('AuthorizationPolicy');
    await tab.click('#link');
    const other = await chromium.open();
    await other.go(await tab.evaluate<string>('location.href'), isAnswered);
    expect(await other.evaluate(`document.querySelector('#dialects select').value`)).toBe('mesh');
  });

  it('puts the manifests into its address, and opens with them', async () => {
    await write('# A note of mine\n');
    await tab.click('#link');
    const link = await tab.evaluate<string>('location.href');
    const other = await chromium.open();
    await other.go(link, isAnswered);
    const text = await other.evaluate(
      `document.getElementById('editor').shadowRoot.querySelector('.cm-content').innerText`,
    );
    expect(text).toContain('# A note of mine');
  });

  it.each(['#m=%%%', '#m=AAAA', '#m=', '#other'])(
    'opens with the address %s, which holds nothing',
    async (fragment) => {
      const other = await chromium.open();
      await other.go(address + fragment, isAnswered);
      await other.until(`document.getElementById('answer').contentDocument?.documentElement?.dataset.ready === 'true'`);
    },
  );

  it.each(['light', 'dark'] as const)('has nothing that axe finds, in %s', async (theme) => {
    await tab.prefer(theme);
    await reported('Polic');
    await tab.call('Page.setBypassCSP', { enabled: true });
    await tab.evaluate(axe);
    const found = await tab.evaluate(`axe.run(document, { iframes: false }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + failureSummary).join()))`);
    expect(found).toEqual([]);
  });

  it('fits a narrow screen', async () => {
    await tab.resize(360, 800);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  it('loads at most 505 kB, compressed, before an edit, an object of a project or a choice of an example', () => {
    const projects = readdirSync(new URL('../../../packages/schemas/src/lib/data', import.meta.url));
    const isOfProject = (file: string) => projects.some((name) => file.startsWith(`${name.replace('.ts', '')}-`));
    const sizeOf = (file: string) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length;
    const files = readdirSync(folder);
    const schemas = files.filter(isOfProject);
    const others = files.filter((file) => !isOfProject(file) && !/^(completion|examples)-/.test(file));
    expect(others.map(sizeOf).reduce((sum, size) => sum + size)).toBeLessThan(505_000);
    expect(schemas).toHaveLength(projects.length);
    expect(Math.max(...schemas.map(sizeOf))).toBeLessThan(30_000);
  });

  it('completes a field by the shipped schema of its kind', async () => {
    const editor = `document.getElementById('editor').shadowRoot`;
    const meta = 'metadata: { name: mine, namespace: shop }';
    await write(`---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\n${meta}\nspec:\n  `);
    await tab.until(`${editor}.querySelector('[aria-autocomplete]') !== null`);
    await write('hostn');
    await tab.until(`${editor}.querySelector('.cm-tooltip-autocomplete')?.textContent === 'hostnames'`);
    await new Promise((done) => setTimeout(done, 100)); // For a moment, CodeMirror takes Enter for a new line.
    await tab.call('Input.dispatchKeyEvent', {
      type: 'keyDown',
      key: 'Enter',
      code: 'Enter',
      windowsVirtualKeyCode: 13,
    });
    await tab.until(`${editor}.querySelector('.cm-content').innerText.includes('hostnames:')`);
  });

  it('reports a field that the shipped schema of a kind does not have', async () => {
    const meta = 'metadata: { name: typo, namespace: shop }';
    await write(`---\napiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\n${meta}\nspec: { rulez: [] }\n---\n`);
    expect(await tab.text('#findings')).toContain('rulez is not in the schema of Gateway API');
  });
});
