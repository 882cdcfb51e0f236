import { condition, jsonPatch, mergePatch, patch, type Requests, status } from '../requests.ts';
import { widgets } from '../widgets.ts';

/** JSON Patches and merge patches. */
export const patching: Requests = {
  'a JSON Patch is applied': jsonPatch(widgets('a'), { op: 'replace', path: '/spec/size', value: 6 }),
  'a JSON Patch of the status is applied': jsonPatch(status('a'), {
    op: 'replace',
    path: '/status/conditions/0/status',
    value: 'True',
  }),
  'a JSON Patch changes nothing': jsonPatch(widgets('a'), { op: 'replace', path: '/spec/size', value: 6 }),
  'a test of an old version fails': jsonPatch(
    widgets('a'),
    { op: 'test', path: '/metadata/resourceVersion', value: '1' },
    { op: 'replace', path: '/spec/size', value: 7 },
  ),
  'a test of the version passes': (seen) =>
    jsonPatch(
      widgets('a'),
      {
        op: 'test',
        path: '/metadata/resourceVersion',
        value: seen.metadata('a JSON Patch changes nothing', 'resourceVersion'),
      },
      { op: 'replace', path: '/spec/size', value: 7 },
    ),
  'the version is replaced by an old one': jsonPatch(
    status('a'),
    { op: 'replace', path: '/metadata/resourceVersion', value: '1' },
    { op: 'replace', path: '/status/conditions', value: [] },
  ),
  'the version is replaced by the present one': (seen) =>
    jsonPatch(
      status('a'),
      {
        op: 'replace',
        path: '/metadata/resourceVersion',
        value: seen.metadata('a test of the version passes', 'resourceVersion'),
      },
      { op: 'add', path: '/status/conditions/-', value: condition('Programmed', 'True') },
    ),
  'a path of a JSON Patch does not exist': jsonPatch(widgets('a'), { op: 'remove', path: '/spec/none' }),
  'a parent of a path of a JSON Patch does not exist': jsonPatch(widgets('a'), {
    op: 'add',
    path: '/spec/x/y',
    value: 1,
  }),
  'a JSON Patch is no list': patch(widgets('a'), 'json-patch+json', { op: 'test' }),
  'a JSON Patch is no JSON': patch(widgets('a'), 'json-patch+json', '[nothing'),
  'a JSON Patch changes the name': jsonPatch(widgets('a'), { op: 'replace', path: '/metadata/name', value: 'z' }),
  'a JSON Patch changes the uid': jsonPatch(widgets('a'), { op: 'replace', path: '/metadata/uid', value: 'z' }),
  'an object is patched that does not exist': jsonPatch(widgets('none'), { op: 'remove', path: '/spec/size' }),
  'a merge patch is applied': mergePatch(widgets('a'), {
    metadata: { labels: { a: null, c: 'd' } },
    spec: { size: null, colour: 'red' },
  }),
  'a merge patch of the status is applied': mergePatch(status('a'), { spec: { size: 1 }, status: { conditions: [] } }),
  'a merge patch has an old version': mergePatch(widgets('a'), {
    metadata: { resourceVersion: '1' },
    spec: { size: 1 },
  }),
  'a patch is strategic': patch(widgets('a'), 'strategic-merge-patch+json', {}),
  'a patch is of no known type': patch(widgets('a'), 'json', {}),
};
