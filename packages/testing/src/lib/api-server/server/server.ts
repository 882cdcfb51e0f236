import { setMaxListeners } from 'node:events';
import { LineStream } from '../../transport/line-stream.ts';
import type { TransportRequest } from '../../transport/transport.ts';
import type { Cluster } from '../cluster.ts';
import { discoveryAt } from '../discovery/documents.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { expired, noSuchResource, StatusError } from '../statuses.ts';
import type { Access } from './access.ts';
import { type Answer, ConnectionError, jsonAnswer, refusal, stamped, textAnswer } from './answer.ts';
import type { AuditEntry } from './audit.ts';
import { dispatch } from './dispatch.ts';
import { type FaultAction, Faults } from './faults.ts';
import { lowerCased, parseRequest } from './parse-request.ts';
import { type Subject, subjectOf } from './pattern.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Answers requests: access and faults first, then discovery or objects. */
export class Server {
  readonly faults = new Faults();
  readonly access: Access;
  readonly log: AuditEntry[] = [];
  readonly #cluster: Cluster;
  readonly #streams = new Map<LineStream, ResourceRequest>();
  /** Ends requests that wait for an answer that never arrives. */
  #shutdown = new AbortController();
  #isUp = true;

  constructor(cluster: Cluster, access: Access) {
    this.#cluster = cluster;
    this.access = access;
  }

  /** Answers a request. Rejects with a `ConnectionError` without an answer. */
  async handle(request: TransportRequest): Promise<Answer> {
    if (!this.#isUp) throw new ConnectionError('ECONNREFUSED');
    const entry = this.#audit(request);
    const requestNumber = this.log.length;
    const answer = await this.#withFaults(request, entry);
    entry.status = answer.status;
    return stamped(answer, requestNumber);
  }

  /** Ends the watches of a kind. */
  endWatches(isMeant: (request: ResourceRequest) => boolean): void {
    for (const [stream, request] of this.#streams) if (isMeant(request)) stream.end();
  }

  breakWatches(isMeant: (request: ResourceRequest) => boolean): void {
    for (const [stream, request] of this.#streams) {
      if (isMeant(request) && !stream.isMuted) stream.fail(new ConnectionError('ECONNRESET'));
    }
  }

  /** Breaks all connections, and refuses further ones. */
  stop(): void {
    this.#isUp = false;
    this.breakWatches(() => true);
    this.#shutdown.abort(new ConnectionError('ECONNRESET'));
    this.#shutdown = new AbortController();
  }

  /** Takes requests again. */
  start(): void {
    this.#isUp = true;
  }

  /** Sends an event to a watch, unless a fault prevents that. */
  send(stream: LineStream, request: ResourceRequest, type: string, json: string): void {
    const line = `{"type":"${type}","object":${json}}`;
    const action = type === 'BOOKMARK' || type === 'ERROR' ? undefined : this.faults.atEvent(subjectOf(request));
    if (action === 'drop') stream.fail(new ConnectionError('ECONNRESET'));
    else if (action === 'halfOpen') stream.mute();
    else if (action === 'gone') {
      stream.push(`{"type":"ERROR","object":${JSON.stringify(tooOld.status)}}`);
      stream.end();
    } else {
      if (action === 'garbage') stream.push(line.slice(0, line.length / 2));
      if (action === 'duplicate') stream.push(line);
      if (action !== 'forget') stream.push(line);
    }
  }

  #audit({ method, path, query = {}, headers, body = '' }: TransportRequest): Mutable<AuditEntry> {
    const entry = { time: this.#cluster.clock.now(), method, path, query, headers: lowerCased(headers), body };
    this.log.push(entry);
    return entry;
  }

  async #withFaults(request: TransportRequest, entry: Mutable<AuditEntry>): Promise<Answer> {
    try {
      const parsed = parseRequest(this.#cluster.kinds, request);
      if (parsed !== undefined) note(entry, parsed);
      const subject = parsed ? subjectOf(parsed) : { verb: request.method.toLowerCase(), resource: request.path };
      return await this.#meet(this.faults.atRequest(subject), subject, () => {
        entry.user = this.access.authenticate(entry.headers.authorization);
        if (parsed === undefined) return this.#nonResource(request);
        this.access.authorize(entry.user, parsed);
        return this.#carryOut(parsed);
      });
    } catch (error) {
      if (error instanceof StatusError) return refusal(error);
      throw error;
    }
  }

  /** Handles a request, with its faults. */
  async #meet(action: FaultAction | undefined, subject: Subject, carryOut: () => Answer): Promise<Answer> {
    if (action === undefined) return carryOut();
    if (action === 'refuse') throw new ConnectionError('ECONNREFUSED');
    if (action === 'gone') throw expired('The resourceVersion for the provided list is too old.');
    if (typeof action === 'object' && 'text' in action) {
      return { ...textAnswer(action.status, action.text), isForeign: true };
    }
    if (typeof action === 'object' && 'status' in action) {
      const {
        status,
        retryAfter,
        reason = 'InternalError',
        message = `a fault at ${subject.verb} ${subject.resource}`,
      } = action;
      return refusal(new StatusError(status, { message, reason: reasons[status] ?? reason }), retryAfter);
    }
    const answer = carryOut();
    if (action === 'drop') throw new ConnectionError('ECONNRESET');
    if (action === 'halfOpen') await this.#unlessStopped(new Promise(() => {}));
    if (typeof action === 'object') await this.#unlessStopped(this.#delay(action.delay));
    return answer;
  }

  #delay(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#cluster.clock.setTimeout(resolve, ms));
  }

  #unlessStopped(promise: Promise<void>): Promise<void> {
    const { signal } = this.#shutdown;
    setMaxListeners(0, signal); // Each request that waits listens.
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      promise.then(resolve, reject);
    });
  }

  #carryOut(request: ResourceRequest): Answer {
    const answer = dispatch(this.#cluster, request);
    const { body } = answer;
    if (body instanceof LineStream) {
      this.#streams.set(body, request);
      body.onClose(() => this.#streams.delete(body));
    }
    return answer;
  }

  #nonResource({ path, headers }: TransportRequest): Answer {
    const document = discoveryAt(this.#cluster.kinds, path, lowerCased(headers).accept ?? '');
    if (document !== undefined) return jsonAnswer(200, JSON.stringify(document.body), document.type);
    if (['/healthz', '/livez', '/readyz'].includes(path)) return textAnswer(200, 'ok');
    if (path === '/version') return jsonAnswer(200, JSON.stringify({ major: '1', minor: '36', gitVersion: 'v1.36.0' }));
    if (path.startsWith('/api/')) throw noSuchResource();
    return textAnswer(404, '404 page not found\n');
  }
}

const tooOld = expired('too old resource version: 1 (2)');

/** The reasons of HTTP statuses that faults bring about. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function note(entry: Mutable<AuditEntry>, request: ResourceRequest): void {
  const { verb, namespace, name } = request;
  entry.verb = verb;
  entry.resource = subjectOf(request).resource;
  if (namespace !== undefined) entry.namespace = namespace;
  if (name !== undefined) entry.name = name;
}
