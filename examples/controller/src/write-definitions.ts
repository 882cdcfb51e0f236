import { writeFileSync } from 'node:fs';
import { definitions } from './definitions.ts';

for (const [name, text] of definitions) writeFileSync(new URL(`../deploy/crds/${name}`, import.meta.url), text);
