import type { Counter, Histogram, Meter } from '@policy-machinery/observability';
import type { InstrumentDefinition } from '@policy-machinery/observability/inner';

/** The metrics of a webhook. The first three have the names and labels of controller-runtime; `webhook` is the path. */
export const admissionInstruments = {
  requests: {
    type: 'counter',
    name: 'controller_runtime_webhook_requests_total',
    help: 'Total number of admission requests by HTTP status code.',
    labels: ['webhook', 'code'],
  },
  latency: {
    type: 'histogram',
    name: 'controller_runtime_webhook_latency_seconds',
    help: 'Histogram of the latency of processing admission requests.',
    labels: ['webhook'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  inFlight: {
    type: 'gauge',
    name: 'controller_runtime_webhook_requests_in_flight',
    help: 'Current number of admission requests being served.',
    labels: ['webhook'],
  },
  reviews: {
    type: 'counter',
    name: 'policy_machinery_admission_reviews_total',
    help: 'Reviews by kind, operation and result: allowed, warned, refused; unready, late, busy and failed: allowed without a review.',
    labels: ['kind', 'operation', 'result'],
  },
} as const satisfies Readonly<Record<string, InstrumentDefinition>>;

/** The instruments of a webhook. */
export class AdmissionMetrics {
  readonly #requests: Counter | undefined;
  readonly #latency: Histogram | undefined;
  readonly #reviews: Counter | undefined;
  readonly #underWay = new Map<string, number>();

  constructor(meter: Meter | undefined) {
    this.#requests = meter?.counter(admissionInstruments.requests);
    this.#latency = meter?.histogram(admissionInstruments.latency);
    this.#reviews = meter?.counter(admissionInstruments.reviews);
    const inFlight = () => Array.from(this.#underWay, ([webhook, count]) => [{ webhook }, count] as const);
    meter?.gauge(admissionInstruments.inFlight).observe(inFlight);
  }

  /** Counts a request as under way. Returns a function that counts it as answered. */
  began(webhook: string): (code: number) => void {
    const start = performance.now();
    this.#count(webhook, 1);
    return (code) => {
      this.#count(webhook, -1);
      this.#latency?.record({ webhook }, (performance.now() - start) / 1000);
      this.#requests?.add({ webhook, code: String(code) });
    };
  }

  reviewed(kind: string, operation: string, result: string): void {
    this.#reviews?.add({ kind, operation, result });
  }

  #count(webhook: string, by: number): void {
    this.#underWay.set(webhook, (this.#underWay.get(webhook) ?? 0) + by);
  }
}
