import { readdirSync, readFileSync } from 'node:fs';

const manifests = readdirSync('packages').map((name) =>
  JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')),
);

/** The API reference, from the docstrings of all packages that are published. Whatever is exported and has none is an error. */
export default {
  name: 'policy-machinery',
  entryPoints: ['packages/*/src/*.ts'],
  exclude: ['packages/{policy-machinery,cli}/**', 'packages/*/src/inner.ts'],
  packagesRequiringDocumentation: manifests.map(({ name }) => name),
  // Properties may speak for themselves.
  requiredToBeDocumented: ['Variable', 'Function', 'Class', 'Interface', 'TypeAlias', 'Enum', 'Method', 'Accessor'],
  validation: { notExported: true, invalidLink: true, notDocumented: true },
  treatWarningsAsErrors: true,
  // `npm run typecheck` checks the types.
  skipErrorChecking: true,
  readme: 'none',
  disableSources: true,
  excludeInternal: true,
  out: 'docs/api',
  plugin: [
    // Modules go by the names that are imported: `@policy-machinery/resource/node`, not `resource/src/node`.
    ({ converter }) =>
      converter.on('resolveEnd', ({ project }) => {
        for (const module of project.children ?? [])
          module.name = `@policy-machinery/${module.name.replace('/src', '')}`;
      }),
  ],
};
