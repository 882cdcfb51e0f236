import type { InstrumentDefinition } from '@policy-machinery/observability/inner';

/** The metrics of the certificate of a webhook, with the names of controller-runtime. */
export const certificateInstruments = {
  reads: {
    type: 'counter',
    name: 'certwatcher_read_certificate_total',
    help: 'Total number of certificate reads.',
    labels: [],
  },
  readErrors: {
    type: 'counter',
    name: 'certwatcher_read_certificate_errors_total',
    help: 'Total number of certificate read errors.',
    labels: [],
  },
} as const satisfies Readonly<Record<string, InstrumentDefinition>>;
