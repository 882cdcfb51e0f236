import {
  type Agent,
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type Credentials, sameTls } from './credentials.ts';

/** A request, with the credentials that determine its connection. */
export interface AgentRequest extends RequestOptions {
  readonly credentials: Credentials;
  /** Whether the answer has no end in sight, so that its connection is never free for another request. */
  readonly isWatch: boolean;
}

/** Connections to one server. */
export interface Agents {
  /** Begins a request on a connection that fits. */
  request(options: AgentRequest): ClientRequest;
  /** Closes all connections, also those in use. */
  close(): void;
}

/** The time after which TCP probes idle connections, to notice dead ones. */
const keepAliveAfter = 30_000;

/** The most connections for requests that are no watches. */
const maxSockets = 10;

/**
 * Creates the connections to a server. They are renewed when certificates change.
 *
 * @param protocol `https:` or `http:`.
 * @returns The connections.
 */
export function createAgents(protocol: string): Agents {
  const isHttps = protocol === 'https:';
  const create = (credentials: Credentials, keepAlive: boolean): Agent => {
    const options = keepAlive ? { keepAlive, maxSockets } : { keepAlive };
    return isHttps ? new HttpsAgent({ ...options, ...credentials.tls }) : new HttpAgent(options);
  };
  let agents: { readonly credentials: Credentials; readonly watches: Agent; readonly rest: Agent } | undefined;
  const retired = new Set<Agent>();

  const agentsFor = (credentials: Credentials) => {
    if (agents !== undefined && sameTls(agents.credentials, credentials)) return agents;
    // Watches of the old agents go on until they end.
    if (agents !== undefined) retired.add(agents.watches).add(agents.rest);
    const { agent } = credentials;
    agents = { credentials, watches: agent ?? create(credentials, false), rest: agent ?? create(credentials, true) };
    return agents;
  };

  return {
    request({ credentials, isWatch, ...options }) {
      const { watches, rest } = agentsFor(credentials);
      const request = (isHttps ? httpsRequest : httpRequest)({ ...options, agent: isWatch ? watches : rest });
      request.once('socket', (socket) => socket.setKeepAlive(true, keepAliveAfter));
      return request;
    },
    close() {
      for (const agent of retired) agent.destroy();
      retired.clear();
      agents?.watches.destroy();
      agents?.rest.destroy();
    },
  };
}
