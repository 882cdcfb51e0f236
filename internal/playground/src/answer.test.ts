import { createDocumentMemory } from '@policy-machinery/resource/manifests';
import { describe, expect, it } from 'vitest';
import { bad, good } from '../../../packages/cli/src/lib/covering/shop.fixture.ts';
import { answerTo } from './answer.ts';
import { examples } from './examples.ts';

const now = new Date('2026-01-01T00:00:00Z');
const retries = `apiVersion: policies.example.com/v1
kind: RetryPolicy
metadata: { name: house-rules, namespace: shop }
spec:
  targetRefs: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, name: cart }]
  attempts: 3
`;

describe('answerTo', () => {
  it.each(examples().map((example) => [example.name, example.text] as const))(
    'finds no fault of YAML in the example %s, and answers',
    async (_, text) => {
      const { page, findings, kinds } = await answerTo({ text, dialects: {} }, now);
      expect(page).toMatch(/^<!doctype html>/);
      expect(kinds.length).toBeGreaterThan(0);
      for (const { message } of findings) expect(message).not.toMatch(/not a Kubernetes object|declared twice/);
    },
  );

  it.each(examples().filter(({ dialects }) => Object.keys(dialects).length > 0))(
    'merges the kind of the example $name as the example says',
    async ({ text, dialects }) => {
      const { kinds, page } = await answerTo({ text, dialects }, now);
      const [[name] = ['']] = Object.entries(dialects);
      expect(kinds.filter(({ mayChoose }) => mayChoose)).toEqual([{ name, isMerged: true, mayChoose: true }]);
      expect(page).toContain(name.split('/').at(-1));
    },
  );

  it.each(examples().filter(({ name }) => name.startsWith('Mistake')))(
    'shows first the findings in the example $name, then the guarantee that it breaks, and answers its request',
    async ({ text, question = '' }) => {
      const { page = '', findings } = await answerTo({ text, dialects: {} }, now);
      const [, host = ''] = /hostnames: \[(.*)\]/.exec(text) ?? [];
      expect(question).toContain(`GET http://${host}/`);
      expect(page).toContain('broken');
      expect(findings.length).toBeLessThanOrEqual(2);
      expect(findings.at(-1)?.message).toContain(`: ${question} is taken by`);
    },
  );

  it('opens with a question that is answered: which route is without login', async () => {
    const [first] = examples();
    const { page = '', findings } = await answerTo({ text: first?.text ?? '', dialects: {} }, now);
    expect(findings.map(({ severity, message }) => `${severity} ${message}`)).toEqual([
      expect.stringContaining('error SecurityPolicy shop/cors replaces the authentication of Gateway infra/public'),
    ]);
    expect(page).toContain('lost to');
    expect(first?.question).toBe('GET https://cart.example.com/');
  });

  it('does not call pasted policies wrong because they lack a creation time', async () => {
    const { findings } = await answerTo({ text: bad, dialects: {} }, now);
    expect(findings.filter(({ message }) => message.includes('creationTimestamp'))).toEqual([]);
  });

  it('has a finding at the line of a guarantee that cannot be verified', async () => {
    const guarantee = `---
apiVersion: verify.policy-machinery/v1alpha1
kind: Guarantee
metadata: { name: faulty }
spec:
  holds: has(policies.RetryPolcy)
`;
    const { findings } = await answerTo({ text: `${retries}${guarantee}`, dialects: {} }, now);
    expect(findings).toContainEqual(
      expect.objectContaining({
        line: 12,
        severity: 'error',
        message: expect.stringContaining('does not have the field RetryPolcy'),
      }),
    );
  });

  it('answers which requests are protected, and reports the policy that replaces the authentication', async () => {
    const { page, findings } = await answerTo({ text: bad, dialects: {} }, now);
    expect(page).toContain('Other policies replace the authentication of Gateway infra/public');
    expect(findings.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('SecurityPolicy shop/cors replaces the authentication of Gateway infra/public'),
    );
    expect((await answerTo({ text: good, dialects: {} }, now)).page).not.toContain('Other policies replace');
  });

  it('shows the policies of Gateway API or of a mesh, as you choose', async () => {
    const { text = '', dialects = {} } = examples().find(({ name }) => name.startsWith('Puzzle')) ?? {};
    const own = await answerTo({ text, dialects }, now);
    const mesh = await answerTo({ text, dialects, hierarchy: 'mesh' }, now);
    expect([own.hierarchies, mesh.hierarchies]).toEqual([
      ['Gateway API', 'mesh'],
      ['mesh', 'Gateway API'],
    ]);
    const kindsOf = ({ kinds }: typeof own) => kinds.map(({ name }) => name.split('/').at(-1));
    expect(kindsOf(own)).toEqual(expect.arrayContaining(['AuthPolicy', 'RateLimitPolicy', 'TimeoutPolicy']));
    expect(kindsOf(mesh)).toEqual(['AuthorizationPolicy']);
    expect((await answerTo({ text: retries, dialects: {}, hierarchy: 'mesh' }, now)).hierarchies).toEqual([
      'Gateway API',
    ]);
  });

  it('reads only the documents that an edit changes, and answers as without a memory', async () => {
    const { text = '' } = examples().find(({ name }) => name === 'A policy over 47 Services') ?? {};
    const memory = createDocumentMemory();
    const first = await answerTo({ text, dialects: {} }, now, memory);
    const edited = `${text}\n---\n${retries}`;
    const second = await answerTo({ text: edited, dialects: {} }, now, memory);
    expect(first.read).toBeGreaterThan(47);
    expect(second.read).toBeLessThanOrEqual(2);
    expect({ ...second, read: 0 }).toEqual({ ...(await answerTo({ text: edited, dialects: {} }, now)), read: 0 });
  });

  it('has a finding at the line of each fault, and answers for the rest', async () => {
    const { page, findings } = await answerTo({ text: `${retries}---\nkind: Service\n`, dialects: {} }, now);
    expect(page).toContain('RetryPolicy');
    expect(findings.map(({ line, severity }) => `${line} ${severity}`)).toEqual(
      expect.arrayContaining(['5 error', '8 error']),
    );
  });

  it('merges a kind by the dialect that is chosen for it', async () => {
    const name = 'policies.example.com/RetryPolicy';
    expect((await answerTo({ text: retries, dialects: {} }, now)).kinds).toEqual([
      { name, isMerged: false, mayChoose: true },
    ]);
    expect((await answerTo({ text: retries, dialects: { [name]: 'patch' } }, now)).kinds).toEqual([
      { name, isMerged: true, mayChoose: true },
    ]);
  });

  it.each(['', '{', ': : :', 'a: &a [*a]', '- 1\n- 2', '\u0000'])('answers for the text %j', async (text) => {
    await expect(answerTo({ text, dialects: {} }, now)).resolves.toBeDefined();
  });
});
