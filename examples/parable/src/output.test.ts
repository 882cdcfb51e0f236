import { describe, expect, it } from 'vitest';
import { cluster } from './cluster.fixture.ts';
import { colorsFor } from './colors.ts';
import { tell } from './story.ts';

async function told(stream: { readonly isTTY?: boolean }): Promise<string> {
  return tell(await cluster(), colorsFor(stream, {}));
}

describe('the output', () => {
  it('tells the parable', async () => {
    await expect(await told({})).toMatchFileSnapshot('../output.golden.txt');
  });

  it('is plain on a pipe, and the same text in colours on a terminal', async () => {
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    const [plain, coloured] = [await told({}), await told({ isTTY: true })];
    expect(plain).not.toMatch(escapes);
    expect(coloured).toMatch(escapes);
    expect(coloured.replaceAll(escapes, '')).toBe(plain);
  });
});
