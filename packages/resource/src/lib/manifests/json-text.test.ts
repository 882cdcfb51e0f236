import { describe, expect, it } from 'vitest';
import { parseManifests } from '../../manifests.ts';
import { issuesIn } from './issues.fixture.ts';

const service = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, labels: { a: '}"{', b: '\\' } },
});
const written = (value: object) => JSON.stringify(value, null, 1);

describe('several JSON documents in one text', () => {
  it.each([
    ['on lines of their own', '\n'],
    ['without anything between them', ''],
    ['with blank lines between them', '\r\n\t\n'],
    ['with "---" between them', '\n---\n'],
  ])('are read %s, as kubectl does, each with its position', (_, between) => {
    const list = { apiVersion: 'v1', kind: 'List', items: [service('b')] };
    const text = [written(service('a')), written(list), JSON.stringify(service('c'))].join(between);
    const manifests = parseManifests(text);
    expect(manifests.resources).toEqual([service('a'), service('b'), service('c')]);
    const [, second] = manifests.resources;
    const line = text.slice(0, text.indexOf('"name": "b"')).split('\n').length;
    expect(second && manifests.positionOf(second, '/metadata/name')).toMatchObject({ line });
  });

  it.each([
    ['is not complete', '{"apiVersion":"v1","kind":"Service","metadata":{"name":"b"'],
    ['ends in a string', '{"apiVersion":"v1","kind":"Service","metadata":{"name":"b'],
    ['is followed by a text', '{"apiVersion":"v1","kind":"Service","metadata":{"name":"b"}} and'],
    ['has a key twice', '{"apiVersion":"v1","kind":"Service","kind":"Service","metadata":{"name":"b"}}'],
    ['ends twice', '{"apiVersion":"v1","kind":"Service","metadata":{"name":"b"}}}'],
  ])('are refused if the last one %s', (_, last) => {
    expect(issuesIn(`${written(service('a'))}\n${last}\n`)).not.toEqual([]);
  });
});
