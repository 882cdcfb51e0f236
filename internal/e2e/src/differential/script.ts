import type { ScriptedRequest, Seen, Step } from './run.ts';
import { allWidgets, apiVersion, namespace, widget, widgets } from './widgets.ts';

const get = (path: string, query: Readonly<Record<string, string>> = {}, accept?: string): ScriptedRequest => ({
  method: 'GET',
  path,
  query,
  ...(accept === undefined ? {} : { headers: { accept } }),
});
const post = (path: string, body: object | string, type?: string): ScriptedRequest => ({
  method: 'POST',
  path,
  body,
  ...(type === undefined ? {} : { type }),
});
const put = (path: string, body: object): ScriptedRequest => ({ method: 'PUT', path, body });
const remove = (path: string, body?: object): ScriptedRequest => ({
  method: 'DELETE',
  path,
  ...(body === undefined ? {} : { body }),
});
const patch = (path: string, type: string, body: object | string, query = {}): ScriptedRequest => ({
  method: 'PATCH',
  path,
  type: `application/${type}`,
  body,
  query,
});
const jsonPatch = (path: string, ...operations: readonly object[]) => patch(path, 'json-patch+json', operations);
const mergePatch = (path: string, body: object) => patch(path, 'merge-patch+json', body);
const apply = (path: string, manager: string, body: object, query = {}) =>
  patch(path, 'apply-patch+yaml', body, { fieldManager: manager, ...query });
const status = (name: string) => `${widgets(name)}/status`;
const condition = (type: string, value: string) => ({ type, status: value, reason: 'Tested' });
const watchQuery = (more: Readonly<Record<string, string>>) => ({ watch: 'true', timeoutSeconds: '1', ...more });
const watchList = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' };
const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const listOfMetadata = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

type Requests = Readonly<Record<string, ScriptedRequest | ((seen: Seen) => ScriptedRequest)>>;

