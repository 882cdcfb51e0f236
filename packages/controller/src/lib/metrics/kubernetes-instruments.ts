import type { InstrumentDefinition } from '@policy-machinery/observability/inner';
import { queueBuckets, reconcileBuckets, requestBuckets } from './buckets.ts';

/** Instruments with the names, labels and meanings of client-go and controller-runtime, so that existing dashboards and alerts fit. */
export const kubernetesInstruments = {
  queueDepth: {
    type: 'gauge',
    name: 'workqueue_depth',
    help: 'Current depth of workqueue by workqueue and priority',
    labels: ['name', 'controller', 'priority'],
  },
  queueAdds: {
    type: 'counter',
    name: 'workqueue_adds_total',
    help: 'Total number of adds handled by workqueue',
    labels: ['name', 'controller'],
  },
  queueWait: {
    type: 'histogram',
    name: 'workqueue_queue_duration_seconds',
    help: 'How long in seconds an item stays in workqueue before being requested',
    labels: ['name', 'controller'],
    buckets: queueBuckets,
  },
  queueWork: {
    type: 'histogram',
    name: 'workqueue_work_duration_seconds',
    help: 'How long in seconds processing an item from workqueue takes',
    labels: ['name', 'controller'],
    buckets: queueBuckets,
  },
  queueUnfinished: {
    type: 'gauge',
    name: 'workqueue_unfinished_work_seconds',
    help: 'Seconds that the items in progress have taken so far, summed up. A value that keeps rising means that work is stuck',
    labels: ['name', 'controller'],
  },
  queueLongest: {
    type: 'gauge',
    name: 'workqueue_longest_running_processor_seconds',
    help: 'Seconds that the oldest item in progress has taken so far',
    labels: ['name', 'controller'],
  },
  queueRetries: {
    type: 'counter',
    name: 'workqueue_retries_total',
    help: 'Total number of retries handled by workqueue',
    labels: ['name', 'controller'],
  },
  requests: {
    type: 'counter',
    name: 'rest_client_requests_total',
    help: 'Number of HTTP requests, partitioned by status code, method, and host',
    labels: ['code', 'method', 'host'],
  },
  requestDuration: {
    type: 'histogram',
    name: 'rest_client_request_duration_seconds',
    help: 'Request latency in seconds, until the end of the answer. Without watches',
    labels: ['verb', 'host'],
    buckets: requestBuckets,
  },
  leader: {
    type: 'gauge',
    name: 'leader_election_master_status',
    help: '1 if this process holds the lease of that name, 0 if it is on standby',
    labels: ['name'],
  },
  leaderSlowPaths: {
    type: 'counter',
    name: 'leader_election_slowpath_total',
    help: 'Total number of renewals of a lease that had to be read first',
    labels: ['name'],
  },
  reconciles: {
    type: 'counter',
    name: 'controller_runtime_reconcile_total',
    help: 'Total number of reconciliations per controller',
    labels: ['controller', 'result'],
  },
  reconcileErrors: {
    type: 'counter',
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Total number of reconciliation errors per controller',
    labels: ['controller'],
  },
  reconcileDuration: {
    type: 'histogram',
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'Length of time per reconciliation per controller',
    labels: ['controller'],
    buckets: reconcileBuckets,
  },
  activeReconciles: {
    type: 'gauge',
    name: 'controller_runtime_active_workers',
    help: 'Number of reconciliations in progress per controller',
    labels: ['controller'],
  },
} as const satisfies Readonly<Record<string, InstrumentDefinition>>;
