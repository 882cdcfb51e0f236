import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { array, type output, strictObject, string, type ZodObject, type ZodRawShape } from 'zod';
import type { Options } from '../model/flags.ts';

export interface Question {
  /** The arguments of the command. Default: none. */
  readonly args?: readonly string[];
  /** The flags that are part of a question. The input is decided when the server starts. */
  readonly options?: Pick<
    Options,
    'only' | 'method' | 'header' | 'gateway' | 'client' | 'remove' | 'failOn' | 'concern' | 'uncovered'
  >;
  /** The text that the command reads where people name a file. Default: none. */
  readonly text?: string | undefined;
}

/** Answers a question to the command of this name. */
export type Ask = (command: string, question: Question) => Promise<CallToolResult>;

/** Every tool reads only, and reads nothing but the input that the server was started for. */
const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const text = (description: string) => string().min(1).describe(description);
const texts = (description: string) => array(text(description));
const target = 'KIND/NAMESPACE/NAME, with #SECTION for a part: httproute/shop/cart, gateway/infra/public#https';
const namespace = text('Only answers about this namespace. Default: all namespaces.').optional();

/** Adds a tool to a server that answers questions. */
type AddTool = (server: McpServer, ask: Ask) => void;

function tool<Shape extends ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  question: (given: output<ZodObject<Shape>>) => Question,
): AddTool {
  const config = { description, annotations, inputSchema: strictObject(shape) };
  return (server, ask) => server.registerTool(name, config, (given) => ask(name, question(given)));
}

const tools: readonly AddTool[] = [
  tool(
    'get',
    'Lists policies with the outcome of each, or objects of some kinds with the policies that affect them.',
    { what: text('policies (default), or kinds: gateways,httproutes').optional(), namespace },
    ({ what = 'policies', namespace }) => ({ args: [what], options: onlyIn(namespace) }),
  ),
  tool(
    'explain',
    'Explains the policies of a route, a rule, a Gateway, a listener or a Service: which one sets each field, which ones lose, and why.',
    { target: text(target), pointer: text('A JSON Pointer to one field of the policies: /timeout').optional() },
    ({ target, pointer }) => ({ args: pointer === undefined ? [target] : [target, pointer] }),
  ),
  tool(
    'reach',
    'Shows where a policy has effect, and where other policies prevail.',
    { policy: text('KIND/NAMESPACE/NAME of a policy') },
    ({ policy }) => ({ args: [policy] }),
  ),
  tool(
    'request',
    'Shows which rule takes a request, and which policies apply to it. Sends nothing.',
    {
      url: text('https://shop.example.com/cart'),
      method: text('Default: GET').optional(),
      headers: texts('name: value').optional(),
      gateway: text('NAMESPACE/NAME of the only Gateway to ask. Default: all of them.').optional(),
      client: text('The namespace of a client in the mesh, where the URL names a Service.').optional(),
    },
    ({ url, method, headers, gateway, client }) => ({
      args: [url],
      options: {
        ...(method === undefined ? {} : { method }),
        ...(headers === undefined ? {} : { header: headers }),
        ...(gateway === undefined ? {} : { gateway }),
        ...(client === undefined ? {} : { client }),
      },
    }),
  ),
  tool(
    'lint',
    'Lists errors and warnings, with file and line where there are files.',
    { namespace },
    ({ namespace }) => ({
      options: onlyIn(namespace),
    }),
  ),
  tool(
    'coverage',
    'Shows which requests are protected: by authentication, TLS, rate limits and more, with causes and remedies.',
    {
      concern: text(
        'authentication, authorization, rate-limit, …; lists each route without it. Default: all.',
      ).optional(),
      namespace,
    },
    ({ concern, namespace }) => ({
      options: { ...onlyIn(namespace), ...(concern === undefined ? {} : { concern: [concern], uncovered: true }) },
    }),
  ),
  tool(
    'impact',
    'Shows the effects of applying manifests, or deleting objects. Changes nothing.',
    {
      apply: text('Manifests as YAML or JSON, as they would be applied').optional(),
      remove: texts('KIND/NAMESPACE/NAME of an object that would be deleted').optional(),
    },
    ({ apply, remove = [] }) => ({ options: { remove }, text: apply }),
  ),
  tool(
    'verify',
    'Verifies that guarantees hold for every request, and shows a request that breaks one.',
    {
      guarantees: text(
        'Objects of the kind Guarantee, as YAML. Default: the guarantees that the server was started with.',
      ).optional(),
    },
    ({ guarantees }) => ({ text: guarantees }),
  ),
];

/**
 * Adds the tools to a server. Their arguments are names, requests and manifests as text: none is a path, a cluster or a flag, and further arguments are
 * refused.
 *
 * @param ask Answers the questions.
 */
export function addTools(server: McpServer, ask: Ask): void {
  for (const add of tools) add(server, ask);
}

function onlyIn(namespace: string | undefined): Pick<Options, 'only'> {
  return namespace === undefined ? {} : { only: [`namespace=${namespace}`] };
}
