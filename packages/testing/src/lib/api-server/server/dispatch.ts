import type { Cluster } from '../cluster.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { methodNotAllowed, notFound } from '../statuses.ts';
import type { Entry } from '../store.ts';
import { create } from '../verbs/create.ts';
import { remove, removeAll } from '../verbs/delete.ts';
import { list } from '../verbs/list.ts';
import { patch } from '../verbs/patch.ts';
import { get, render } from '../verbs/read.ts';
import { update } from '../verbs/update.ts';
import { watch } from '../verbs/watch.ts';
import { type Answer, jsonAnswer } from './answer.ts';

type Handler = (cluster: Cluster, request: ResourceRequest) => Answer;

const entryAnswer = (status: number, entry: Entry, { apiVersion, representation }: ResourceRequest): Answer =>
  jsonAnswer(status, render(entry, apiVersion, representation));

const handlers: Readonly<Record<ResourceRequest['verb'], Handler>> = {
  get: (cluster, request) => jsonAnswer(200, get(cluster, request)),
  list: (cluster, request) => jsonAnswer(200, list(cluster, request)),
  watch: (cluster, request) => jsonAnswer(200, watch(cluster, request)),
  create: (cluster, request) => entryAnswer(201, create(cluster, request), request),
  update: (cluster, request) => {
    const { entry, isNew } = update(cluster, request);
    return entryAnswer(isNew ? 201 : 200, entry, request);
  },
  patch: (cluster, request) => {
    const { entry, isNew } = patch(cluster, request);
    return entryAnswer(isNew ? 201 : 200, entry, request);
  },
  delete: (cluster, request) => {
    const result = remove(cluster, request);
    return 'object' in result ? entryAnswer(200, result, request) : jsonAnswer(200, JSON.stringify(result));
  },
  deletecollection: (cluster, request) => {
    const answer = jsonAnswer(200, list(cluster, request));
    removeAll(cluster, request);
    return answer;
  },
};

/** Carries out a request for objects. Throws a `StatusError` if it is refused. */
export function dispatch(cluster: Cluster, request: ResourceRequest): Answer {
  const { verb, kind, subresource, name } = request;
  if (subresource !== undefined) {
    if (subresource !== 'status' || !kind.hasStatus) throw notFound(kind, name ?? '');
    if (!['get', 'update', 'patch'].includes(verb)) throw methodNotAllowed();
  }
  return handlers[verb](cluster, request);
}
