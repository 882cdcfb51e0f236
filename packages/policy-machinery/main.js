import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));
const entries = Object.keys(manifest.exports).filter((entry) => entry.startsWith('./') && entry !== './package.json');
const names = entries.map((entry) => `  ${manifest.name}${entry.slice(1)}`);
throw new Error([`${manifest.name} has no main entry; import from one of its entries:`, ...names].join('\n'));
