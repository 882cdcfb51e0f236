import { describe, expect, it } from 'vitest';
import { answerTo } from './answer.ts';
import { examples } from './examples.ts';

const now = new Date('2026-01-01T00:00:00Z');
const { text = '' } = examples().find(({ name }) => name === 'A kind of your own: timeouts') ?? {};
const [kind] = (await answerTo({ text, dialects: {} }, now)).kinds;
const dialects = { [kind?.name ?? '']: 'gep713' };

/** What the page lists for a text that is compared with another one. */
const changes = async (before: string, after: string) =>
  (await answerTo({ text: after, dialects, before }, now)).changes;

describe('two configurations', () => {
  it('that are the same are without changes, and one alone is compared with nothing', async () => {
    expect(await changes(text, text)).toEqual([]);
    expect((await answerTo({ text, dialects }, now)).changes).toBeUndefined();
  });

  it('differ by each field that applies otherwise, and each policy with another outcome', async () => {
    const all = (await changes('', text)) ?? [];
    expect(all.some((line) => / is now /.test(line))).toBe(true);
    const back = (await changes(text, '')) ?? [];
    expect(back.some((line) => / no longer applies$/.test(line))).toBe(true);
    expect(back.some((line) => / is gone$/.test(line))).toBe(true);
  });

  it.each(['', '{', ': : :', 'kind: Service', '\u0000'])('may be anything: %j', async (other) => {
    await expect(changes(other, text)).resolves.toBeDefined();
    await expect(changes(text, other)).resolves.toBeDefined();
  });
});
