import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { knownKinds } from '@policy-machinery/known-kinds';
import { groupKindKey, objectIn, objectsIn } from '@policy-machinery/resource';
import { describe, expect, it } from 'vitest';
import { projects } from '../../../../packages/schemas/src/lib/projects.ts';
import { unpack } from '../../../../packages/schemas/src/lib/unpack.ts';
import { definitionsOf } from './definition-files.ts';
import { shippedOf } from './shipped.ts';
import { schemaSources } from './sources.ts';
import { withoutSchemas } from './without-schemas.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = resolve(`${root}../shared/field-data`);

describe.each(schemaSources)('the shipped schemas of $release', (source) => {
  const [group = ''] = source.groups;
  const data = projects[group]?.();

  it('are loaded for each group of the project', async () => {
    for (const each of source.groups) expect(await projects[each]?.()).toBe(await data);
    expect(await data).toMatchObject({ schemas: { release: source.release, source: source.url } });
  });

  const files = definitionsOf(source, folder, true);
  it.skipIf(files === undefined)('are those of the files', async () => {
    const { definitions = {} } = (await data)?.schemas ?? {};
    const shipped = shippedOf(source, files ?? []);
    expect(Object.keys(definitions)).toEqual(shipped.map(({ key }) => key));
    for (const { key, sha256, definition } of shipped) {
      const packed = definitions[key];
      expect(packed?.sha256).toBe(sha256);
      if (packed !== undefined) expect(await unpack(packed)).toEqual(definition);
    }
  });

  it('contain neither descriptions nor statuses', async () => {
    for (const packed of Object.values((await data)?.schemas.definitions ?? {})) {
      const { spec } = await unpack(packed);
      expect(JSON.stringify(spec)).not.toContain('"description":"');
      for (const { schema } of objectsIn(objectIn(spec).versions)) {
        const root = objectIn(objectIn(schema).openAPIV3Schema);
        expect(Object.keys(objectIn(root.properties))).not.toContain('status');
      }
    }
  });
});

describe('the shipped schemas', () => {
  const all = Promise.all(schemaSources.map(async ({ groups: [group = ''] }) => (await projects[group]?.())?.schemas));

  it('are there for each known kind, apart from systems with a reason', async () => {
    const keys = new Set((await all).flatMap((schemas) => Object.keys(schemas?.definitions ?? {})));
    const lacking = knownKinds.filter((kind) => !keys.has(groupKindKey(kind)));
    expect([...new Set(lacking.map(({ system }) => system))].sort()).toEqual(Object.keys(withoutSchemas).sort());
  });

  it('are listed in the README', async () => {
    const readme = readFileSync(`${root}packages/schemas/README.md`, 'utf8');
    for (const schemas of await all) {
      const packed = Object.values(schemas?.definitions ?? {});
      const bytes = packed.reduce((sum, { gzip }) => sum + gzip.length, 0);
      expect(readme).toContain(`| ${schemas?.release} | ${packed.length} | ${(bytes / 1000).toFixed(1)} kB |`);
    }
  });
});
