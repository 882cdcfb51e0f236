import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from './commands/commands.ts';
import { cluster, runWith } from './run.fixture.ts';

/** One question for each command, about the cluster of four systems. */
const questions: Readonly<Record<string, readonly string[]>> = {
  get: ['get'],
  explain: ['explain', 'HTTPRoute', 'shop/cart'],
  reach: ['reach', 'ratelimitpolicy/cart', '-n', 'shop'],
  tree: ['tree'],
  request: ['request', 'https://shop.example.com/pay/status'],
  lint: ['lint'],
  verify: ['verify', cluster.replace(/cluster$/, 'guarantees.yaml')],
  kinds: ['kinds'],
  graph: ['graph', 'httproute/checkout'],
  version: ['version'],
};

const ownInput: ReadonlySet<string> = new Set(['version']);

/** Returns text with the folder and the Node version replaced, as golden files have it. */
function neutral(text: string): string {
  return text
    .replaceAll(cluster, 'cluster')
    .replaceAll(cluster.replace(/cluster$/, ''), '')
    .replaceAll(process.versions.node, '20.19.0');
}

const cases = commands
  .filter(({ name }) => name in questions)
  .flatMap(({ name, formats }) => formats.map((format) => [name, format] as const))
  .filter(([, format]) => format !== 'html');

describe('the README', () => {
  it('shows the output of the program', async () => {
    const { stdout } = await runWith(['explain', 'httproute/checkout#pay', '-f', cluster]);
    await expect(stdout).toMatchFileSnapshot('../../golden/output/readme-explain.golden.txt');
  });
});

describe('the report', () => {
  it('is a page about the objects', async () => {
    const { stdout, exitCode } = await runWith(['report', '-f', cluster]);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^<!doctype html>[\s\S]*<title>Policies<[\s\S]*patient/i),
    ]);
  });

  it('names its namespace', async () => {
    const { stdout } = await runWith(['report', '-f', cluster, '--only', 'namespace=shop', '-o', 'html']);
    expect(stdout).toContain('<title>Policies of shop<');
  });
});

describe('the answer of', () => {
  it('each command is tested, here or beside the command', () => {
    const here = [...Object.keys(questions), 'report', 'completion'];
    const hasTest = (name: string) =>
      ['commands', 'serving', name].some((folder) =>
        existsSync(new URL(`./${folder}/${name}.test.ts`, import.meta.url)),
      );
    expect(commands.map(({ name }) => name).filter((name) => !here.includes(name) && !hasTest(name))).toEqual([]);
  });

  it.each(cases)('%s as %s', async (name, format) => {
    const files = ownInput.has(name) ? [] : ['-f', cluster];
    const args = [...(questions[name] ?? []), ...files, '-o', format];
    const { stdout, stderr, exitCode } = await runWith(args);
    const session = `$ gwpolicy ${args.join(' ')}\n${stdout}--- stderr\n${stderr}--- exit code ${exitCode}\n`;
    await expect(neutral(session)).toMatchFileSnapshot(`../../golden/output/${name}.${format}.golden.txt`);
  });
});
