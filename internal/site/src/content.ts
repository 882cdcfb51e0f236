import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../checks/files.ts';
import { findingPages } from './finding-pages.ts';
import { pages, pictures } from './pages.ts';

const content = fileURLToPath(new URL('../content/', import.meta.url));

rmSync(content, { recursive: true, force: true });
for (const [from, to] of [...pages, ...pictures.map((path) => [path, path] as const)]) {
  mkdirSync(dirname(join(content, to)), { recursive: true });
  copyFileSync(join(root, from), join(content, to));
}
mkdirSync(join(content, 'public'), { recursive: true });
copyFileSync(new URL('mark.svg', import.meta.url), join(content, 'public/mark.svg'));
cpSync(new URL('pictures', import.meta.url), join(content, 'pictures'), { recursive: true });
for (const [name, text] of findingPages()) {
  mkdirSync(join(content, 'findings'), { recursive: true });
  writeFileSync(join(content, `findings/${name}.md`), text);
}
// The first page is at the root of the site.
const home = readFileSync(new URL('home.md', import.meta.url), 'utf8');
writeFileSync(join(content, 'index.md'), home.replaceAll('](../../../', ']('));
