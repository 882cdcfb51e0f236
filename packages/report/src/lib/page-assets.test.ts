import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assets, assetsFile } from '../../page/bundle.ts';
import { pageScript, pageStyle } from './page-assets.ts';

describe('the script and the style of the page', () => {
  it('equal the sources; if not, run `npm run bundle`', async () => {
    expect(readFileSync(assetsFile, 'utf8') === (await assets())).toBe(true);
  });

  it('contain nothing that ends their elements', () => {
    expect(pageScript).not.toMatch(/<\/script|<!--/i);
    expect(pageStyle).not.toMatch(/<\/style|<!--/i);
  });
});
