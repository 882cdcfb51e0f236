import { groupKindKey, groupOf, type JsonObject } from '@policy-machinery/resource';
import { fieldsAt, versionSchemas } from '@policy-machinery/resource/inner';
import { parseManifests } from '@policy-machinery/resource/manifests';
import { releasedDefinitions } from '@policy-machinery/schemas';

/** The fields that may be written at a place. */
export interface FieldsAt {
  /** The offset of the beginning of the word at the place. */
  readonly from: number;
  readonly fields: readonly string[];
}

/**
 * Returns the fields that the schema of an object has at a place in manifests in block style: by a definition in the manifests, or else of
 * a release.
 *
 * @param text The manifests.
 * @param offset The place.
 * @returns The fields; `undefined` if no key of an object can begin at the place.
 */
export async function fieldsIn(text: string, offset: number): Promise<FieldsAt | undefined> {
  const start = text.lastIndexOf('\n---', offset - 1) + 1;
  const end = text.indexOf('\n---', offset);
  const before = text.slice(start, offset).split('\n');
  const word = /^(?: *- +)* *(\w*)$/.exec(before.at(-1) ?? '')?.[1];
  if (word === undefined) return undefined;
  const schema = await schemaOf(text, text.slice(start, end < 0 ? undefined : end));
  return schema && { from: offset - word.length, fields: fieldsAt(schema, pathTo(before)) };
}

/** Returns the schema of the object in a document. */
async function schemaOf(text: string, document: string): Promise<JsonObject | undefined> {
  const [apiVersion, kind] = ['apiVersion', 'kind'].map(
    (key) => new RegExp(`^${key}: *["']?([\\w./-]+)`, 'm').exec(document)?.[1],
  );
  if (apiVersion === undefined || kind === undefined) return undefined;
  const own = text.includes('CustomResourceDefinition')
    ? [...parseManifests(text, { onIssue: () => {} }).resources]
    : [];
  const released = await releasedDefinitions([...own, { apiVersion, kind, metadata: { name: 'any' } }]);
  const group = groupOf(apiVersion);
  const key = groupKindKey({ group, kind });
  return [...own, ...released.map(({ definition }) => definition)]
    .flatMap(versionSchemas)
    .find((schema) => schema.kind === key && apiVersion.endsWith(schema.version))?.schema;
}

/** Returns the keys and indexes that lead to the last of some lines, by their indentation. */
function pathTo(lines: readonly string[]): readonly string[] {
  const path: string[] = [];
  let [keysBefore, dashesBefore] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [index, line] of lines.toReversed().entries()) {
    const [, lead = '', , key] = /^((?: *- +)* *)(([\w.-]+):(?= |$))?/.exec(line) ?? [];
    const column = lead.length;
    if (index === 0) [keysBefore, dashesBefore] = [column, column];
    else if (key !== undefined && column < keysBefore) {
      path.unshift(key);
      [keysBefore, dashesBefore] = [column, column];
    }
    for (let at = column - 1; at >= 0; at -= 1) {
      if (lead[at] !== '-' || at >= dashesBefore) continue;
      path.unshift('0');
      [keysBefore, dashesBefore] = [at + 1, at]; // A list may begin at the column of its key.
    }
  }
  return path;
}
