import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundlePlugin } from './bundle.ts';

const folder = fileURLToPath(new URL('../dist/effective-policies/', import.meta.url));
const manifest = {
  name: 'effective-policies',
  version: '0.1.0',
  description: 'Effective policies on the pages of their targets',
};

mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}main.js`, await bundlePlugin());
writeFileSync(`${folder}package.json`, `${JSON.stringify(manifest, undefined, 2)}\n`);
console.log('The plugin is in dist/effective-policies: copy this folder into the plugins folder of Headlamp.');
