export { type ConnectOptions, connect } from './lib/connection/connect.ts';
export type { Connection } from './lib/connection/connection.ts';
export type { KubeconfigOptions } from './lib/connection/kubeconfig.ts';
export { type KubectlOptions, kubectlTransport } from './lib/connection/kubectl-transport.ts';
export type { ApiResource } from './lib/discovery/api-resource.ts';
export { discover, resourcesOf } from './lib/discovery/discover.ts';
export { createEventRecorder, type EventRecorderOptions } from './lib/events/create-event-recorder.ts';
export type { EventDetails, EventObject } from './lib/events/event.ts';
export { EventRecorder } from './lib/events/event-recorder.ts';
export type { LeaseFault } from './lib/lease/attempts.ts';
export { holdLease, type LeaseOptions } from './lib/lease/hold-lease.ts';
export type { HoldOptions } from './lib/lease/hold-options.ts';
export { Lease, type LeaseTimes } from './lib/lease/lease.ts';
export { joinShards } from './lib/shards/join-shards.ts';
export { Shard } from './lib/shards/shard.ts';
export type { SourceChanges } from './lib/source/changes-queue.ts';
export { createSources, type Sources, type SourcesOptions } from './lib/source/create-sources.ts';
export type { KindHandlers, ListInfo, RelistReason, SourceObserver } from './lib/source/kind-handlers.ts';
export { type ListObjectsOptions, listObjects } from './lib/source/list-objects.ts';
export { isSettled, type SourcePhase, type SourceState } from './lib/source/source-state.ts';
export type { WatchEvent } from './lib/source/watch-event.ts';
export { type WatchKindOptions, watchKind } from './lib/source/watch-kind.ts';
export type { WatchedKind } from './lib/source/watched-kind.ts';
export type { Clock } from './lib/time/clock.ts';
export type { Rate } from './lib/time/token-bucket.ts';
export { type StatusCause, StatusError } from './lib/transport/status-error.ts';
export {
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from './lib/transport/transport.ts';
export { createWriter } from './lib/write/create-writer.ts';
export type { WritePriority } from './lib/write/fair-queue.ts';
export type { ObjectWrite, WriteForm, WriteOperation } from './lib/write/object-write.ts';
export type { WriteSources } from './lib/write/send-write.ts';
export type { WriteOutcome, WriteResult } from './lib/write/write-outcome.ts';
export { type WriteQueue, Writer } from './lib/write/writer.ts';
export type { WriteBudget, WriteGate, WriteQueueOptions, WriterOptions } from './lib/write/writer-options.ts';
