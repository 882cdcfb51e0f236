import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../files.ts';
import { newestNode, oldestNode, published } from '../packages.ts';

/** The oldest Node that the packages support, and the newest one. */
const nodes = [oldestNode, newestNode];

const expected = [
  'httproute.gateway.networking.k8s.io:shop/cart#pay 30s 3 by shop/house-rules',
  'timeoutpolicy.policies.example.com:shop/house-rules is accepted',
  'timeoutpolicy.policies.example.com:shop/patient is accepted',
  'gateway.gateway.networking.k8s.io:shop/public is written to',
  'httproute.gateway.networking.k8s.io:shop/cart is written to',
  'httproute.gateway.networking.k8s.io:shop/cart#pay 30s 5 by shop/patient',
  '',
].join('\n');

const { catalog } = parse(readFileSync(`${root}pnpm-workspace.yaml`, 'utf8'));
const tarballs = inject('tarballs');
const entries = published.flatMap((each) => [...each.entries.keys()]);
const folder = mkdtempSync(join(tmpdir(), 'policy-machinery-consumer-'));

function run(command: string, args: readonly string[], options: ExecFileSyncOptions = {}): string {
  try {
    return String(execFileSync(command, args, { cwd: folder, stdio: 'pipe', ...options }));
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout?: Buffer; stderr?: Buffer };
    throw new Error(`${message}\n${stdout ?? ''}${stderr ?? ''}`);
  }
}

function install(where: string, packages: readonly string[] = []): void {
  run('npm', ['install', '--prefix', where, '--no-audit', '--no-fund', '--prefer-offline', ...packages]);
}

beforeAll(() => {
  cpSync(fileURLToPath(new URL('consumer', import.meta.url)), folder, { recursive: true });
  const dependencies = {
    ...Object.fromEntries(Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`])),
    '@types/node': '^20.19.0',
    // Optional peers of the controller and of the topology.
    'prom-client': '^15.1.3',
    graphology: catalog.graphology,
    typescript: catalog.typescript,
    zod: catalog.zod,
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  install('.');
});

describe('the packed packages, installed into an empty folder', () => {
  it('compile, their declarations included', () => {
    expect(run('npx', ['--no-install', 'tsc'])).toBe('');
  });

  describe.each(nodes)('on Node %s', (version) => {
    const home = `node-${version}`;
    const node = join(folder, home, 'node_modules/node/bin/node');

    beforeAll(() => install(home, [`node@${version}`]));

    it('is that version', () => {
      expect(run(node, ['--version'])).toBe(`v${version}\n`);
    });

    it('run a controller as an ES module', () => {
      expect(run(node, ['out/main.js'])).toBe(expected);
    });

    it('run a controller that requires them', () => {
      expect(run(node, ['out/required.cjs'])).toBe(expected);
    });

    it.each(entries)('give the same to import and require: %s', (entry) => {
      const compare = `
        const { createRequire } = await import('node:module');
        const [imported, required] = [await import('${entry}'), createRequire(import.meta.url)('${entry}')];
        console.log(Object.keys(imported).length > 0 && Object.keys(imported).every((key) => imported[key] === required[key]));`;
      expect(run(node, ['--input-type=module', '--eval', compare])).toBe('true\n');
    });
  });

  it('run in a browser, from a bundle', async () => {
    const bundle = join(folder, 'browser.js');
    const loader = { '.yaml': 'text' } as const;
    await build({ entryPoints: [join(folder, 'src/browser.ts')], outfile: bundle, bundle: true, minify: true, loader });
    const page = join(folder, 'page.html');
    const failed = `onerror = (message) => { document.title = message; }`;
    writeFileSync(page, `<body><script>${failed}</script><script src="browser.js"></script>`);
    const profile = `--user-data-dir=${join(folder, 'profile')}`;
    const html = run(chromium(), [...chromiumFlags, profile, '--dump-dom', `file://${page}`], { timeout: 60_000 });
    expect(/<pre>([^<]*)/.exec(html)?.[1]?.concat('\n') ?? html).toBe(expected);
  });
});

const chromiumFlags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** The browser's command. */
function chromium(): string {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
      return name;
    } catch {
      // The next one may be there.
    }
  }
  throw new Error('There is no Chromium: install the package `chromium`, or put a Chromium into the PATH.');
}
