import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDocument } from './docs/markdown.ts';
import { root } from './files.ts';

const path = 'docs/getting-started.md';
const { blocks } = readDocument(path, readFileSync(root + path, 'utf8'));
const codeIn = (language: string) => blocks.filter((block) => block.language === language).map(({ code }) => code);

/** The commands of getting started, which set up a folder. */
export const [commands = ''] = codeIn('sh');

/** The program of getting started. */
export const program = codeIn('ts').join('\n');

/** What the page says that the program prints. */
export const output = codeIn('text').join('');

/** Writes what the page tells its reader to save. */
export function writeFilesTo(folder: string): void {
  writeFileSync(join(folder, 'main.ts'), program);
  writeFileSync(join(folder, 'tsconfig.json'), codeIn('json').join(''));
  for (const manifest of codeIn('yaml')) {
    const name = join(folder, manifest.slice('# '.length, manifest.indexOf('\n')));
    mkdirSync(dirname(name), { recursive: true });
    writeFileSync(name, manifest);
  }
}
