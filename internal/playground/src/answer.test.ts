import { describe, expect, it } from 'vitest';
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
    (_, text) => {
      const { page, findings, kinds } = answerTo({ text, dialects: {} }, now);
      expect(page).toMatch(/^<!doctype html>/);
      expect(kinds.length).toBeGreaterThan(0);
      for (const { message } of findings) expect(message).not.toMatch(/not a Kubernetes object|declared twice/);
    },
  );

  it.each(examples().filter(({ dialects }) => Object.keys(dialects).length > 0))(
    'merges the kind of the example $name as the example says',
    ({ text, dialects }) => {
      const { kinds, page } = answerTo({ text, dialects }, now);
      expect(kinds.map(({ name, isMerged }) => [name, isMerged])).toEqual([[Object.keys(dialects)[0], true]]);
      expect(page).toContain('ColorPolicy');
    },
  );

  it('has a finding at the line of each fault, and answers for the rest', () => {
    const { page, findings } = answerTo({ text: `${retries}---\nkind: Service\n`, dialects: {} }, now);
    expect(page).toContain('RetryPolicy');
    expect(findings.map(({ line, severity }) => `${line} ${severity}`)).toEqual(
      expect.arrayContaining(['5 error', '8 error']),
    );
  });

  it('merges a kind by the dialect that is chosen for it', () => {
    const name = 'policies.example.com/RetryPolicy';
    expect(answerTo({ text: retries, dialects: {} }, now).kinds).toEqual([{ name, isMerged: false, mayChoose: true }]);
    expect(answerTo({ text: retries, dialects: { [name]: 'patch' } }, now).kinds).toEqual([
      { name, isMerged: true, mayChoose: true },
    ]);
  });

  it.each(['', '{', ': : :', 'a: &a [*a]', '- 1\n- 2', '\u0000'])('answers for the text %j', (text) => {
    expect(() => answerTo({ text, dialects: {} }, now)).not.toThrow();
  });
});
