import { get, metadataOnly, type Requests, status } from '../requests.ts';
import { widgets } from '../widgets.ts';

/** Reading one object. */
export const reading: Requests = {
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
