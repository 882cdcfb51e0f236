import { isJsonObject, type JsonObject } from '@policy-machinery/resource';
import type { Transport } from '@policy-machinery/testing';

/** A request of the script. */
export interface ScriptedRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object | string;
  /** The media type of the body. Default `application/json`. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a server answers, read but not yet compared. */
export interface RecordedAnswer {
  readonly status: number;
  readonly type: string;
  /** The headers that only an API server sends, as far as the answer has them. */
  readonly stamps: readonly string[];
  /** JSON, the values of its lines, or text. */
  readonly body: unknown;
}

/** The answers to earlier steps of the script. */
export interface Seen {
  /** Returns a field of the metadata that a step was answered: of the object, or of the list. */
  metadata(step: string, field: 'resourceVersion' | 'uid' | 'continue'): string;
}

/** A step of the script: a request, which may depend on earlier answers. */
export interface Step {
  readonly name: string;
  readonly request: (seen: Seen) => ScriptedRequest;
}

/** Sends the requests of a script one after another. */
export async function run(transport: Transport, steps: readonly Step[]): Promise<ReadonlyMap<string, RecordedAnswer>> {
  const answers = new Map<string, RecordedAnswer>();
  const seen: Seen = {
    metadata(step, field) {
      const body = answers.get(step)?.body;
      const metadata = isJsonObject(body) && isJsonObject(body.metadata) ? body.metadata : {};
      const value = metadata[field];
      if (typeof value !== 'string')
        throw new Error(`The answer to "${step}" has no metadata.${field}: ${JSON.stringify(body)}`);
      return value;
    },
  };
  for (const { name, request } of steps) answers.set(name, await send(transport, request(seen)));
  return answers;
}

const stamps = ['audit-id', 'x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'];

async function send(
  transport: Transport,
  { body, type, headers, ...request }: ScriptedRequest,
): Promise<RecordedAnswer> {
  const response = await transport.request({
    ...request,
    headers: {
      'user-agent': 'differential/1.0',
      ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const isStream = request.query?.watch !== undefined && response.status === 200;
  return {
    status: response.status,
    type: response.headers['content-type'] ?? '',
    stamps: stamps.filter((name) => response.headers[name] !== undefined),
    body: isStream ? await valuesOf(response.lines()) : parsed(await response.text()),
  };
}

async function valuesOf(lines: AsyncIterable<string>): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for await (const line of lines) values.push(JSON.parse(line));
  return values;
}

function parsed(text: string): unknown {
  if (!text.startsWith('{')) return text;
  const value: JsonObject = JSON.parse(text);
  return value;
}
