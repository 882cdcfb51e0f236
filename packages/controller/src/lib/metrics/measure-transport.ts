import type { Clock, Transport, TransportRequest, TransportResponse } from '@policy-machinery/cluster';
import type { Instruments } from './instruments.ts';

/** The code of a request without an answer, as in client-go. */
const noAnswer = '<error>';

/**
 * Returns a transport that counts requests, and measures how long they take until the body is read. Watches are counted only.
 *
 * @param instruments Where to record.
 * @param host The API server as `host:port`, for the label.
 * @returns A transport that sends the same requests. Members that are not part of `Transport` are left out.
 */
export function measureTransport(
  transport: Transport,
  { requests, requestDuration }: Pick<Instruments, 'requests' | 'requestDuration'>,
  clock: Pick<Clock, 'monotonic'>,
  host: string,
): Transport {
  return {
    async request(request) {
      const { method } = request;
      const began = clock.monotonic();
      const record = () => requestDuration.record({ verb: method, host }, (clock.monotonic() - began) / 1000);
      try {
        const response = await transport.request(request);
        requests.add({ code: String(response.status), method, host });
        return isWatch(request) ? response : measuredResponse(response, record);
      } catch (error) {
        requests.add({ code: noAnswer, method, host });
        if (!isWatch(request)) record();
        throw error;
      }
    },
    close: () => transport.close?.(),
  };
}

/** Returns a response that reports when its body has been read, or cannot be read to its end. */
function measuredResponse(response: TransportResponse, onEnd: () => void): TransportResponse {
  return {
    status: response.status,
    headers: response.headers,
    text: (maxBytes) => response.text(maxBytes).finally(onEnd),
    json: (maxBytes) => response.json(maxBytes).finally(onEnd),
    async *lines() {
      try {
        yield* response.lines();
      } finally {
        onEnd();
      }
    },
  };
}

function isWatch({ query }: TransportRequest): boolean {
  return query?.watch !== undefined && query.watch !== 'false';
}
