import { condition, post, type Requests } from '../requests.ts';
import { allWidgets, apiVersion, namespace, widget, widgets } from '../widgets.ts';

/** Creating objects. */
export const creating: Requests = {
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
