import { isJsonObject, messageOf } from '@policy-machinery/resource';
import type { AdmissionReviewRequest, AdmissionReviewResponse } from '../answer/admission-envelope.ts';
import type { BodyBudget, HeldBody } from './body-budget.ts';
import type { AdmissionMetrics } from './instruments.ts';

/** How requests are handled. */
interface Handling {
  readonly paths: ReadonlySet<string>;
  readonly maxBytes: number;
  readonly budget: BodyBudget;
  readonly review: (review: AdmissionReviewRequest) => Promise<AdmissionReviewResponse>;
  readonly metrics: AdmissionMetrics;
}

class RequestRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** Answers a request of the Fetch API. Never rejects. */
export async function handleRequest(request: Request, handling: Handling): Promise<Response> {
  const { pathname } = new URL(request.url);
  const path = pathname.slice(pathname.lastIndexOf('/'));
  if (!handling.paths.has(path)) {
    return plain(404, `no kind of this webhook has the path ${path}; see the paths of its webhookConfiguration`);
  }
  const finished = handling.metrics.began(path);
  const response = await respond(request, handling);
  finished(response.status);
  return response;
}

async function respond(request: Request, { maxBytes, budget, review }: Handling): Promise<Response> {
  const reader = request.body?.getReader();
  const held = budget.begin(() => void reader?.cancel().catch(() => {}));
  try {
    checkHeaders(request, maxBytes);
    const answer = await review(parse(await textOf(reader, held, maxBytes)));
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
  } catch (error) {
    // A fault of the request is the sender's; reviews do not fail.
    return error instanceof RequestRefusal
      ? plain(error.status, error.message, error.headers)
      : plain(400, messageOf(error));
  } finally {
    held.release();
    reader?.cancel().catch(() => {}); // The rest of a body that is refused.
  }
}

function checkHeaders({ method, headers }: Request, maxBytes: number): void {
  if (method !== 'POST') throw new RequestRefusal(405, `${method} is not allowed; send a POST`, { allow: 'POST' });
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json')
    throw new RequestRefusal(415, 'the body must be application/json');
  if (Number(headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
}

/** Reads a body, but no more of it than is allowed. */
async function textOf(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  held: HeldBody,
  maxBytes: number,
): Promise<string> {
  const decoder = new TextDecoder();
  let [bytes, text] = [0, ''];
  for (;;) {
    const chunk = (await reader?.read())?.value;
    if (chunk !== undefined) held.add(chunk.byteLength);
    if (held.isRefused) throw new RequestRefusal(503, 'too many large bodies arrive at once', { connection: 'close' });
    if (chunk === undefined) break;
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    text += decoder.decode(chunk, { stream: true });
  }
  held.complete();
  return text + decoder.decode();
}

function tooLarge(maxBytes: number): RequestRefusal {
  return new RequestRefusal(413, `the body is larger than ${maxBytes} bytes`, { connection: 'close' });
}

/** Reads an AdmissionReview as far as everyone needs it; `reviewAdmission` checks the rest. */
function parse(text: string): AdmissionReviewRequest {
  const review: unknown = JSON.parse(text);
  if (!isJsonObject(review) || review.kind !== 'AdmissionReview' || !isJsonObject(review.request)) {
    throw new RequestRefusal(400, 'the body must be an AdmissionReview with a request');
  }
  const { uid, kind, operation } = review.request;
  const isKind = isJsonObject(kind) && typeof kind.group === 'string' && typeof kind.kind === 'string';
  if (typeof uid !== 'string' || !isKind || typeof operation !== 'string') {
    throw new RequestRefusal(400, 'the request of the AdmissionReview must have a uid, a kind and an operation');
  }
  return review as unknown as AdmissionReviewRequest;
}

function plain(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', ...headers },
  });
}
