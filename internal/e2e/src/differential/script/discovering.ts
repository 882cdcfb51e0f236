import { get, type Requests } from '../requests.ts';

/** Discovery and health. */
export const discovering: Requests = {
  'the group': get('/apis/differential.example.com'),
  'the kinds of a version': get('/apis/differential.example.com/v1'),
  'the kinds of a version of no group': get('/apis/nowhere.example.com/v1'),
  'the versions of the core group': get('/api'),
  'the server is ready': get('/readyz'),
  'the server lives': get('/livez'),
};
