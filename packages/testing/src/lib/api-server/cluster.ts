import type { Clock } from '../clock/clock.ts';
import type { LineStream } from '../transport/line-stream.ts';
import type { KindTable } from './kinds/kind-table.ts';
import type { ResourceRequest } from './requests/request.ts';
import type { Store } from './store.ts';

/** The state that all requests share. */
export interface Cluster {
  readonly clock: Clock;
  readonly store: Store;
  readonly kinds: KindTable;
  /** Whether watches send initial events, with a bookmark at their end. */
  readonly watchLists: boolean;
  /** Returns an identifier that no object had before. */
  newUid(): string;
  /** Sends an event to a watch, unless a fault prevents that. */
  send(stream: LineStream, request: ResourceRequest, type: string, json: string): void;
}
