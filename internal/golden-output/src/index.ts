export { onTwoGateways, specsBelowTwoGateways, specsByGateway, twoGateways } from './two-gateways.ts';

import { fileURLToPath } from 'node:url';
import { type Colors, colorsFor } from '@policy-machinery/text';
import { describe, expect, it } from 'vitest';

/**
 * Holds an example to what it prints: the text of its golden file, plain on a pipe, and the same text in colours on a terminal.
 *
 * @param golden The file.
 * @param says What the output says, as the end of a sentence.
 * @param print What makes the output.
 */
export function describeOutput(golden: URL, says: string, print: (colors: Colors) => string | Promise<string>): void {
  const printed = async (stream: { readonly isTTY?: boolean }): Promise<string> => print(colorsFor(stream, {}));

  describe('the output', () => {
    it(says, async () => {
      await expect(await printed({})).toMatchFileSnapshot(fileURLToPath(golden));
    });

    it('is plain on a pipe, and the same text in colours on a terminal', async () => {
      const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
      const [plain, coloured] = [await printed({}), await printed({ isTTY: true })];
      expect(plain).not.toMatch(escapes);
      expect(coloured).toMatch(escapes);
      expect(coloured.replaceAll(escapes, '')).toBe(plain);
    });
  });
}
