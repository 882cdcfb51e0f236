import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runWith } from '../../../packages/cli/src/lib/run.fixture.ts';
import { Chromium } from '../../browser/src/chromium.ts';
import { buildPlayground } from '../../playground/src/build.ts';
import { company } from './company.ts';

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const pictures = fileURLToPath(new URL('pictures/', import.meta.url));

/** Writes a report and the playground, and returns their addresses with the expression that is true once they are shown. */
async function shownPages(): Promise<Readonly<Record<string, readonly [address: string, isShown: string]>>> {
  await buildPlayground(folder);
  const { stdout } = await runWith(['report', '-f', '-'], { stdin: company() });
  const report = join(folder, 'report.html');
  writeFileSync(report, stdout.replace(/Files: [^"]*?\./, ''));
  const server = createServer(({ url = '/' }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1);
    response.writeHead(200, { 'content-type': types[extname(name)] }).end(readFileSync(join(folder, name)));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  const answer = `document.getElementById('answer').contentDocument?.querySelector('#answer .fields')`;
  return {
    page: [pathToFileURL(report).href, `document.documentElement.dataset.ready === 'true'`],
    playground: [`http://127.0.0.1:${port}/`, `Boolean(${answer})`],
  };
}

mkdirSync(pictures, { recursive: true });
const chromium = Chromium.start();
for (const [name, [address, isShown]] of Object.entries(await shownPages())) {
  for (const theme of ['light', 'dark'] as const) {
    const tab = await chromium.open(1280, 840);
    await tab.prefer(theme);
    await tab.go(address, isShown);
    const picture = { format: 'webp', quality: 80 };
    const { data } = await tab.call<{ data: string }>('Page.captureScreenshot', picture);
    writeFileSync(`${pictures}${name}-${theme}.webp`, Buffer.from(data, 'base64'));
  }
}
await chromium.close();
process.exit();
