import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemsPage } from './systems-page.ts';

writeFileSync(fileURLToPath(new URL('../../../../docs/systems.md', import.meta.url)), systemsPage());