const creating: Requests = {
  'a namespace is created': post('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  }),
  'an object is created': post(widgets(), widget('a', { size: 1 })),
  'an object is created with a status, labels and annotations': post(widgets(), {
    ...widget('b', { size: 2 }, { labels: { tier: 'gold' }, annotations: { note: 'x' } }),
    status: { conditions: [condition('Accepted', 'True')] },
  }),
  'an object exists': post(widgets(), widget('a')),
  'an object is created with a version': post(widgets(), widget('c', {}, { resourceVersion: '5' })),
  'an object is created with a uid': post(widgets(), widget('c', {}, { uid: '00000000-0000-4000-8000-000000000000' })),
  'an object has no name': post(widgets(), widget('')),
  'the name of an object is malformed': post(widgets(), widget('A b')),
  'an object is of another version': post(widgets(), { ...widget('c'), apiVersion: `${apiVersion}beta1` }),
  'an object has no version': post(widgets(), { ...widget('c'), apiVersion: undefined }),
  'an object is of another kind': post(widgets(), { ...widget('c'), kind: 'Gadget' }),
  'an object is in another namespace': post(widgets(), widget('c', {}, { namespace: 'default' })),
  'there is no such namespace': post(widgets().replace(namespace, 'nowhere'), widget('c')),
  'a label is no text': post(widgets(), widget('c', {}, { labels: { a: 1 } })),
  'a body is no JSON': post(widgets(), '{nothing'),
  'a body is of another media type': post(widgets(), widget('c'), 'text/plain'),
  'a namespaced object is created outside a namespace': post(allWidgets(), widget('c')),
};

const reading: Requests = {
  'an object is read': get(widgets('a')),
  'the status of an object is read': get(status('b')),
  'an object is read in another version': get(widgets('a').replace('/v1/', '/v1beta1/')),
  'the metadata of an object is read': get(widgets('a'), {}, metadataOnly),
  'an object does not exist': get(widgets('none')),
  'a subresource does not exist': get(`${widgets('a')}/scale`),
  'a kind does not exist': get('/apis/differential.example.com/v1/gadgets'),
  'a version does not exist': get('/apis/differential.example.com/v2/widgets'),
  'a group does not exist': get('/apis/nowhere.example.com/v1/gadgets'),
  'a kind of the core group does not exist': get('/api/v1/gadgets'),
  'an answer is wanted in another media type': get(widgets('a'), {}, 'text/plain'),
};

const updating: Requests = {
  'an object is replaced': (seen) =>
    put(
      widgets('a'),
      widget('a', { size: 3 }, { resourceVersion: seen.metadata('an object is read', 'resourceVersion') }),
    ),
  'an object is replaced by what it is': (seen) =>
    put(
      widgets('a'),
      widget('a', { size: 3 }, { resourceVersion: seen.metadata('an object is replaced', 'resourceVersion') }),
    ),
  'an old object is replaced': (seen) =>
    put(
      widgets('a'),
      widget('a', { size: 4 }, { resourceVersion: seen.metadata('an object is read', 'resourceVersion') }),
    ),
  'an object is replaced without a version': put(widgets('a'), widget('a', { size: 4 })),
  'an object is replaced that does not exist': put(widgets('none'), widget('none')),
  'an object is replaced by one of another name': put(widgets('a'), widget('b')),
  'a collection is replaced': put(widgets(), widget('a')),
  'an object is posted to': post(widgets('a'), widget('a')),
  'labels alone are changed': (seen) =>
    put(
      widgets('a'),
      widget(
        'a',
        { size: 3 },
        { labels: { a: 'b' }, resourceVersion: seen.metadata('an object is replaced', 'resourceVersion') },
      ),
    ),
  'the status is replaced, and the spec is not': (seen) =>
    put(status('a'), {
      ...widget(
        'a',
        { size: 9 },
        { labels: {}, resourceVersion: seen.metadata('labels alone are changed', 'resourceVersion') },
      ),
      status: { conditions: [condition('Accepted', 'False')] },
    }),
  'the spec is replaced, and the status is not': (seen) =>
    put(widgets('a'), {
      ...widget(
        'a',
        { size: 5 },
        { resourceVersion: seen.metadata('the status is replaced, and the spec is not', 'resourceVersion') },
      ),
      status: {},
    }),
};

const patching: Requests = {
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

const applying: Requests = {
  'an apply creates an object': apply(widgets('applied'), 'one', widget('applied', { size: 1, colour: 'red' })),
  'an apply changes nothing': apply(widgets('applied'), 'one', widget('applied', { size: 1, colour: 'red' })),
  'an apply conflicts': apply(widgets('applied'), 'two', widget('applied', { size: 2 })),
  'an apply conflicts in two fields': apply(widgets('applied'), 'two', widget('applied', { size: 2, colour: 'blue' })),
  'an apply agrees': apply(widgets('applied'), 'two', widget('applied', { size: 1 })),
  'an apply is forced': apply(widgets('applied'), 'two', widget('applied', { size: 2 }), { force: 'true' }),
  'an apply removes what its manager alone has set': apply(widgets('applied'), 'one', widget('applied', {})),
  'an apply of the status': apply(status('applied'), 'one', {
    ...widget('applied'),
    status: { conditions: [condition('A', 'True')] },
  }),
  'an apply adds a condition': apply(status('applied'), 'two', {
    ...widget('applied'),
    status: { conditions: [condition('B', 'True')] },
  }),
  'an apply takes its condition back': apply(status('applied'), 'one', {
    ...widget('applied'),
    status: { conditions: [] },
  }),
  'an apply conflicts with an update': apply(widgets('a'), 'one', widget('a', { colour: 'blue' })),
  'an apply has no manager': patch(widgets('applied'), 'apply-patch+yaml', widget('applied')),
  'an apply has an old version': apply(widgets('applied'), 'one', widget('applied', {}, { resourceVersion: '1' })),
  'an apply has another uid': apply(
    widgets('applied'),
    'one',
    widget('applied', {}, { uid: '00000000-0000-4000-8000-000000000000' }),
  ),
  'an apply with a uid does not create': apply(
    widgets('none'),
    'one',
    widget('none', {}, { uid: '00000000-0000-4000-8000-000000000000' }),
  ),
  'an apply with a version creates': apply(
    widgets('versioned'),
    'one',
    widget('versioned', { size: 1 }, { resourceVersion: '1' }),
  ),
  'an apply of the status does not create': apply(status('none'), 'one', { ...widget('none'), status: {} }),
};

const listing: Requests = {
  'a list of all namespaces': get(allWidgets()),
  'a list of one namespace': get(widgets()),
  'a list from the cache': get(widgets(), { resourceVersion: '0' }),
  'a list of metadata': get(widgets(), {}, listOfMetadata),
  'a list by label': get(widgets(), { labelSelector: 'tier=gold' }),
  'a list by label that is not there': get(widgets(), { labelSelector: '!tier', limit: '1' }),
  'a list by name': get(widgets(), { fieldSelector: 'metadata.name=a' }),
  'a first page': get(widgets(), { limit: '2' }),
  'a second page': (seen) => get(widgets(), { limit: '2', continue: seen.metadata('a first page', 'continue') }),
  'a page that never was': get(widgets(), { limit: '2', continue: 'abc' }),
  'a list of a version to come': get(widgets(), { resourceVersion: '999999999' }),
  'a list not older than a version': (seen) =>
    get(widgets(), {
      resourceVersion: seen.metadata('a first page', 'resourceVersion'),
      resourceVersionMatch: 'NotOlderThan',
    }),
  'a list of an exact version': (seen) =>
    get(widgets(), {
      resourceVersion: seen.metadata('an object is created', 'resourceVersion'),
      resourceVersionMatch: 'Exact',
    }),
  'a list of no version': get(widgets(), { resourceVersion: 'abc' }),
  'a match without a version': get(widgets(), { resourceVersionMatch: 'Exact' }),
  'a match of any version': get(widgets(), { resourceVersionMatch: 'Exact', resourceVersion: '0' }),
  'initial events of a list': get(widgets(), { sendInitialEvents: 'true' }),
  'a selector by a field that cannot be selected': get(widgets(), { fieldSelector: 'spec.size=1' }),
  'a list of a namespace that does not exist': get(widgets().replace(namespace, 'nowhere')),
};

const watching: Requests = {
  'a watch begins with what there is': get(widgets(), watchQuery({})),
  'a watch of metadata': get(widgets(), watchQuery({}), metadataOnly),
  'a watch begins with initial events': get(widgets(), watchQuery(watchList)),
  'a watch of metadata begins with initial events': get(widgets(), watchQuery(watchList), metadataOnly),
  'a watch with bookmarks begins with what there is': get(widgets(), watchQuery({ allowWatchBookmarks: 'true' })),
  'a watch without initial events': get(widgets(), watchQuery({ ...watchList, sendInitialEvents: 'false' })),
  'a watch goes on from a version': (seen) =>
    get(widgets(), watchQuery({ resourceVersion: seen.metadata('a merge patch is applied', 'resourceVersion') })),
  'a watch by label goes on from a version': (seen) =>
    get(
      widgets(),
      watchQuery({ labelSelector: 'a', resourceVersion: seen.metadata('an object is created', 'resourceVersion') }),
    ),
  'a watch in another version goes on from a version': (seen) =>
    get(allWidgets('v1beta1'), watchQuery({ resourceVersion: seen.metadata('an apply agrees', 'resourceVersion') })),
  'a watch goes on from an old version': get(widgets(), watchQuery({ resourceVersion: '1' })),
  'a watch goes on from a version to come': get(widgets(), watchQuery({ resourceVersion: '999999999' })),
  'a watch begins with initial events of a version to come': get(
    widgets(),
    watchQuery({ ...watchList, timeoutSeconds: '10', resourceVersion: '999999999' }),
  ),
  'a watch begins at no version': get(widgets(), watchQuery({ resourceVersion: 'abc' })),
  'initial events without a match': get(widgets(), watchQuery({ sendInitialEvents: 'true' })),
  'a match without initial events': get(
    widgets(),
    watchQuery({ resourceVersionMatch: 'NotOlderThan', resourceVersion: '1' }),
  ),
};

const deleting: Requests = {
  'an object gets a finalizer': mergePatch(widgets('b'), { metadata: { finalizers: ['example.com/wait'] } }),
  'an object with a finalizer is deleted': remove(widgets('b')),
  'an object that is being deleted is deleted': remove(widgets('b')),
  'an object that is being deleted gets another finalizer': mergePatch(widgets('b'), {
    metadata: { finalizers: ['example.com/wait', 'example.com/more'] },
  }),
  'the finalizers of an object that is being deleted go': mergePatch(widgets('b'), { metadata: { finalizers: null } }),
  'an object is gone with its last finalizer': get(widgets('b')),
  'another uid is to be deleted': remove(widgets('a'), { preconditions: { uid: 'other' } }),
  'an old version is to be deleted': remove(widgets('a'), { preconditions: { resourceVersion: '1' } }),
  'an object is deleted': remove(widgets('a')),
  'an object is deleted that does not exist': remove(widgets('a')),
  'a watch hears of deletions': (seen) =>
    get(widgets(), watchQuery({ resourceVersion: seen.metadata('an object gets a finalizer', 'resourceVersion') })),
  'an object is created again': post(widgets(), widget('a', { size: 1 })),
  'a collection is deleted by label': { ...remove(widgets()), query: { labelSelector: '!none' } },
  'a collection is empty': get(widgets()),
};

const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
const lease = (holderIdentity: string, metadata = {}) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'leader', namespace, ...metadata },
  spec: {
    holderIdentity,
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:00:00.000000Z',
  },
});
const event = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name: 'conflict.1', namespace },
  eventTime: '2026-01-01T00:00:00.000000Z',
  type: 'Warning',
  reason: 'Conflict',
  action: 'WriteStatus',
  note: 'Someone else writes the same field',
  reportingController: 'example.com/controller',
  reportingInstance: 'controller-1',
  regarding: { apiVersion, kind: 'Widget', name: 'a', namespace },
};

