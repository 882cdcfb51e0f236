import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startCluster } from '../cluster.fixture.ts';
import { commands } from '../commands/commands.ts';
import { cluster, runWith, type TestEnvironment, testEnvironment } from '../run.fixture.ts';
import { answerText, type Started } from './answers.ts';
import type { Question } from './tools.ts';

const files: Started = {
  commands,
  options: { filename: [cluster] },
  guarantees: [cluster.replace(/cluster$/, 'guarantees.yaml')],
};

/** Asks a server that was started for files, or for what a test says. */
async function ask(command: string, question: Question, started = files, surroundings: TestEnvironment = {}) {
  return answerText(command, question, started, testEnvironment(surroundings).environment);
}

const careful = {
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'BackendTrafficPolicy',
  metadata: { name: 'careful', namespace: 'shop' },
  spec: {
    targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: 'cart' }],
    timeout: { http: { requestTimeout: '7s' } },
  },
};

describe('gwpolicy mcp', () => {
  it('answers like the command, and starts with notes about the answer', async () => {
    const { stdout, stderr } = await runWith(['get', '-A', '-f', cluster]);
    expect(stderr).not.toBe('');
    expect(await ask('get', { args: ['policies'] })).toBe(`${stderr}${stdout}`);
  });

  it("lists all namespaces, or the question's", async () => {
    const names = async (options: Question['options']) => {
      const text = await ask('get', { args: ['policies'], ...(options === undefined ? {} : { options }) });
      return ['staff-only', 'ceiling'].filter((name) => text.includes(name));
    };
    expect(await names(undefined)).toEqual(['staff-only', 'ceiling']);
    expect(await names({ only: ['namespace=shop'] })).toEqual(['staff-only']);
  });

  it('lists the effects of the manifests in a question', async () => {
    expect(await ask('impact', { text: JSON.stringify(careful) })).toMatch(
      /HTTPRoute shop\/cart#all[\s\S]*requestTimeout +10s → 7s +set by shop\/careful \(was infra\/house-rules\)/,
    );
  });

  it('says which guarantees such a change breaks', async () => {
    const remove = ['backendtrafficpolicy/shop/patient', 'backendtrafficpolicy/infra/house-rules'];
    expect(await ask('impact', { options: { remove } })).toMatch(/patient +undecided +→ +broken/);
  });

  it('asks for effects', async () => {
    await expect(ask('impact', { options: { remove: [] } })).rejects.toThrow('apply or remove');
  });

  it("verifies the guarantees that it was started with, or the question's", async () => {
    expect(await ask('verify', {})).toContain('0 guarantees hold, 1 is broken, 1 is undecided');
    const guarantee = {
      apiVersion: 'verify.policy-machinery/v1alpha1',
      kind: 'Guarantee',
      metadata: { name: 'limited' },
      spec: { requests: { hostnames: ['shop.example.com'] }, holds: 'has(policies.RateLimitPolicy)' },
    };
    const text = await ask('verify', { text: JSON.stringify(guarantee) });
    expect([text.includes('limited'), text.includes('patient')]).toEqual([true, false]);
  });

  it('reads a cluster again for each question', async () => {
    const server = await startCluster();
    const surroundings = { transport: server.transport, kubectl: () => 'shop' };
    const explain = () =>
      ask('explain', { args: ['httproute/cart'] }, { ...files, options: {}, guarantees: [] }, surroundings);
    expect(await explain()).not.toContain('shop/careful');
    server.create(careful);
    expect(await explain()).toContain('shop/careful');
  });

  it.each([
    ['-f', '-'],
    ['-f', cluster, '-'],
  ])('does not read input that people may pipe into it from the client: mcp %s %s', async (...args) => {
    const { stderr, exitCode } = await runWith(['mcp', ...args]);
    expect([exitCode, stderr]).toEqual([2, 'gwpolicy: standard input is for the client; name files or folders\n']);
  });
});

describe('an argument of a question', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gwpolicy-mcp-'));
  const secret = join(folder, 'secret.yaml');
  beforeAll(() =>
    writeFileSync(secret, JSON.stringify({ ...careful, metadata: { name: 'hidden', namespace: 'shop' } })),
  );

  /** Questions that have a text in each place where a client can put one. */
  const questions = (text: string): readonly (readonly [string, Question])[] => [
    ['get', { args: [text] }],
    ['get', { args: ['policies'], options: { only: [`namespace=${text}`] } }],
    ['explain', { args: [text] }],
    ['explain', { args: ['httproute/shop/cart', text] }],
    ['reach', { args: [text] }],
    ['request', { args: [text] }],
    ['request', { args: ['https://shop.example.com/'], options: { method: text, header: [`x: ${text}`] } }],
    ['request', { args: ['https://shop.example.com/'], options: { gateway: text } }],
    ['request', { args: ['http://cart.shop/'], options: { client: text } }],
    ['lint', { options: { only: [`namespace=${text}`] } }],
    ['coverage', { options: { concern: [text], uncovered: true } }],
    ['impact', { options: { remove: [text] } }],
    ['impact', { options: { remove: [] }, text }],
    ['verify', { text }],
  ];

  it('names no file', async () => {
    const read = async (question: readonly [string, Question]) =>
      ask(...question).catch((error: unknown) => String(error));
    const answers = await Promise.all(
      [secret, `-f${secret}`, `--filename=${secret}`].flatMap(questions).map((question) => read(question)),
    );
    expect(answers.filter((answer) => answer.includes('hidden'))).toEqual([]);
    // The same file is read by a server that was started for it.
    expect(await ask('get', { args: ['policies'] }, { ...files, options: { filename: [secret] } })).toContain('hidden');
  });

  it('names no cluster, and starts no other kubectl than the flags do', async () => {
    const { transport } = await startCluster();
    const started: string[] = [];
    const { environment } = testEnvironment();
    const watched = {
      ...environment,
      async connect(args: readonly string[]) {
        started.push(args.join(' '));
        return transport;
      },
      async kubectl(args: readonly string[]) {
        started.push(args.join(' '));
        return 'shop';
      },
    };
    const staging: Started = { commands, options: { context: 'staging' }, guarantees: [] };
    for (const text of ['--context=production', '--kubeconfig=/etc/passwd', '-k.', '$(id)']) {
      for (const [command, question] of questions(text)) {
        await answerText(command, question, staging, watched).catch(() => '');
      }
    }
    const config = '--context staging config view --minify --output jsonpath={..namespace}';
    expect(new Set(started)).toEqual(new Set([config, '--context staging']));
  });
});
