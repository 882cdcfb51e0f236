import type { LineStream } from '../../transport/line-stream.ts';
import type { StatusError } from '../statuses.ts';

/** An answer of the server: a body, or a stream of lines. */
export interface Answer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | LineStream;
  /** Whether it comes from something in front of the API server, such as a load balancer. Default: `false`. */
  readonly isForeign?: boolean;
}

/** Returns an answer with the headers that an API server adds to each of its answers. */
export function stamped(answer: Answer, requestNumber: number): Answer {
  if (answer.isForeign) return answer;
  const auditId = `00000000-0000-4000-8000-${requestNumber.toString(16).padStart(12, '0')}`;
  return { ...answer, headers: { ...answer.headers, ...serverHeaders, 'audit-id': auditId } };
}

const serverHeaders = {
  'cache-control': 'no-cache, private',
  'x-kubernetes-pf-flowschema-uid': '00000000-0000-4000-8000-0000000000f1',
  'x-kubernetes-pf-prioritylevel-uid': '00000000-0000-4000-8000-0000000000f2',
};

const json = 'application/json';

export function jsonAnswer(status: number, body: string | LineStream, type = json): Answer {
  return { status, headers: { 'content-type': type }, body };
}

/** Returns an answer in plain text, as the server sends it for unknown resources. */
export function textAnswer(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

/** Returns the answer to a request that is refused. */
export function refusal({ code, status }: StatusError, retryAfter = status.details?.retryAfterSeconds): Answer {
  const answer = jsonAnswer(code, JSON.stringify(status));
  if (retryAfter === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfter) } };
}

/** A connection that breaks, or that never comes about. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** As errors of Node name it. */
  readonly code: 'ECONNRESET' | 'ECONNREFUSED';

  constructor(code: 'ECONNRESET' | 'ECONNREFUSED') {
    super(code === 'ECONNRESET' ? 'socket hang up' : 'connect ECONNREFUSED');
    this.code = code;
  }
}