const others: Requests = {
  'a lease does not exist': get(`${leases}/leader`),
  'a lease is created': post(leases, lease('one')),
  'a lease is renewed': (seen) =>
    put(`${leases}/leader`, lease('one', { resourceVersion: seen.metadata('a lease is created', 'resourceVersion') })),
  'a lease is taken': (seen) =>
    put(`${leases}/leader`, lease('two', { resourceVersion: seen.metadata('a lease is created', 'resourceVersion') })),
  'an old lease is renewed': (seen) =>
    put(`${leases}/leader`, lease('one', { resourceVersion: seen.metadata('a lease is created', 'resourceVersion') })),
  'a lease is renewed without a version': put(`${leases}/leader`, lease('one')),
  'a lease is renewed that does not exist': put(`${leases}/other`, {
    ...lease('one'),
    metadata: { name: 'other', namespace },
  }),
  'an event is created': post(`/apis/events.k8s.io/v1/namespaces/${namespace}/events`, event),
  'an event gets a series': mergePatch(`/apis/events.k8s.io/v1/namespaces/${namespace}/events/conflict.1`, {
    series: { count: 2, lastObservedTime: '2026-01-01T00:01:00.000000Z' },
  }),
  'a namespace is labelled': mergePatch(`/api/v1/namespaces/${namespace}`, { metadata: { labels: { team: 'shop' } } }),
  'a config map is created': post(`/api/v1/namespaces/${namespace}/configmaps`, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings' },
    data: { a: 'b' },
  }),
};

const discovering: Requests = {
  'the group': get('/apis/differential.example.com'),
  'the kinds of a version': get('/apis/differential.example.com/v1'),
  'the kinds of a version of no group': get('/apis/nowhere.example.com/v1'),
  'the versions of the core group': get('/api'),
  'the server is ready': get('/readyz'),
  'the server lives': get('/livez'),
};

/** What is asked of both servers, in this order. */
export const script: readonly Step[] = Object.entries({
  ...creating,
  ...reading,
  ...updating,
  ...patching,
  ...applying,
  ...listing,
  ...watching,
  ...deleting,
  ...others,
  ...discovering,
}).map(([name, request]) => ({ name, request: typeof request === 'function' ? request : () => request }));
