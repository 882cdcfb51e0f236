import { get, listOfMetadata, type Requests } from '../requests.ts';
import { allWidgets, namespace, widgets } from '../widgets.ts';

/** Lists. */
export const listing: Requests = {
  'a list of all namespaces': get(allWidgets()),
  'a list of one namespace': get(widgets()),
  'a list from the cache': get(widgets(), { resourceVersion: '0' }),
  'a list of metadata': get(widgets(), {}, listOfMetadata),
  'a list by label': get(widgets(), { labelSelector: 'tier=gold' }),
  'a list by label that is not there': get(widgets(), { labelSelector: '!tier', limit: '1' }),
  'a list by name': get(widgets(), { fieldSelector: 'metadata.name=a' }),
  'a first page': get(widgets(), { limit: '2' }),
  'a second page': (seen) => get(widgets(), { limit: '2', continue: seen.metadata('a first page', 'continue') }),
  'a second page of another size': (seen) =>
    get(widgets(), { limit: '1', continue: seen.metadata('a first page', 'continue') }),
  'a page of any version, which has all objects': get(widgets(), { limit: '1', resourceVersion: '0' }),
  'a page of any version or a later one, which has all objects': get(widgets(), {
    limit: '1',
    resourceVersion: '0',
    resourceVersionMatch: 'NotOlderThan',
  }),
  'a page not older than a version': (seen) =>
    get(widgets(), {
      limit: '1',
      resourceVersion: seen.metadata('a first page', 'resourceVersion'),
      resourceVersionMatch: 'NotOlderThan',
    }),
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
