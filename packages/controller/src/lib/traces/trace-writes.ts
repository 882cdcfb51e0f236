import type { Transport } from '@policy-machinery/cluster';
import type { Tracer } from '@policy-machinery/observability';

/** Returns a transport that sends the same requests, each PATCH in a span `write`. */
export function traceWrites(transport: Transport, tracer: Tracer): Transport {
  return {
    request(request) {
      const send = () => transport.request(request);
      if (request.method !== 'PATCH') return send();
      return tracer.span('write', { path: request.path }, send);
    },
    close: () => transport.close?.(),
  };
}
