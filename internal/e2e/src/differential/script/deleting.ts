import { get, mergePatch, post, type Requests, remove, watchQuery } from '../requests.ts';
import { widget, widgets } from '../widgets.ts';

/** Deleting objects, with finalizers and without. */
export const deleting: Requests = {
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
  'an object is deleted with options of an unknown kind': remove(widgets('a'), { kind: 'Nothing', apiVersion: 'v1' }),
  'an object is deleted with options that are a list': remove(widgets('a'), []),
  'an object is deleted with options that are no JSON': remove(widgets('a'), 'now'),
  'an object is deleted with options that have unknown fields': remove(widgets('a'), {
    dryRunning: true,
    preconditions: { uid: 'other' },
  }),
  'an object is deleted with empty options': remove(widgets('a'), {}),
  'an object is deleted that does not exist': remove(widgets('a')),
  'a watch hears of deletions': (seen) =>
    get(widgets(), watchQuery({ resourceVersion: seen.metadata('an object gets a finalizer', 'resourceVersion') })),
  'an object is created again': post(widgets(), widget('a', { size: 1 })),
  'a collection is deleted by label': { ...remove(widgets()), query: { labelSelector: '!none' } },
  'an object is created for a deletion with options': post(widgets(), widget('b', { size: 1 })),
  'an object is deleted with options': remove(widgets('b'), { kind: 'DeleteOptions', apiVersion: 'v1' }),
  'an object is created once more': post(widgets(), widget('a', { size: 1 })),
  'a collection is deleted with options that are no JSON': remove(widgets(), 'now'),
  'a collection is deleted with empty options': remove(widgets(), {}),
  'a collection is empty': get(widgets()),
};
