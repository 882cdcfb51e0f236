import { readdirSync } from 'node:fs';
import type { TestProjectConfiguration } from 'vitest/config';

/** Its tests stand elsewhere than those of the others. */
const checks = 'internal/checks';

const workspaces = ['packages', 'examples', 'internal']
  .flatMap((folder) => readdirSync(new URL(folder, import.meta.url)).map((name) => `${folder}/${name}`))
  .filter((workspace) => workspace !== checks);

/** One project for each workspace, one for what users see of all, and one that checks the types of all `*.test-d.ts` files. */
const projects: TestProjectConfiguration[] = [
  ...workspaces.map((root) => ({
    extends: true as const,
    test: { name: root, root, include: ['src/**/*.test.ts'] },
  })),
  {
    extends: true as const,
    test: { name: checks, root: checks, include: ['*.test.ts', '{docs,incremental}/**/*.test.ts'] },
  },
  {
    extends: true as const,
    test: {
      name: 'types',
      include: [],
      typecheck: { enabled: true, only: true, include: ['packages/*/src/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    },
  },
];

export default projects;
