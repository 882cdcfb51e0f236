import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDocumentMemory, type DocumentMemory, parseManifests } from '../../manifests.ts';
import type { Issue } from '../issue.ts';

/** Everything that people see of a text: objects, their places, and what is wrong. */
function seen(text: string, memory?: DocumentMemory) {
  const issues: Issue[] = [];
  const manifests = parseManifests(text, { onIssue: (issue) => issues.push(issue), ...(memory && { memory }) });
  const places = manifests.resources.map((resource) => [resource, manifests.positionOf(resource, '/metadata/name')]);
  return { manifests, shown: { issues, places, warnings: manifests.warnings } };
}

const service = (name: string, more = '') => `apiVersion: v1\nkind: Service\nmetadata: { name: ${name} }\n${more}`;

/** Documents: sound, faulty, empty, of several kinds. */
const document = fc.constantFrom(
  service('a'),
  service('a', '# again\n'),
  service('b', 'spec: { ports: [{ port: 80 }, &a { port: yes }] }\n'),
  service('c', 'spec: { ports: [ }\n'),
  service('d', 'spec: *none\n'),
  'apiVersion: v1\nkind: Service\nmetadata:\n  name: block\n  labels:\n    a: |\n      b\n',
  'apiVersion: v1\nkind: List\nitems: [{ kind: Service, apiVersion: v1, metadata: { name: e } }, { kind: 1 }]\n',
  '{ "kind": 1, "kind": 2 }\n',
  '',
  '# nothing\n',
  '...\n',
  '%YAML 1.1\n',
  '{{ template }}\n',
);
const texts = fc.array(document, { maxLength: 6 }).map((documents) => documents.join('---\n'));

describe('a memory of documents', () => {
  it('reads any text as without it, whatever was read before', () => {
    const property = fc.property(fc.array(texts, { minLength: 1, maxLength: 5 }), (all) => {
      const memory = createDocumentMemory();
      for (const text of all) expect(seen(text, memory).shown).toEqual(seen(text).shown);
    });
    fc.assert(property, { numRuns: 3 * Number(process.env.PROPERTY_RUNS ?? 40) });
  });

  it('reads only the document that an edit changes, and keeps the objects of the others', () => {
    const memory = createDocumentMemory();
    const documents = Array.from({ length: 100 }, (_, index) => service(`s${index}`));
    const before = seen(documents.join('---\n'), memory).manifests.resources;
    expect(memory.read).toBe(100);
    const edited = documents.with(50, service('other', '# with another line\n'));
    const { resources } = seen(edited.join('---\n'), memory).manifests;
    expect(memory.read).toBe(1);
    expect(resources.flatMap((resource, index) => (resource === before[index] ? [] : [index]))).toEqual([50]);
  });

  it('forgets documents that are gone', () => {
    const memory = createDocumentMemory();
    for (const text of [service('a'), service('b'), service('c'), service('a')]) seen(text, memory);
    expect(memory.read).toBe(1);
  });
});
