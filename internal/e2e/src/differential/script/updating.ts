import { condition, post, put, type Requests, status } from '../requests.ts';
import { widget, widgets } from '../widgets.ts';

/** Replacing objects. */
export const updating: Requests = {
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
