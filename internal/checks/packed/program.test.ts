import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { root } from '../files.ts';

const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-packed-'));
const bin = (name: string) => join(folder, 'node_modules/.bin', name);
const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, {
    cwd: `${root}packages/cli/golden`,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const install = [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--offline',
    inject('tarballs').gwpolicy ?? '',
  ];
  execFileSync('npm', install, { stdio: 'pipe' });
});

describe('gwpolicy, packed and installed', () => {
  it('is one package', () => {
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/gwpolicy']);
  });

  it('answers', () => {
    const golden = readFileSync(`${root}packages/cli/golden/output/readme-explain.golden.txt`, 'utf8');
    expect(run(bin('gwpolicy'), 'explain', 'httproute/checkout#pay', '-f', 'cluster')).toBe(golden);
  });

  it('makes the report', () => {
    expect(run(bin('gwpolicy'), 'report', '-f', 'cluster')).toMatch(/^<!doctype html>/i);
  });

  it('answers assistants', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const server = { command: bin('gwpolicy'), args: ['mcp', '-f', 'cluster'], cwd: `${root}packages/cli/golden` };
    await client.connect(new StdioClientTransport(server));
    try {
      const { content } = await client.callTool({ name: 'reach', arguments: { policy: 'ratelimitpolicy/cart' } });
      expect(JSON.stringify(content)).toContain('infra/ceiling prevails');
    } finally {
      await client.close();
    }
  });

  it('is a plugin of kubectl, which completes', () => {
    expect(run(bin('kubectl-gwpolicy'), 'tree', '--help')).toMatch(/^Usage: kubectl gwpolicy tree /);
    expect(run(bin('kubectl_complete-gwpolicy'), 'rea')).toMatch(/^reach\t.*\n:4\n$/);
  });

  it('starts in at most twice the CPU time of Node alone', () => {
    const meter = join(folder, 'meter.cjs');
    const cpu = `const { user, system } = process.cpuUsage(); require('fs').writeFileSync(process.env.CPU, String(user + system))`;
    writeFileSync(meter, `process.on('exit', () => { ${cpu} })`);
    const file = join(folder, 'cpu');
    const least = (...args: readonly string[]) => {
      const times = Array.from({ length: 9 }, () => {
        const env = { ...process.env, CPU: file };
        execFileSync(process.execPath, ['--require', meter, ...args], { env, stdio: 'ignore' });
        return Number(readFileSync(file, 'utf8'));
      });
      return Math.min(...times);
    };
    const [node, program] = [
      least('--eval', '0'),
      least(join(folder, 'node_modules/gwpolicy/dist/gwpolicy.js'), '--help'),
    ];
    console.log(`gwpolicy --help: ${program / 1000} ms of CPU time, Node alone: ${node / 1000} ms`);
    expect(program).toBeLessThan(2 * node);
  });
});
