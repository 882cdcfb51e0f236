import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { definitionsOf } from './definition-files.ts';
import { type ShippedDefinition, shippedOf } from './shipped.ts';
import { type SchemaSource, schemaSources } from './sources.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = resolve(process.argv[2] ?? `${root}../shared/field-data`);

/** Writes the data of `packages/schemas`, a file for each project. The data of a project without files stays as it is. */
for (const source of schemaSources) {
  const files = definitionsOf(source, folder);
  if (files === undefined)
    console.log(`SKIPPED: the definitions of ${source.release} are not on this machine. The committed data stays.`);
  else write(source, shippedOf(source, files));
}

/** Writes the data as the formatter of the repository formats it. No string of it has quotes. */
function write({ name, release, url }: SchemaSource, shipped: readonly ShippedDefinition[]): void {
  const definitions = shipped.map(({ key, sha256, definition }) => {
    return { key, sha256, gzip: gzipSync(JSON.stringify(definition), { level: 9 }).toString('base64') };
  });
  const lines = [
    "import type { ProjectSchemas } from '../project-schemas.ts';",
    '',
    '// Written by npm run schemas.',
    'export const schemas: ProjectSchemas = {',
    `  release: '${release}',`,
    `  source: '${url}',`,
    '  definitions: {',
    ...definitions.flatMap(({ key, sha256, gzip }) => [
      `    '${key}': {`,
      `      sha256: '${sha256}',`,
      `      gzip: '${gzip}',`,
      '    },',
    ]),
    '  },',
    '};',
    '',
  ];
  writeFileSync(`${root}packages/schemas/src/lib/data/${name}.ts`, lines.join('\n'));
  const size = definitions.reduce((sum, { gzip }) => sum + gzip.length, 0);
  console.log(`${release}: ${definitions.length} kinds, ${size} bytes`);
}
