import type { InstrumentDefinition } from '@policy-machinery/observability/inner';
import { computeBuckets, lagBuckets } from './buckets.ts';

/** Instruments that only policy controllers have. A `kind` is written as in CRD names, with its group: `httproute.gateway.networking.k8s.io`. */
export const ownInstruments = {
  sourceState: {
    type: 'gauge',
    name: 'policy_machinery_source_state',
    help: '1 for the state that the source of a kind is in, 0 for the others: listing, synced, stale, absent, forbidden',
    labels: ['kind', 'state'],
  },
  sourceStale: {
    type: 'gauge',
    name: 'policy_machinery_source_stale_seconds',
    help: 'Seconds since the watch of a kind stopped delivering changes; 0 while it works',
    labels: ['kind'],
  },
  sourceFailures: {
    type: 'counter',
    name: 'policy_machinery_source_failures_total',
    help: 'Lists and watches that failed, by HTTP status or system code',
    labels: ['kind', 'code'],
  },
  objects: {
    type: 'gauge',
    name: 'policy_machinery_objects',
    help: 'Objects of a kind in memory',
    labels: ['kind'],
  },
  malformedObjects: {
    type: 'counter',
    name: 'policy_machinery_malformed_objects_total',
    help: 'Objects left out because they are not Kubernetes objects, each time that they arrived',
    labels: ['kind'],
  },
  quarantinedObjects: {
    type: 'gauge',
    name: 'policy_machinery_quarantined_objects',
    help: 'Objects with an invalid last version, so that the version before counts',
    labels: ['kind'],
  },
  watchEvents: {
    type: 'counter',
    name: 'policy_machinery_watch_events_total',
    help: 'Events of watches, by type: ADDED, MODIFIED, DELETED, BOOKMARK, ERROR',
    labels: ['kind', 'type'],
  },
  relists: {
    type: 'counter',
    name: 'policy_machinery_relists_total',
    help: 'How often all objects of a kind were read, by reason: start, expired, too-large, served-again, failed',
    labels: ['kind', 'reason'],
  },
  policies: {
    type: 'gauge',
    name: 'policy_machinery_policies',
    help: 'Policies of a kind by outcome: enforced, overridden, conflicted, invalid, target-not-found and others. On the leader',
    labels: ['kind', 'outcome'],
  },
  effectiveContexts: {
    type: 'gauge',
    name: 'policy_machinery_effective_contexts',
    help: 'Effective policies of a kind: one for each target and context with policies',
    labels: ['kind'],
  },
  guarantees: {
    type: 'gauge',
    name: 'policy_machinery_guarantees',
    help: '1 for the present answer about a guarantee, 0 for the others: holds, broken, undecided. On the leader',
    labels: ['guarantee', 'answer'],
  },
  applyDuration: {
    type: 'histogram',
    name: 'policy_machinery_apply_seconds',
    help: 'Seconds to take a slice of changes into the topology',
    labels: [],
    buckets: computeBuckets,
  },
  refreshDuration: {
    type: 'histogram',
    name: 'policy_machinery_refresh_seconds',
    help: 'Seconds to compute the effective policies again that a slice of changes touches',
    labels: [],
    buckets: computeBuckets,
  },
  planDuration: {
    type: 'histogram',
    name: 'policy_machinery_plan_seconds',
    help: 'Seconds to plan the statuses for a slice of changes',
    labels: [],
    buckets: computeBuckets,
  },
  statusWrites: {
    type: 'counter',
    name: 'policy_machinery_status_writes_total',
    help: 'Status writes to objects of a kind, by result: written, conflict, outdated, gone, refused, retried',
    labels: ['kind', 'result'],
  },
  statusWriteDuration: {
    type: 'histogram',
    name: 'policy_machinery_status_write_seconds',
    help: 'Seconds from the plan of a status until the API server has it',
    labels: [],
    buckets: lagBuckets,
  },
  statusLag: {
    type: 'histogram',
    name: 'policy_machinery_status_lag_seconds',
    help: 'Seconds from the arrival of a change until the API server has the statuses that follow from it',
    labels: [],
    buckets: lagBuckets,
  },
  refusedStatuses: {
    type: 'gauge',
    name: 'policy_machinery_refused_statuses',
    help: 'Objects of a kind with a status that the API server refuses',
    labels: ['kind'],
  },
  eventLoopLag: {
    type: 'gauge',
    name: 'policy_machinery_event_loop_lag_seconds',
    help: 'The longest time that the process was busy without a break, within the last minute or two',
    labels: [],
  },
} as const satisfies Readonly<Record<string, InstrumentDefinition>>;
