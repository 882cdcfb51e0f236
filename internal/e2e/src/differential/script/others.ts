import { get, mergePatch, post, put, type Requests, remove } from '../requests.ts';
import { apiVersion, namespace } from '../widgets.ts';

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

/** Built-in kinds that controllers write. */
export const others: Requests = {
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
  'a config map is deleted with empty options': remove(`/api/v1/namespaces/${namespace}/configmaps/settings`, {}),
  'a lease is deleted with empty options': remove(`${leases}/leader`, {}),
};
