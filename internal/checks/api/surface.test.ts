import { describe, expect, it } from 'vitest';
import { root } from '../files.ts';
import { listed, surfaceOf } from './surface.ts';

describe.each(listed.map((each) => [each.manifest.name, each] as const))('%s', (_name, each) => {
  const surface = surfaceOf(each);

  it('exports the names in its api.md: if you mean the change, run `npm run api`', async () => {
    await expect(surface).toMatchFileSnapshot(`${root}${each.folder}/api.md`);
  });

  it.each([...each.entries.keys()])('lists each value that %s exports', async (entry) => {
    const values = Object.keys(await import(/* @vite-ignore */ entry));
    const section = surface.split(/^## /m).find((it) => it.startsWith(`\`${entry}\``)) ?? '';
    expect(values.filter((name) => !new RegExp(`^export .*\\b${name}\\b`, 'm').test(section))).toEqual([]);
  });
});
