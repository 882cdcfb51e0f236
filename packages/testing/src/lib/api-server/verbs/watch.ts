import { LineStream } from '../../transport/line-stream.ts';
import type { Cluster } from '../cluster.ts';
import { resourceKey } from '../kinds/served-kind.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { type ObjectTest, selectorOf } from '../requests/selectors.ts';
import { expired, type StatusError, tooLargeVersion } from '../statuses.ts';
import type { Change, Entry } from '../store.ts';
import { type ListOptions, listOptions } from './list-options.ts';
import { render } from './read.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const second = 1000;
/** Bookmarks come so often, and so long before the end of a watch. */
const bookmarks = { every: 60 * second, beforeEnd: 2 * second };
/** The default duration of a watch. */
const defaultTimeout = 1800;

/** Answers a WATCH: a stream of events, which ends when its time is over. */
export function watch(cluster: Cluster, request: ResourceRequest): LineStream {
  const { kind, namespace, query, apiVersion, representation } = request;
  const { store } = cluster;
  const options = listOptions(query, cluster.watchLists);
  const selects = selectorOf(query);
  const isSelected: ObjectTest = (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) && selects(object);
  const stream = new LineStream();
  const send = (type: EventType, json: string): void => cluster.send(stream, request, type, json);
  const sendEntry = (type: EventType, entry: Entry): void => send(type, render(entry, apiVersion, representation));
  const sendChange = (change: Change): void => {
    const event = eventOf(change, isSelected);
    if (event !== undefined) sendEntry(event.type, event.entry);
  };
  const sendBookmark = (annotations?: Readonly<Record<string, string>>): void => {
    const names = representation === 'object' ? { kind: kind.kind, apiVersion } : partialNames;
    const metadata = { resourceVersion: String(store.revision), ...(annotations && { annotations }) };
    send('BOOKMARK', JSON.stringify({ ...names, metadata }));
  };

  const resource = resourceKey(kind);
  const refusal = refusalOf(cluster, options);
  if (refusal !== undefined) {
    send('ERROR', JSON.stringify(refusal.status));
    stream.end();
    return stream;
  }
  if (sendsState(options)) {
    for (const [, entry] of store.list(resource)) if (isSelected(entry.object)) sendEntry('ADDED', entry);
    if (options.bookmarks) sendBookmark({ 'k8s.io/initial-events-end': 'true' });
  } else {
    for (const change of store.changesAfter(options.version ?? store.revision, resource)) sendChange(change);
  }
  const earliest = options.version ?? 0;
  stream.onClose(
    store.listen((change) => {
      if (change.resource === resource && change.revision > earliest) sendChange(change);
    }),
  );
  const seconds = Number(query.timeoutSeconds) || defaultTimeout;
  keepTime(cluster, stream, seconds * second, options.bookmarks ? sendBookmark : () => {});
  return stream;
}

const partialNames = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' };

/** Returns whether a watch begins with the existing objects. */
function sendsState({ version, sendInitialEvents }: ListOptions): boolean {
  return sendInitialEvents ?? !version;
}

/** Returns why a watch cannot begin at its version; `undefined` if it can. */
function refusalOf({ store }: Cluster, options: ListOptions): StatusError | undefined {
  const { version = 0 } = options;
  if (sendsState(options)) return version > store.revision ? tooLargeVersion(version, store.revision) : undefined;
  return version > 0 && version < store.compacted
    ? expired(`too old resource version: ${version} (${store.compacted})`)
    : undefined;
}

/**
 * Returns the event of a change for a watch that selects objects. An object that begins to match is added; one that no longer matches is
 * deleted.
 */
function eventOf(
  { previous, current, last, revision }: Change,
  isSelected: ObjectTest,
): { readonly type: EventType; readonly entry: Entry } | undefined {
  const was = previous !== undefined && isSelected(previous.object);
  const is = current !== undefined && isSelected(current.object);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', entry: current };
  if (!was) return undefined;
  return { type: 'DELETED', entry: last ?? previous.at(revision) };
}

/** Sends bookmarks from time to time, and ends a stream after its time. */
function keepTime({ clock }: Cluster, stream: LineStream, duration: number, sendBookmark: () => void): void {
  const start = clock.monotonic();
  const end = start + duration;
  let cancel = (): void => {};
  const scheduleBookmark = (): void => {
    const time = clock.monotonic();
    const next = Math.min(time + bookmarks.every, end - bookmarks.beforeEnd);
    if (next <= time) return;
    cancel = clock.setTimeout(() => {
      sendBookmark();
      scheduleBookmark();
    }, next - time);
  };
  scheduleBookmark();
  const cancelEnd = clock.setTimeout(() => stream.end(), duration);
  stream.onClose(() => {
    cancel();
    cancelEnd();
  });
}
