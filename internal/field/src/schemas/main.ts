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

function write({ name, release, url }: SchemaSource, shipped: readonly ShippedDefinition[]): void {
  const definitions = shipped.map(({ key, sha256, definition }) => {
    const gzip = gzipSync(JSON.stringify(definition), { level: 9 }).toString('base64');
    return [key, { sha256, gzip }] as const;
  });
  const data = JSON.stringify({ release, source: url, definitions: Object.fromEntries(definitions) }, undefined, 2);
  const header = "import type { ProjectSchemas } from '../project-schemas.ts';\n\n// Written by npm run schemas.\n";
  const file = `${root}packages/schemas/src/lib/data/${name}.ts`;
  writeFileSync(file, `${header}export const schemas: ProjectSchemas = ${data};\n`);
  const size = definitions.reduce((sum, [, { gzip }]) => sum + gzip.length, 0);
  console.log(`${release}: ${definitions.length} kinds, ${size} bytes`);
}
