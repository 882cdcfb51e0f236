import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request that a client has made, as the API server has recorded it. */
export interface AuditedRequest {
  readonly user: string;
  /** `patch`, `list`, `watch`, … */
  readonly verb: string;
  /** `gateways/status.gateway.networking.k8s.io`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** HTTP status code. */
  readonly code: number;
  /** When the request came and when the answer was complete, in milliseconds since 1970. */
  readonly began: number;
  readonly ended: number;
  /** The names of the User-Agent header. */
  readonly userAgent: string;
  /** The parameters in the address: `fieldManager`, `watch`, … */
  readonly query: Readonly<Record<string, string>>;
  /** What was sent, and what was answered, if the policy of the log keeps them. */
  readonly sent: unknown;
  readonly answered: unknown;
}

/** The record of the requests to an API server by others than its administrator. */
export interface AuditLog {
  /** The flags of kube-apiserver that make it keep the record. */
  readonly flags: readonly string[];
  /** Returns the requests that have ended so far, in the order in which they ended. */
  read(): readonly AuditedRequest[];
}

// Requests of the tests and of the server itself are left out. Bodies of writes are kept: their versions show the order.
const policy = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, Panic]
rules:
  - level: None
    users: [admin, system:apiserver]
  - level: RequestResponse
    verbs: [create, update, patch, delete]
  - level: Metadata
`;

/** Returns an audit log in a folder. */
export function createAuditLog(folder: string): AuditLog {
  const [policyFile, logFile] = [join(folder, 'audit-policy.yaml'), join(folder, 'audit.log')];
  writeFileSync(policyFile, policy);
  writeFileSync(logFile, '');
  return {
    flags: [`--audit-policy-file=${policyFile}`, `--audit-log-path=${logFile}`],
    read: () => requestsIn(readFileSync(logFile, 'utf8')),
  };
}

/** The beginning of each event in the log. */
const eventStart = '{"kind":"Event","apiVersion":"audit.k8s.io/';

/**
 * Returns the requests in the text of an audit log. An API server that is killed may leave a part of a line, which the next server
 * continues with its first event.
 */
export function requestsIn(text: string): readonly AuditedRequest[] {
  return (
    text
      .split('\n')
      .map((line) => line.slice(Math.max(0, line.lastIndexOf(eventStart))))
      .filter((line) => line.startsWith(eventStart) && line.endsWith('}'))
      .map((line): AuditEvent => JSON.parse(line))
      // Requests with an invalid token end when their answer begins.
      .filter(({ stage, responseStatus }) => stage === 'ResponseComplete' || responseStatus?.code === 401)
      .map(requestOf)
  );
}

interface AuditEvent {
  readonly stage: string;
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly apiGroup?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
}

function requestOf(event: AuditEvent): AuditedRequest {
  const { resource = '', subresource, apiGroup, namespace = '', name = '' } = event.objectRef ?? {};
  return {
    user: event.user.username,
    verb: event.verb,
    resource: `${resource}${subresource === undefined ? '' : `/${subresource}`}${apiGroup === undefined ? '' : `.${apiGroup}`}`,
    namespace,
    name,
    code: event.responseStatus?.code ?? 0,
    began: Date.parse(event.requestReceivedTimestamp),
    ended: Date.parse(event.stageTimestamp),
    userAgent: event.userAgent ?? '',
    query: Object.fromEntries(new URLSearchParams(event.requestURI.split('?')[1])),
    sent: event.requestObject,
    answered: event.responseObject,
  };
}
