import { writeFileSync } from 'node:fs';
import { generated } from './generated.ts';

for (const [path, text] of generated) writeFileSync(new URL(`../deploy/${path}`, import.meta.url), text);
