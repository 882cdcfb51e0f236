import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

await bundle(pathOf('controller.ts'), pathOf('../dist/controller.mjs'));
