import { get, metadataOnly, type Requests, watchList, watchQuery } from '../requests.ts';
import { allWidgets, widgets } from '../widgets.ts';

/** Watches. */
export const watching: Requests = {
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
