import type { LineStream } from '../../transport/line-stream.ts';
import type { StatusError } from '../statuses.ts';

/** An answer of the server: a body, or a stream of lines. */
export interface Answer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | LineStream;
}

const json = 'application/json';

/** Returns an answer in JSON. */
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
